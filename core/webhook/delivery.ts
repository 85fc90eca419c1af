import type { DeliveryId, EventId, WebhookEndpointId } from '../base/ids.ts'
import { iso } from '../base/instant.ts'

/** Events on their way to endpoints, as the API shows them. */

/** pending: an attempt is to come; succeeded: answered with 2xx; failed: no attempt is to come. */
export type DeliveryState = 'pending' | 'succeeded' | 'failed'
export const DELIVERY_STATES: readonly DeliveryState[] = ['pending', 'succeeded', 'failed']

/** How much of an answer is kept, so that the merchant can see what went wrong. */
export const ANSWER_BYTES_KEPT = 4 * 1024

/** How many of a delivery's attempts are shown, the newest: redelivering can make thousands. */
export const ATTEMPTS_SHOWN = 100

export interface WebhookDelivery {
  readonly id: DeliveryId
  readonly endpointId: WebhookEndpointId
  readonly eventId: EventId
  readonly eventType: string
  readonly state: DeliveryState
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastError: string | null
  /** Null unless one is to come. */
  readonly nextAttemptAt: Date | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

export interface DeliveryAttempt {
  /** From 1. */
  readonly number: number
  readonly at: Date
  readonly latencyMs: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
}

export type DeliveryJson = ReturnType<typeof presentDelivery>
export type AttemptJson = ReturnType<typeof presentAttempt>

export function presentDelivery(delivery: WebhookDelivery) {
  return {
    id: delivery.id,
    endpointId: delivery.endpointId,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    state: delivery.state,
    attemptCount: delivery.attempts,
    lastStatus: delivery.lastStatus,
    lastError: delivery.lastError,
    nextAttemptAt: iso(delivery.nextAttemptAt),
    createdAt: delivery.createdAt.toISOString(),
    finishedAt: iso(delivery.finishedAt),
  }
}

export function presentAttempt(attempt: DeliveryAttempt) {
  return {
    number: attempt.number,
    at: attempt.at.toISOString(),
    latencyMs: attempt.latencyMs,
    status: attempt.status,
    error: attempt.error,
    answer: attempt.answer,
  }
}
