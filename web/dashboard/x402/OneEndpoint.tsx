import { formatAmount, tokenDecimals } from '../../../core/base/money.ts'
import { Confirm } from '../forms/Confirm.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Snippet } from '../parts/Snippet.tsx'
import { toastDone } from '../parts/Toasts.tsx'
import { merchantApi, request } from '../session/request.ts'
import type { EndpointFigures } from './figures.ts'
import { Reasons } from './Reasons.tsx'

/** Of every token that takes signed authorizations (core/chain/table.ts). */
const DECIMALS = tokenDecimals(6)

export interface EndpointJson {
  readonly id: string
  readonly endpointUrl: string
  readonly description: string
  readonly networkId: string
  readonly asset: string
  readonly amountUsd: string | null
  /** In base units. */
  readonly amount: string
  readonly active: boolean
  readonly payment_requirements: object | null
}

interface OneEndpointProps {
  readonly merchantId: string
  readonly endpoint: EndpointJson
  /** Null without payments in this period. */
  readonly figures: EndpointFigures | null
  /** Whether the figures are there. */
  readonly isCounted: boolean
  readonly mayChange: boolean
  readonly onChanged: () => Promise<unknown>
}

function priceOf({ amountUsd, amount }: EndpointJson): string {
  return amountUsd ?? formatAmount(BigInt(amount), DECIMALS)
}

/** One price of a URL: revenue, failures, and the payment requirements. */
export function OneEndpoint(props: OneEndpointProps) {
  const { merchantId, endpoint, figures, isCounted, mayChange, onChanged } = props
  const { words, networkName } = usePage()
  const { id, endpointUrl, description, networkId, asset, active } = endpoint
  const network = networkName(networkId)
  const requirements = endpoint.payment_requirements

  async function deactivate(): Promise<void> {
    await request('DELETE', merchantApi(merchantId, `/v1/x402/endpoints/${id}`))
    await onChanged()
    toastDone(words, 'audit_deactivateX402Endpoint', location.pathname)
  }

  return (
    <section class="card" aria-labelledby={id}>
      <div class="head">
        <h3 id={id} class="long">
          {endpointUrl}
        </h3>
        <Pill tone={active ? 'good' : 'calm'} text={words.say(active ? 'active' : 'inactive')} />
      </div>
      {description !== '' && <p class="long">{description}</p>}
      <dl>
        <Fact
          name={words.say('x4Price')}
          value={`${words.money(priceOf(endpoint), asset)} · ${network}`}
        />
        {isCounted && (
          <>
            <Fact
              name={words.say('x4Revenue')}
              value={words.money(figures?.revenue ?? '0', asset)}
            />
            <Fact name={words.say('x4Settled')} value={String(figures?.settled ?? 0)} />
            <Fact name={words.say('inTransit')} value={String(figures?.pending ?? 0)} />
            <Fact name={words.say('failed')} value={String(figures?.failed ?? 0)} />
          </>
        )}
      </dl>
      {figures !== null && figures.failures.length > 0 && (
        <details>
          <summary>{words.say('x4WhyFailed')}</summary>
          <Reasons reasons={figures.failures} none="" />
        </details>
      )}
      {requirements && (
        <details>
          <summary>{words.say('x4Requirements')}</summary>
          <Snippet
            label={words.say('x4Requirements')}
            text={JSON.stringify(requirements, null, 2)}
          />
        </details>
      )}
      {mayChange && active && (
        <div>
          <Confirm
            label={words.say('deactivate')}
            title={words.say('x4DeactivateTitle', { url: endpointUrl })}
            action={words.say('deactivate')}
            onConfirm={deactivate}
          >
            <p>{words.say('x4DeactivateNext')}</p>
          </Confirm>
        </div>
      )}
    </section>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figure">{value}</dd>
    </div>
  )
}
