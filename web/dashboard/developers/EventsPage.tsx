import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { EVENT_TYPE_NAMES } from '../../../core/events/eventTypes.ts'
import { Moment } from '../parts/Moment.tsx'
import { usePage } from '../parts/page.ts'
import { Snippet } from '../parts/Snippet.tsx'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { useFilters } from '../parts/useFilters.ts'
import { useDeliveries } from '../session/deliveries.ts'
import { getData, merchantApi } from '../session/request.ts'
import { IdSearch } from './IdSearch.tsx'
import { OneDelivery } from './OneDelivery.tsx'

export interface EventJson {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: object
}

const EVENTS = 100

/** Events, filtered by type and object. */
export function EventsPage({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const { query } = useLocation()
  const go = useFilters()
  const { type = '', objectId = '' } = query
  const wanted = new URLSearchParams({ first: 'newest', limit: String(EVENTS) })
  if (type !== '') wanted.set('type', type)
  if (objectId !== '') wanted.set('objectId', objectId)
  const events = useQuery({
    queryKey: ['events', merchantId, 'browser', type, objectId],
    queryFn: () => getData<readonly EventJson[]>(merchantApi(merchantId, `/v1/events?${wanted}`)),
  })

  return (
    <>
      <search class="filters" aria-label={words.say('filters')}>
        <IdSearch
          label={words.say('devObject')}
          form={words.say('devObjectForm')}
          value={objectId}
          onSearch={(id) => go({ type, objectId: id })}
        />
        <select
          aria-label={words.say('devType')}
          value={type}
          onChange={(event) => go({ type: event.currentTarget.value, objectId })}
        >
          <option value="">{words.say('devEveryType')}</option>
          {EVENT_TYPE_NAMES.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </search>
      {events.isPending && <Skeleton rows={8} />}
      {events.isError && <Failed error={events.error} onRetry={() => events.refetch()} />}
      {events.data?.length === 0 && (
        <Empty title={words.say('devNoEventTitle')} next={words.say('devNoEventNext')} />
      )}
      {events.data && events.data.length > 0 && (
        <section class="card" aria-label={words.say('devEvents')}>
          <p class="hint" role="status">
            {words.say('devEventsShown', { n: events.data.length })}
          </p>
          <div>
            {events.data.map((event) => (
              <OneEvent key={event.id} merchantId={merchantId} event={event} />
            ))}
          </div>
        </section>
      )}
    </>
  )
}

interface OneEventProps {
  readonly merchantId: string
  readonly event: EventJson
}

/** One event with its data; its deliveries are loaded when it is opened. */
function OneEvent({ merchantId, event }: OneEventProps) {
  const { words } = usePage()
  const [isOpen, setOpen] = useState(false)
  const deliveries = useDeliveries(merchantId, event.id, isOpen)
  return (
    <details class="delivery" onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary>
        <code>{event.type}</code> <Moment at={event.timestamp} />
      </summary>
      {isOpen && (
        <div class="part">
          {deliveries.isPending && <Skeleton rows={1} />}
          {deliveries.isError && (
            <Failed error={deliveries.error} onRetry={() => deliveries.refetch()} />
          )}
          {deliveries.data?.length === 0 && <p class="hint">{words.say('noSubscriber')}</p>}
          {deliveries.data?.map((delivery) => (
            <OneDelivery
              key={delivery.id}
              merchantId={merchantId}
              delivery={delivery}
              mayRedeliver={false}
            />
          ))}
          <Snippet label={`${event.type} ${event.id}`} text={JSON.stringify(event, null, 2)} />
        </div>
      )}
    </details>
  )
}
