import { asX402PaymentId, type X402PaymentId } from '../../core/base/ids.ts'
import {
  type Database,
  isContention,
  isUniqueViolation,
  type Transaction,
} from '../database/database.ts'
import type { MinedIn } from '../relayer/transactions.ts'
import { idsOf, type Ledger, REQUESTS } from '../relayer/transition.ts'
import type { NewClaim } from './claims.ts'
import { notifyDecided } from './outcomes.ts'
import { insertPaymentEvents } from './paymentEvents.ts'
import type { SettleRow } from './work.ts'

/** How x402 payments advance: every change of their state. */

/** The work of x402 payments; waiting callers of mined ones are notified once that is committed. */
export const PAYMENTS: Ledger = {
  table: 'x402_payment',
  words: REQUESTS,
  isOfInvoice: false,
  hasOthers: true,
  also: {
    mined: (sql) => sql`, log_index = given.log_index, by_others = false`,
    confirmed: (sql) => sql`, version = r.version + 1`,
    reopened: (sql) => sql`, log_index = null, distribution_id = null, fee = null`,
    failed: (sql) => sql`, version = r.version + 1`,
  },
  async derive(sql, step, changed) {
    const ids = idsOf(changed).map(asX402PaymentId)
    if (step === 'confirmed') await insertPaymentEvents(sql, 'x402.payment.settled', ids)
    if (step !== 'failed') return
    await insertPaymentEvents(sql, 'x402.payment.failed', ids)
    await notifyDecided(sql, ids)
  },
}

/** Where on-chain another sender's transaction carried an authorization out. */
export interface PaidAt extends MinedIn {
  readonly logIndex: number
}

/**
 * Settles a pending or failed payment with a transfer that no transaction of ours made. False when the
 * payment is settled already, or that very transfer has paid for another one.
 */
export async function settleByEvidence(
  sql: Transaction,
  paymentId: X402PaymentId,
  at: PaidAt,
): Promise<boolean> {
  const [row] = await sql<{ isSettled: boolean }[]>`
    select settle_by_evidence(${paymentId}, ${at.txHash}, ${at.logIndex}, ${at.block},
      ${at.blockHash}) as is_settled`
  return row?.isSettled ?? false
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
  at: PaidAt,
): Promise<X402PaymentId | null> {
  const { networkId, asset, authorization: a } = payment
  const row = {
    id: Bun.randomUUIDv7(),
    merchant_id: payment.merchantId,
    endpoint_id: payment.endpointId,
    network_id: networkId,
    asset,
    payer: a.from,
    authorization_nonce: a.nonce,
    pay_to: a.to,
    amount: a.value.toString(),
    valid_after: a.validAfter.toString(),
    valid_before: a.validBefore.toString(),
    signature: payment.signature,
    is_wallet: payment.isWallet,
    payer_code: payment.payerCode,
    claimed_block: payment.claimedBlock.toString(),
    fee_owed: (payment.feeOwed ?? 0n).toString(),
  }
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
  return (await settleByEvidence(sql, stored.id, at)) ? stored.id : null
}

/**
 * storePaidByOthers in a transaction of its own. A call that loses against another one, or against the ledger
 * that books the same transfer, reads again what is stored by then.
 */
export async function bookPaidByOthers(
  database: Database,
  payment: PaymentByOthers,
  at: PaidAt,
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
