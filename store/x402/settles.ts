import type { X402PaymentId } from '../../core/base/ids.ts'
import {
  type Database,
  isContention,
  isUniqueViolation,
  type Transaction,
} from '../database/database.ts'
import type { MinedIn } from '../relayer/transactions.ts'
import type { NewClaim } from './claims.ts'
import { lockPayments } from './locking.ts'
import { notifyDecided } from './outcomes.ts'
import { type SettleRow, workKey } from './work.ts'

/** How x402 payments advance: every change of their state. */

/** A payment with the index of its Transfer among the logs of the block. */
export interface MinedPayment {
  readonly paymentId: X402PaymentId
  readonly logIndex: number
}

/**
 * pending (or failed, when a reorganisation let it succeed) to settled, by their own transfers. Waiting callers
 * are notified once this is committed (`notifyAfterwards`).
 */
export async function settlesMined(
  sql: Transaction,
  payments: readonly MinedPayment[],
  at: MinedIn,
): Promise<void> {
  if (payments.length === 0) return
  const ids = payments.map(({ paymentId }) => paymentId)
  await Promise.all([
    lockPayments(sql, ids),
    sql`
      update x402_payment p set status = 'settled', reason = null, tx_hash = ${at.txHash},
        log_index = g.log_index, block_number = ${at.block}, block_hash = ${at.blockHash},
        by_others = false, settled_at = now()
      from unnest(${ids}::uuid[], ${payments.map(({ logIndex }) => logIndex)}::integer[])
        as g (id, log_index)
      where p.id = g.id and p.id = any(${ids}::uuid[]) and p.status <> 'settled'`,
  ])
}

/** Settled payments with the chain's confirmations. Returns their ids. */
export async function settlesConfirmed(
  sql: Transaction,
  paymentIds: readonly X402PaymentId[],
): Promise<X402PaymentId[]> {
  const [, rows] = await Promise.all([
    lockPayments(sql, paymentIds),
    sql<{ id: X402PaymentId }[]>`
      update x402_payment set confirmed_at = now(), version = version + 1
      where id = any(${[...paymentIds]}::uuid[]) and status = 'settled' and not by_others
        -- That it is null, written so that the key is used, and not the index of all that are not confirmed.
        and num_nulls(confirmed_at) = 1
      returning id`,
  ])
  return rows.map(({ id }) => id)
}

/** Back to pending: a reorganisation took the transfer away. The same bytes are on their way again. */
export async function settlesReopened(
  sql: Transaction,
  paymentIds: readonly X402PaymentId[],
): Promise<void> {
  await Promise.all([
    lockPayments(sql, paymentIds),
    sql`
      update x402_payment set status = 'pending', tx_hash = null, log_index = null,
        block_number = null, block_hash = null, settled_at = null, confirmed_at = null,
        distribution_id = null, fee = null
      where id = any(${[...paymentIds]}::uuid[]) and status = 'settled' and not by_others`,
  ])
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

/** pending to failed, with its work. The answer holds those that really changed. */
export async function settlesFailed(
  sql: Transaction,
  failures: readonly { readonly paymentId: X402PaymentId; readonly reason: string }[],
): Promise<X402PaymentId[]> {
  if (failures.length === 0) return []
  const rows = await sql<{ id: X402PaymentId; dedupeKey: string; reason: string }[]>`
    update x402_payment p set status = 'failed', reason = g.reason, version = p.version + 1
    from unnest(
      ${failures.map((f) => f.paymentId)}::uuid[], ${failures.map((f) => f.reason)}::text[]
    ) as g (id, reason)
    where p.id = g.id and p.status = 'pending' and p.id in (
      select id from x402_payment where id = any(${failures.map((f) => f.paymentId)}::uuid[])
      order by id for update)
    returning p.id, g.reason, ${workKey(sql, 'p')} as dedupe_key`
  const ids = rows.map(({ id }) => id)
  await sql`
    update work_item w set state = 'failed', result = jsonb_build_object('error', g.reason),
      updated_at = now()
    from unnest(
      ${rows.map((r) => r.dedupeKey)}::text[], ${rows.map((r) => r.reason)}::text[]
    ) as g (dedupe_key, reason)
    where w.dedupe_key = g.dedupe_key`
  await notifyDecided(sql, ids)
  return ids
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
