import type { InvoiceId } from '../base/ids.ts'

/**
 * What is put into an actor's mailbox. Messages carry ids only and do no more than wake the actor: the
 * rows decide, so a message that is lost, repeated or late costs at most one tick.
 */
export type ChainMessage =
  /** Something waits for the chain's leader, and perhaps for a relayer. */
  | { readonly type: 'work_waiting' }
  /** Work items were queued for relayers, and nothing for the leader. */
  | { readonly type: 'work_queued' }
  /** An invoice must be derived again, e.g. because it was closed or its recipient changed. */
  | { readonly type: 'advance_invoice'; readonly invoiceId: InvoiceId }

/** BullMQ forbids ':' in names, so the mailbox goes by the chain's number and not by its CAIP-2 id. */
export function chainMailbox(chainId: number): string {
  return `chain-${chainId}`
}

/** The notifier needs no more than to be woken: events wait in the outbox. */
export type NotifierMessage = { readonly type: 'events_waiting' }

export const NOTIFIER_MAILBOX = 'notifier'
