import type { RecoveryJson } from '../../../core/invoice/recovery.ts'
import { Moment } from '../parts/Moment.tsx'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { HeldActions } from './HeldActions.tsx'
import { HeldRefusals } from './HeldRefusals.tsx'
import { REASONS } from './reasons.ts'

interface HeldRowProps extends Pick<PlaceProps, 'merchantId' | 'role'> {
  readonly held: RecoveryJson
}

/** One of them, as a card: the amount, why it is here, and what to do. */
export function HeldRow({ merchantId, role, held }: HeldRowProps) {
  const { words, networkName } = usePage()
  const network = networkName(held.chain)
  // The decimals of an unlisted token are unknown: its amount is in base units.
  const amount =
    held.amount === null
      ? `${words.amount(held.baseUnits, 'JPY')} ${words.say('unknownToken')}`
      : words.money(held.amount, held.asset ?? '')
  return (
    <li class="card held">
      <div>
        <p>
          <strong class="figure">{amount}</strong>{' '}
          <span class="hint">
            {network} · <Moment at={held.since} /> ·{' '}
            <a href={placePath(merchantId, 'invoices', held.invoiceId)}>{held.invoiceRef}</a>
            {held.externalRef !== null && <span class="long"> · {held.externalRef}</span>}
          </span>
        </p>
        <p>{words.say(REASONS[held.reason])}</p>
        {held.expiresAt !== null && held.reason === 'partial' && (
          <p class="hint">
            {words.say('heldDueBy')} <Moment at={held.expiresAt} />
          </p>
        )}
        {held.error !== null && (
          <p class="hint long">
            {words.say('networkError')} <code>{held.error}</code>
          </p>
        )}
        <HeldRefusals {...{ role, held }} />
      </div>
      <HeldActions {...{ merchantId, role, held }} />
    </li>
  )
}
