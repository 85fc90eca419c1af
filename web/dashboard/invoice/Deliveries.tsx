import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { DeliveryJson } from '../../../core/webhook/delivery.ts'
import { ActionButton } from '../forms/ActionButton.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { useDeliveries } from '../session/deliveries.ts'
import { getData, merchantApi, request } from '../session/request.ts'

interface EventJson {
  readonly id: string
  readonly type: string
  readonly timestamp: string
}

interface DeliveriesProps {
  readonly merchantId: string
  readonly invoiceId: string
  readonly mayResend: boolean
}

const EVENTS = 20

/** An invoice's events with their deliveries, the newest first. */
export function Deliveries({ merchantId, invoiceId, mayResend }: DeliveriesProps) {
  const { words } = usePage()
  const query = new URLSearchParams({ objectId: invoiceId, first: 'newest', limit: `${EVENTS}` })
  const events = useQuery({
    queryKey: ['events', merchantId, invoiceId],
    queryFn: () => getData<readonly EventJson[]>(merchantApi(merchantId, `/v1/events?${query}`)),
  })
  return (
    <section class="card" aria-labelledby="deliveries">
      <h2 id="deliveries">{words.say('deliveries')}</h2>
      {events.isPending && <Skeleton rows={3} />}
      {events.isError && <Failed error={events.error} onRetry={() => events.refetch()} />}
      {events.data?.length === 0 && <p class="hint">{words.say('deliveriesNone')}</p>}
      {events.data?.map((event) => (
        <OneEvent key={event.id} {...{ merchantId, event, mayResend }} />
      ))}
    </section>
  )
}

interface OneEventProps extends Omit<DeliveriesProps, 'invoiceId'> {
  readonly event: EventJson
}

/** One event; its deliveries are loaded when it is opened. */
function OneEvent({ merchantId, event, mayResend }: OneEventProps) {
  const { words } = usePage()
  const [isOpen, setOpen] = useState(false)
  const deliveries = useDeliveries(merchantId, event.id, isOpen)
  return (
    <details onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary>
        <code>{event.type}</code> <Moment at={event.timestamp} />
      </summary>
      {isOpen && deliveries.isPending && <Skeleton rows={1} />}
      {deliveries.isError && (
        <Failed error={deliveries.error} onRetry={() => deliveries.refetch()} />
      )}
      {deliveries.data?.length === 0 && <p class="hint">{words.say('noSubscriber')}</p>}
      <ul class="lines">
        {deliveries.data?.map((delivery) => (
          <OneDelivery key={delivery.id} delivery={delivery}>
            {mayResend && (
              <ActionButton
                label={words.say('devResend')}
                onAction={async () => {
                  const path = merchantApi(merchantId, `/v1/webhooks/deliveries/${delivery.id}`)
                  await request('POST', `${path}/redeliver`)
                  await deliveries.refetch()
                }}
              />
            )}
          </OneDelivery>
        ))}
      </ul>
    </details>
  )
}

const STATES = {
  succeeded: { word: 'delivered', tone: 'good' },
  pending: { word: 'deliveryPending', tone: 'warn' },
  failed: { word: 'failed', tone: 'bad' },
} as const

interface OneDeliveryProps {
  readonly delivery: DeliveryJson
  readonly children: ComponentChildren
}

function OneDelivery({ delivery, children }: OneDeliveryProps) {
  const { words } = usePage()
  const { word, tone } = STATES[delivery.state]
  const { lastStatus, lastError, attemptCount } = delivery
  return (
    <li>
      <Pill tone={tone} text={words.say(word)} />
      <span class="hint long">
        {words.say('attempts', { n: attemptCount })}
        {lastStatus !== null && `, ${words.say('answered', { status: lastStatus })}`}
        {lastError !== null && `, ${lastError}`}
      </span>
      {children}
    </li>
  )
}
