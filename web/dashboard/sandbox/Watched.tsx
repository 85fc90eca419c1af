import type { DeliveryJson } from '../../../core/webhook/delivery.ts'
import { DELIVERY_LABELS } from '../developers/OneDelivery.tsx'
import { statusOf } from '../invoices/status.ts'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import type { Play } from './play.ts'
import { type PlayedEvent, SETTLEMENT_WORDS } from './scenarioEvents.ts'

interface WatchedProps {
  readonly merchantId: string
  readonly play: Play
  /** What the scenario does. */
  readonly title: string
  /** Of its invoice, the oldest first. */
  readonly events: readonly PlayedEvent[]
  readonly deliveries: readonly DeliveryJson[]
}

/** A running scenario: the invoice's states, its events and their deliveries. */
export function Watched({ merchantId, play, title, events, deliveries }: WatchedProps) {
  const { words } = usePage()
  const { scenario, invoiceId, reference } = play
  const newest = events.findLast(({ data }) => data.id === invoiceId)?.data
  const { status, expired = false, settlementState = 'none' } = newest ?? {}
  const shown = status && statusOf({ status, expired })
  return (
    <section class="part" aria-label={words.say('boxWatched', { name: scenario, reference })}>
      <div class="head">
        <h3>
          {title} <a href={placePath(merchantId, 'invoices', invoiceId)}>{reference}</a>
        </h3>
        {shown && (
          <span role="status">
            <Pill tone={shown.tone} text={words.say(shown.word)} />{' '}
            {settlementState !== 'none' && (
              <Pill tone="calm" text={words.say(SETTLEMENT_WORDS[settlementState])} />
            )}
          </span>
        )}
      </div>
      <ul class="lines">
        {events.map((event) => (
          <OneEvent
            key={event.id}
            event={event}
            deliveries={deliveries.filter(({ eventId }) => eventId === event.id)}
          />
        ))}
      </ul>
    </section>
  )
}

interface OneEventProps {
  readonly event: PlayedEvent
  readonly deliveries: readonly DeliveryJson[]
}

function OneEvent({ event, deliveries }: OneEventProps) {
  const { words } = usePage()
  return (
    <li>
      <span>
        <code>{event.type}</code> <Moment at={event.timestamp} />
      </span>
      <span>
        {deliveries.length === 0 && <small class="hint">{words.say('noSubscriber')}</small>}
        {deliveries.map(({ id, state }) => (
          <Pill
            key={id}
            tone={DELIVERY_LABELS[state].tone}
            text={words.say(DELIVERY_LABELS[state].word)}
          />
        ))}
      </span>
    </li>
  )
}
