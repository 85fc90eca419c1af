import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { DELIVERY_STATES, type DeliveryJson } from '../../../core/webhook/delivery.ts'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { merchantApi, request } from '../session/request.ts'
import { DELIVERY_LABELS, OneDelivery } from './OneDelivery.tsx'

interface DeliveryListProps {
  readonly merchantId: string
  readonly endpointId: string
  readonly mayRedeliver: boolean
}

interface Page {
  readonly data: readonly DeliveryJson[]
  readonly metadata: { readonly pagination: { readonly next: string | null } }
}

const PAGE = 20
const POLL_MS = 2_000

/** An endpoint's deliveries, the newest first, polled while deliveries are pending. */
export function DeliveryList({ merchantId, endpointId, mayRedeliver }: DeliveryListProps) {
  const { words } = usePage()
  const [state, setState] = useState('')
  const [places, setPlaces] = useState<readonly string[]>([''])
  const after = places.at(-1) ?? ''
  const query = new URLSearchParams({ endpointId, limit: String(PAGE), after })
  if (state !== '') query.set('state', state)
  const list = useQuery({
    queryKey: ['webhook-deliveries', merchantId, endpointId, state, after],
    queryFn: () =>
      request<Page>('GET', merchantApi(merchantId, `/v1/webhooks/deliveries?${query}`)),
    refetchInterval: after === '' ? POLL_MS : false,
  })
  const next = list.data?.metadata.pagination.next ?? null

  return (
    <section class="card" aria-labelledby="deliveries">
      <div class="head">
        <h2 id="deliveries">{words.say('devDeliveries')}</h2>
        <select
          aria-label={words.say('status')}
          value={state}
          onChange={(event) => {
            setState(event.currentTarget.value)
            setPlaces([''])
          }}
        >
          <option value="">{words.say('statusAll')}</option>
          {DELIVERY_STATES.map((one) => (
            <option key={one} value={one}>
              {words.say(DELIVERY_LABELS[one].word)}
            </option>
          ))}
        </select>
      </div>
      {list.isPending && <Skeleton rows={4} />}
      {list.isError && <Failed error={list.error} onRetry={() => list.refetch()} />}
      {list.data?.data.length === 0 && <p class="hint">{words.say('devNoDelivery')}</p>}
      <div>
        {list.data?.data.map((delivery) => (
          <OneDelivery
            key={delivery.id}
            merchantId={merchantId}
            delivery={delivery}
            mayRedeliver={mayRedeliver}
          />
        ))}
      </div>
      {(next !== null || places.length > 1) && (
        <nav class="paging" aria-label={words.say('pages')}>
          {places.length > 1 && (
            <button type="button" onClick={() => setPlaces(places.slice(0, -1))}>
              {words.say('previous')}
            </button>
          )}
          {next !== null && (
            <button type="button" onClick={() => setPlaces([...places, next])}>
              {words.say('next')}
            </button>
          )}
        </nav>
      )}
    </section>
  )
}
