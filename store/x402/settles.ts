import { asX402PaymentId, type X402PaymentId } from '../../core/base/ids.ts'
import {
  type Database,
  isContention,
  isUniqueViolation,
  type Transaction,
} from '../database/database.ts'
import { notifySessions } from '../invoice/sessionNews.ts'
import { type DoneAt, idsOf, invoicesOf, type Ledger, REQUESTS } from '../relayer/transition.ts'
import { type NewClaim, rowOf } from './claims.ts'
import { notifyStep } from './outcomes.ts'
import { insertPaymentEvents } from './paymentEvents.ts'
import type { SettleRow } from './work.ts'

/** How payments by authorizations advance: every change of their state. */

/** The work of x402 payments; waiting callers of mined ones are notified once that is committed. */
export const PAYMENTS: Ledger = {
  table: 'x402_payment',
  words: REQUESTS,
  isOfInvoice: false,
  hasOthers: true,
  also: {
    mined: (sql) => sql`, log_index = given.log_index`,
    confirmed: (sql) => sql`, version = r.version + 1`,
    reopened: (sql) => sql`, log_index = null, distribution_id = null, fee = null`,
    failed: (sql) => sql`, version = r.version + 1`,
  },
  async derive(sql, step, changed, by) {
    const ids = idsOf(changed).map(asX402PaymentId)
    if (step === 'confirmed') await insertPaymentEvents(sql, 'x402.payment.settled', ids)
    if (step === 'failed') await insertPaymentEvents(sql, 'x402.payment.failed', ids)
    await notifyStep(sql, step, changed, by)
  },
}

/**
 * The work of authorizations that pay invoices. None of it changes an invoice's figures: those follow from the
 * transfer, which the ledger counts as any other payment.
 */
export const AUTHORIZATIONS: Ledger = {
  table: 'invoice_authorization',
  words: REQUESTS,
  isOfInvoice: true,
  // Its invoice would be locked after it, and who withdraws it locks the invoice first.
  leavesFigures: true,
  hasOthers: true,
  also: {
    mined: (sql) => sql`, log_index = given.log_index, version = r.version + 1`,
    reopened: (sql) => sql`, log_index = null, version = r.version + 1`,
    failed: (sql) => sql`, version = r.version + 1`,
  },
  async derive(sql, step, changed, by) {
    if (step !== 'confirmed') await notifySessions(sql, invoicesOf(changed))
    await notifyStep(sql, step, changed, by)
  },
}

/** A payment by another sender's transaction before it was claimed here. */
export type PaymentByOthers = Omit<NewClaim, 'balance' | 'block' | 'usedNonces' | 'isAlone'> & {
  readonly claimedBlock: bigint
}

/**
 * Stores a payment as settled by another sender's transaction. Returns its id, also when it is stored already;
 * null when the nonce was claimed for other terms meanwhile or for another merchant, or that very transfer has
 * paid for another payment.
 */
export async function storePaidByOthers(
  sql: Transaction,
  payment: PaymentByOthers,
  at: DoneAt,
): Promise<X402PaymentId | null> {
  const { networkId, asset, authorization: a } = payment
  const row = rowOf({ ...payment, permit: undefined, block: payment.claimedBlock })
  await sql`
    select book_paid_by_others(${JSON.stringify(row)}::text::json, ${at.txHash}, ${at.logIndex},
      ${at.block}, ${at.blockHash})`
  const [stored] = await sql<{ id: X402PaymentId; status: SettleRow['status'] }[]>`
    select id, status from x402_payment
    where network_id = ${networkId} and asset = ${asset} and payer = ${a.from}
      and authorization_nonce = ${a.nonce} and pay_to = ${a.to} and merchant_id = ${payment.merchantId}
      and amount = ${a.value.toString()} and valid_after = ${a.validAfter.toString()}
      and valid_before = ${a.validBefore.toString()}
      and endpoint_id is not distinct from ${payment.endpointId}::uuid`
  if (!stored) return null
  if (stored.status === 'settled') return stored.id
  const [settled] = await sql<{ isSettled: boolean }[]>`
    select settle_by_evidence(${stored.id}, ${at.txHash}, ${at.logIndex}, ${at.block},
      ${at.blockHash}) as is_settled`
  return settled?.isSettled ? stored.id : null
}

/**
 * storePaidByOthers in a transaction of its own. A call that loses against another one, or against the ledger
 * that books the same transfer, reads again what is stored by then.
 */
export async function bookPaidByOthers(
  database: Database,
  payment: PaymentByOthers,
  at: DoneAt,
): Promise<X402PaymentId | null> {
  const book = () => database.begin((sql) => storePaidByOthers(sql, payment, at))
  try {
    return await book()
  } catch (error) {
    if (!isContention(error) && !isUniqueViolation(error)) throw error
    return book()
  }
}

/** Puts queued items off for so long, in seconds. */
export async function postpone(
  sql: Transaction,
  itemIds: readonly bigint[],
  seconds: number,
): Promise<void> {
  if (itemIds.length === 0) return
  await sql`
    update work_item set not_before = now() + ${seconds} * interval '1 second'
    where id = any(${itemIds.map(String)}::bigint[]) and state = 'queued'`
}
