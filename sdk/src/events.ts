import type { components } from './schema.ts'
import type { Invoice, Refund, WebhookEndpoint, X402Payment } from './shapes.ts'

/** Events as webhooks bring them: which type has which data. */

type Schemas = components['schemas']

export type EventType = Schemas['Event']['type']

/** The object of an event as the API returns it, and what every event says besides. */
type About<T> = T & {
  readonly environment: 'sandbox' | 'live'
  /** Grows with each event of the same object. */
  readonly version: number
}

type ObjectOf<Type extends EventType> = Type extends `invoice.${string}` | 'settlement.failed'
  ? Invoice
  : Type extends `refund.${string}`
    ? Refund
    : Type extends `x402.payment.${string}`
      ? X402Payment
      : Type extends 'endpoint.disabled'
        ? WebhookEndpoint
        : Readonly<Record<string, unknown>>

/** An event; its `type` tells what its `data` is. */
export type WebhookEvent = {
  [Type in EventType]: {
    /** The same at every attempt and for every endpoint: keep the ids that you have acted on. */
    readonly id: string
    readonly type: Type
    /** When it happened; ISO 8601. */
    readonly timestamp: string
    readonly data: About<ObjectOf<Type>>
  }
}[EventType]
