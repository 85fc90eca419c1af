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
    about: 'A payment was seen on-chain and waits for confirmations.',
  },
  'invoice.payment_confirmed': {
    object: 'invoice',
    about: "A payment has the chain's confirmations; a late one only once it was accepted.",
  },
  'invoice.payment_reverted': {
    object: 'invoice',
    about: 'A reorganisation of the chain removed a payment that had been seen.',
  },
  'invoice.partially_paid': {
    object: 'invoice',
    about: 'Something is confirmed, and less than was asked for.',
  },
  'invoice.paid': { object: 'invoice', about: 'All that was asked for is confirmed.' },
  'invoice.overpaid': { object: 'invoice', about: 'More is confirmed than was asked for.' },
  'invoice.late_payment': {
    object: 'invoice',
    about: 'A payment came after the expiry; it is recorded and not counted.',
  },
  'invoice.unexpected_payment': {
    object: 'invoice',
    about:
      'Another token, native coin or money on another chain is confirmed and held, in `otherDeposits`.',
  },
  'invoice.voided': {
    object: 'invoice',
    about: 'The invoice was ended before its time; what still comes is late.',
  },
  'invoice.expired': {
    object: 'invoice',
    about: 'The time is over on every chain, and the invoice is not paid.',
  },
  'invoice.completed': {
    object: 'invoice',
    about: 'All that was received on time is with the merchant, minus the fee.',
  },
  'settlement.retrying': {
    object: 'invoice',
    about:
      'Moving the money of a paid invoice failed, and is tried again; `settlementError` says why.',
  },
  'settlement.failed': {
    object: 'invoice',
    about: 'The money of a paid invoice could not be moved; it stays in its deposit.',
  },
  'refund.created': {
    object: 'refund',
    about: 'Money is about to go back to a payer.',
  },
  'refund.completed': {
    object: 'refund',
    about: "A refund's transaction has the chain's confirmations.",
  },
  'refund.failed': {
    object: 'refund',
    about: 'A refund was not carried out, and never will be; the money is where it was.',
  },
  'x402.payment.settled': {
    object: 'x402 payment',
    about: "A pay-per-request payment has the chain's confirmations.",
  },
  'x402.payment.failed': {
    object: 'x402 payment',
    about: 'A pay-per-request payment was reverted, or its time ran out.',
  },
  'x402.channel.withdrawing': {
    object: 'x402 channel',
    about:
      'A payer has begun to withdraw from a channel: what is `unclaimed` must be claimed before `withdrawAt`.',
  },
  'endpoint.disabled': {
    object: 'webhook endpoint',
    about: 'A webhook endpoint answered 410, or nothing but failures for five days.',
  },
  test: { object: 'test', about: 'Somebody asked for a test of a webhook endpoint.' },
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
