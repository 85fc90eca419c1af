import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { EVENT_TYPE_NAMES } from '../../../core/events/eventTypes.ts'
import { Empty } from '../parts/Empty.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { Moment } from '../parts/Moment.tsx'
import { type DashboardWords, usePage } from '../parts/page.ts'
import { Snippet } from '../parts/Snippet.tsx'
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
  const { type = '', objectId = '', event: chosen = '' } = query
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
      <Loaded query={events} rows={8}>
        {(found) => {
          const open = found.find(({ id }) => id === chosen) ?? found[0]
          if (open === undefined) {
            return <Empty title={words.say('devNoEventTitle')} next={words.say('devNoEventNext')} />
          }
          return (
            <>
              <p class="hint" role="status">
                {words.say('devEventsShown', { n: found.length })}
              </p>
              <div class="split">
                <EventList events={found} open={open.id} />
                <OneEvent key={open.id} merchantId={merchantId} event={open} />
              </div>
            </>
          )
        }}
      </Loaded>
    </>
  )
}

interface EventListProps {
  readonly events: readonly EventJson[]
  readonly open: string
}

/** All of them, each with what it is about; one is open beside them. */
function EventList({ events, open }: EventListProps) {
  const { words } = usePage()
  const { path, query } = useLocation()
  return (
    <nav class="scroll" aria-label={words.say('devEvents')}>
      <ul>
        {events.map((event) => (
          <li key={event.id}>
            <a
              href={`${path}?${new URLSearchParams({ ...query, event: event.id })}`}
              {...(event.id === open ? ({ 'aria-current': 'true' } as const) : {})}
            >
              <code>{event.type}</code>
              <small class="hint">
                {aboutOf(words, event)} <Moment at={event.timestamp} />
              </small>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** What an event is about: an invoice by its reference and amount, where it is of one. */
function aboutOf(words: DashboardWords, { data }: EventJson): string {
  const read = (name: string) => {
    const value: unknown = Reflect.get(data, name)
    return typeof value === 'string' ? value : ''
  }
  const reference = read('reference') || read('invoiceRef')
  const amount = read('amountExpected') || read('amount')
  const unit = read('tokenSymbol') || read('asset')
  const money = amount === '' || unit === '' ? '' : words.money(amount, unit)
  return [reference, money].filter((part) => part !== '').join(' · ')
}

interface OneEventProps {
  readonly merchantId: string
  readonly event: EventJson
}

/** One event: its deliveries and its data. */
function OneEvent({ merchantId, event }: OneEventProps) {
  const { words } = usePage()
  const deliveries = useDeliveries(merchantId, event.id, true)
  return (
    <section class="card" aria-labelledby="event">
      <h2 id="event" class="long">
        {event.type}
      </h2>
      <Loaded query={deliveries} rows={1}>
        {(found) =>
          found.length === 0 ? (
            <p class="hint">{words.say('noSubscriber')}</p>
          ) : (
            <div>
              {found.map((delivery) => (
                <OneDelivery key={delivery.id} {...{ merchantId, delivery }} mayRedeliver={false} />
              ))}
            </div>
          )
        }
      </Loaded>
      <Snippet label={`${event.type} ${event.id}`} text={JSON.stringify(event, null, 2)} />
    </section>
  )
}
