import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { DeliveryJson } from '../../../core/webhook/delivery.ts'
import { OneDelivery } from '../developers/OneDelivery.tsx'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { getData, merchantApi, request } from '../session/request.ts'

interface TestEventsProps {
  readonly merchantId: string
  readonly types: readonly string[]
}

const POLL_MS = 1_000

/** An event of any type, made up and marked as a test, to every endpoint that wants it. */
export function TestEvents({ merchantId, types }: TestEventsProps) {
  const { words } = usePage()
  const [eventId, setEventId] = useState<string | null>(null)
  const deliveries = useQuery({
    queryKey: ['sandbox-deliveries', merchantId, eventId],
    queryFn: () =>
      getData<readonly DeliveryJson[]>(
        merchantApi(merchantId, `/v1/webhooks/deliveries?eventId=${eventId}`),
      ),
    enabled: eventId !== null,
    refetchInterval: POLL_MS,
  })

  async function send(fields: FormData): Promise<void> {
    const { data } = await request<{ data: { eventId: string } }>(
      'POST',
      merchantApi(merchantId, '/v1/sandbox/events'),
      { type: String(fields.get('type')) },
    )
    setEventId(data.eventId)
  }

  return (
    <section class="card" aria-labelledby="test-events">
      <h2 id="test-events">{words.say('boxEvents')}</h2>
      <p class="hint">
        {words.say('boxEventsHint')}{' '}
        <a href={placePath(merchantId, 'developers', 'webhooks')}>{words.say('boxToWebhooks')}</a>
      </p>
      <Form action={words.say('sendTestEvent')} onSend={send}>
        <div class="field">
          <label for="event-type">{words.say('boxEventType')}</label>
          <select id="event-type" name="type" class="wide">
            {types.map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </select>
        </div>
      </Form>
      {eventId !== null && (
        <div>
          <p class="hint long" role="status">
            {words.say('boxEventSent', { id: eventId })}
          </p>
          {deliveries.data?.length === 0 && <p class="hint">{words.say('boxNoSubscriber')}</p>}
          {deliveries.data?.map((delivery) => (
            <OneDelivery
              key={delivery.id}
              merchantId={merchantId}
              delivery={delivery}
              mayRedeliver={false}
            />
          ))}
        </div>
      )}
    </section>
  )
}
