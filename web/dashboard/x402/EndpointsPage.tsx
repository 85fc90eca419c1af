import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { Role } from '../../../core/access/roles.ts'
import { Add } from '../forms/Add.tsx'
import { DecimalField } from '../forms/DecimalField.tsx'
import { Field } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { TokenOptions } from '../forms/TokenOptions.tsx'
import { Empty } from '../parts/Empty.tsx'
import { may } from '../parts/may.ts'
import { Pager } from '../parts/Pager.tsx'
import { offered, usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { toastDone } from '../parts/Toasts.tsx'
import { useList } from '../session/lists.ts'
import { merchantApi, request } from '../session/request.ts'
import { useFigures } from './figures.ts'
import { type EndpointJson, OneEndpoint } from './OneEndpoint.tsx'
import { priceIn } from './price.ts'
import { Reasons } from './Reasons.tsx'
import { Span } from './Span.tsx'

const ROWS = 25
const LIST = 'x402/endpoints'

interface EndpointsPageProps {
  readonly merchantId: string
  readonly role: Role
}

/** The prices of a merchant's URLs, each with what it has brought in. */
export function EndpointsPage({ merchantId, role }: EndpointsPageProps) {
  const { words } = usePage()
  const { path: here, route } = useLocation()
  const [days, setDays] = useState(30)
  const path = merchantApi(merchantId, `/v1/${LIST}`)
  const client = useQueryClient()
  const list = useList<EndpointJson>(merchantId, LIST, ROWS)
  const figures = useFigures(merchantId, days)
  if (list.isPending) return <Skeleton rows={6} />
  if (list.isError) return <Failed error={list.error} onRetry={() => list.refetch()} />
  const mayChange = may(role, 'createX402Endpoint')
  const { rows, next, previous } = list.data

  /** The new one is the first of the list. */
  async function showFirst(): Promise<void> {
    route(here)
    await client.invalidateQueries({ queryKey: [LIST, merchantId] })
  }
  return (
    <>
      {mayChange && <AddEndpoint path={path} onAdded={showFirst} />}
      {rows.length === 0 ? (
        <Empty title={words.say('x402NoneTitle')} next={words.say('x402NoneNext')} />
      ) : (
        <>
          <div class="head">
            <h2>{words.say('x4Endpoints')}</h2>
            <Span days={days} onChange={setDays} />
          </div>
          {figures.isError && <Failed error={figures.error} onRetry={() => figures.refetch()} />}
          {figures.data?.isCut && <p class="hint">{words.say('x4Cut')}</p>}
          {rows.map((endpoint) => (
            <OneEndpoint
              key={endpoint.id}
              merchantId={merchantId}
              endpoint={endpoint}
              figures={
                figures.data?.endpoints.find(({ endpointId }) => endpointId === endpoint.id) ?? null
              }
              isCounted={figures.data !== undefined}
              mayChange={mayChange}
              onChanged={() => list.refetch()}
            />
          ))}
          {(next ?? previous) !== null && (
            <Pager
              shown={words.say('x4Shown', { n: rows.length })}
              {...{ next, previous }}
              onGo={(to) => route(`${here}?${new URLSearchParams(to)}`)}
            />
          )}
          {figures.data && (
            <section class="card below" aria-labelledby="refusals">
              <h2 id="refusals">{words.say('x4Refusals')}</h2>
              <p class="hint">{words.say('x4RefusalsHint')}</p>
              <Reasons reasons={figures.data.refusals} none={words.say('x4NoRefusal')} />
            </section>
          )}
        </>
      )}
    </>
  )
}

interface AddEndpointProps {
  readonly path: string
  readonly onAdded: () => Promise<unknown>
}

function AddEndpoint({ path, onAdded }: AddEndpointProps) {
  const { words, networks, tokens } = usePage()
  const payable = tokens.filter(({ takesAuthorizations }) => takesAuthorizations)

  async function add(fields: FormData): Promise<void> {
    const text = (name: string) => String(fields.get(name)).trim()
    await request('POST', path, {
      endpointUrl: text('url'),
      ...priceIn(
        text('price'),
        payable.find(({ symbol }) => symbol === text('token')),
      ),
      asset: text('token'),
      network: text('network'),
      ...(text('description') === '' ? {} : { description: text('description') }),
    })
    await onAdded()
    toastDone(words, 'audit_createX402Endpoint', location.pathname)
  }

  return (
    <div class="actions aside">
      <Add label={words.say('newEndpoint')}>
        {(close) => (
          <Form action={words.say('addEndpoint')} onSend={(fields) => add(fields).then(close)}>
            <Field
              label={words.say('url')}
              hint={words.say('x4UrlHint')}
              name="url"
              autocomplete="off"
              required
            />
            <div class="pair">
              <DecimalField
                label={words.say('x4Price')}
                hint={words.say('x4PriceHint')}
                name="price"
                required
              />
              <label class="field">
                <span>{words.say('token')}</span>
                <select class="wide" name="token">
                  <TokenOptions tokens={payable} />
                </select>
              </label>
            </div>
            <Field label={words.say('description')} name="description" autocomplete="off" />
            <div class="field">
              <label for="x4-network">{words.say('network')}</label>
              <select id="x4-network" name="network" class="wide">
                {offered(networks).map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </div>
          </Form>
        )}
      </Add>
    </div>
  )
}
