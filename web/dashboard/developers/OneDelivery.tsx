import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { AttemptJson, DeliveryJson } from '../../../core/webhook/delivery.ts'
import { ActionButton } from '../forms/ActionButton.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Snippet } from '../parts/Snippet.tsx'
import { Failed, Skeleton } from '../parts/States.tsx'
import { toastDone } from '../parts/Toasts.tsx'
import { getData, merchantApi, request } from '../session/request.ts'

export const DELIVERY_LABELS = {
  succeeded: { word: 'delivered', tone: 'good' },
  pending: { word: 'waiting', tone: 'warn' },
  failed: { word: 'failed', tone: 'bad' },
} as const

interface OneDeliveryProps {
  readonly merchantId: string
  readonly delivery: DeliveryJson
  readonly mayRedeliver: boolean
}

/** One delivery of an event to an endpoint. Its attempts are loaded when it is opened. */
export function OneDelivery({ merchantId, delivery, mayRedeliver }: OneDeliveryProps) {
  const { words } = usePage()
  const [isOpen, setOpen] = useState(false)
  const path = merchantApi(merchantId, `/v1/webhooks/deliveries/${delivery.id}`)
  const whole = useQuery({
    queryKey: ['webhook-delivery', merchantId, delivery.id, delivery.attemptCount, delivery.state],
    queryFn: () => getData<{ readonly attempts: readonly AttemptJson[] }>(path),
    enabled: isOpen,
  })
  const { word, tone } = DELIVERY_LABELS[delivery.state]
  async function redeliver(): Promise<void> {
    await request('POST', `${path}/redeliver`)
    const endpoint = placePath(merchantId, 'developers', `webhooks/${delivery.endpointId}`)
    toastDone(words, 'audit_redeliverWebhook', endpoint)
  }
  return (
    <details class="delivery" onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary>
        <Pill tone={tone} text={words.say(word)} /> <code>{delivery.eventType}</code>{' '}
        <Moment at={delivery.createdAt} />{' '}
        <small class="hint">{words.say('attempts', { n: delivery.attemptCount })}</small>
      </summary>
      {isOpen && (
        <div class="part">
          <p class="hint long">
            {words.say('devEventId')} <code>{delivery.eventId}</code>
            {delivery.nextAttemptAt && (
              <>
                {' · '}
                {words.say('devNextAttempt')} <Moment at={delivery.nextAttemptAt} />
              </>
            )}
          </p>
          {whole.isPending && <Skeleton rows={2} />}
          {whole.isError && <Failed error={whole.error} onRetry={() => whole.refetch()} />}
          {whole.data?.attempts.length === 0 && <p class="hint">{words.say('devNoAttempt')}</p>}
          {whole.data?.attempts.toReversed().map((attempt) => (
            <Attempt key={attempt.number} attempt={attempt} />
          ))}
          {mayRedeliver && (
            <div>
              <ActionButton label={words.say('devResend')} onAction={redeliver} />
            </div>
          )}
        </div>
      )}
    </details>
  )
}

function Attempt({ attempt }: { readonly attempt: AttemptJson }) {
  const { words } = usePage()
  const { number, at, latencyMs, status, error, answer } = attempt
  return (
    <div class="part">
      <p>
        {words.say('devAttempt', { n: number })} <Moment at={at} />{' '}
        <span class="hint">
          {status === null ? words.say('devNoResponse') : words.say('answered', { status })}
          {`, ${latencyMs} ms`}
          {error !== null && `, ${error}`}
        </span>
      </p>
      {answer !== null && answer !== '' && (
        <Snippet label={words.say('devResponseBody', { n: number })} text={answer} />
      )}
    </div>
  )
}
