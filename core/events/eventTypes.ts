/**
 * Every type of event that merchants receive. The names are part of the public interface, and
 * `bun dev/eventTable.ts` writes the table in docs/webhooks.md from this one.
 */

/** What the data of an event is: the object as the API returns it. */
export type EventObject =
  | 'invoice'
  | 'refund'
  | 'x402 payment'
  | 'x402 channel'
  | 'webhook endpoint'
  | 'test'

interface EventTypeEntry {
  readonly object: EventObject
  /** When it is sent, as a sentence. */
  readonly about: string
}

export const EVENT_TYPES = {
  'invoice.created': { object: 'invoice', about: 'An invoice was created.' },
  'invoice.payment_detected': {
    object: 'invoice',
    about: 'A payment was detected on-chain and awaits confirmations.',
  },
  'invoice.payment_confirmed': {
    object: 'invoice',
    about:
      "A payment has the chain's confirmations; a late one is reported only once it is accepted.",
  },
  'invoice.payment_reverted': {
    object: 'invoice',
    about: 'A reorganisation of the chain removed a detected payment.',
  },
  'invoice.partially_paid': {
    object: 'invoice',
    about: 'A part of the amount due is confirmed.',
  },
  'invoice.paid': { object: 'invoice', about: 'The whole amount due is confirmed.' },
  'invoice.overpaid': { object: 'invoice', about: 'More than the amount due is confirmed.' },
  'invoice.late_payment': {
    object: 'invoice',
    about: 'A payment was received after the expiry; it is recorded and not counted.',
  },
  'invoice.unexpected_payment': {
    object: 'invoice',
    about:
      'Another token, native coin or money on another chain is confirmed and held, in `otherDeposits`.',
  },
  'invoice.voided': {
    object: 'invoice',
    about: 'The invoice was voided; later payments count as late.',
  },
  'invoice.expired': {
    object: 'invoice',
    about: 'The invoice expired on every chain without being paid.',
  },
  'invoice.completed': {
    object: 'invoice',
    about: 'Everything received on time was paid out to the merchant, minus the fee.',
  },
  'settlement.retrying': {
    object: 'invoice',
    about:
      'The settlement of a paid invoice failed and is retried; `settlementError` gives the reason.',
  },
  'settlement.failed': {
    object: 'invoice',
    about: 'The settlement of a paid invoice failed; the money stays in its deposit.',
  },
  'refund.created': {
    object: 'refund',
    about: 'A refund to a payer was created.',
  },
  'refund.completed': {
    object: 'refund',
    about: "A refund's transaction has the chain's confirmations.",
  },
  'refund.failed': {
    object: 'refund',
    about: 'A refund failed for good; the money is where it was.',
  },
  'x402.payment.settled': {
    object: 'x402 payment',
    about: "A pay-per-request payment has the chain's confirmations.",
  },
  'x402.payment.failed': {
    object: 'x402 payment',
    about: 'A pay-per-request payment was reverted, or its authorization expired.',
  },
  'x402.channel.withdrawing': {
    object: 'x402 channel',
    about:
      'A payer began to withdraw from a channel: claim what is `unclaimed` before `withdrawAt`.',
  },
  'endpoint.disabled': {
    object: 'webhook endpoint',
    about: 'A webhook endpoint answered 410, or nothing but failures for five days.',
  },
  test: { object: 'test', about: 'A test of a webhook endpoint was requested.' },
} as const satisfies Readonly<Record<string, EventTypeEntry>>

export type EventType = keyof typeof EVENT_TYPES

/** Those that report money that is held until the merchant decides. */
export const HELD_EVENT_TYPES = [
  'invoice.late_payment',
  'invoice.unexpected_payment',
  'settlement.failed',
] as const satisfies readonly EventType[]
export type InvoiceEventType = TypesAbout<'invoice'>
export type RefundEventType = TypesAbout<'refund'>

type TypesAbout<Shown extends EventObject> = {
  [Type in EventType]: (typeof EVENT_TYPES)[Type]['object'] extends Shown ? Type : never
}[EventType]

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENT_TYPES, text)
}

/** All names, in the order of the table. */
export const EVENT_TYPE_NAMES: readonly EventType[] = Object.keys(EVENT_TYPES).filter(isEventType)
