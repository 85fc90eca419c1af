import type { X402PaymentId } from '../../core/base/ids.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import {
  chooseWallets,
  FIRST_PAUSE_S,
  LONGEST_PAUSE_S,
  WALLET_TRANSACTIONS_MAX,
  type WalletItem,
} from '../../core/x402/wallets.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { lockQueued, type WorkItem } from '../relayer/workItems.ts'

/** Payers with code: their payments in flight, which ones may follow, and pauses after failed attempts. */

/** How many queued items are read to find some that may be sent. */
const EXAMINED_MAX = 1_000
/** For this long after its end, a pause makes the next one longer. */
const FORGOTTEN_AFTER = '7 days'
const FORGOTTEN_AT_ONCE = 10

interface InFlight extends WalletItem {
  readonly txId: bigint
  readonly isOpen: boolean
}

/**
 * Locks items of wallets that may share a transaction now, as decided by core/x402/wallets.ts. None while the maximum
 * number of transactions with wallets is open, or while another worker is choosing.
 */
export async function lockDueWallets(
  sql: Transaction,
  networkId: string,
  limit: number,
  without: readonly bigint[] = [],
): Promise<WorkItem[]> {
  const [lock] = await sql<{ isOurs: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${networkId}, 4337)) as is_ours`
  if (!lock?.isOurs) return []
  const inFlight = await sql<InFlight[]>`
    select w.id as item_id, w.tx_id, p.payer, p.payer_code, t.state = 'signed' as is_open
    from work_item w
    join ${carried(sql)} p on p.id = w.subject_id
    join relayer_tx t on t.id = w.tx_id
    where w.network_id = ${networkId} and w.kind = 'x402_wallet' and w.state = 'assigned'`
  const open = new Set(inFlight.flatMap(({ txId, isOpen }) => (isOpen ? [txId] : [])))
  if (open.size >= WALLET_TRANSACTIONS_MAX) return []
  const waiting = await sql<(WalletItem & { isPaused: boolean })[]>`
    select due.id as item_id, p.payer, p.payer_code, coalesce(b.until > now(), false) as is_paused
    from (
      select w.id, w.subject_id, w.not_before from work_item w
      where w.network_id = ${networkId} and w.kind = 'x402_wallet' and w.state = 'queued'
        and w.waits_for is null and w.not_before <= now() and w.id <> all(${without.map(String)}::bigint[])
      order by w.not_before, w.id limit ${EXAMINED_MAX}
    ) due
    join ${carried(sql)} p on p.id = due.subject_id
    left join x402_wallet_pause b on b.network_id = p.network_id and b.payer = p.payer
    order by due.not_before, due.id`
  const [paused, ready] = [true, false].map((is) =>
    waiting.filter(({ isPaused }) => isPaused === is),
  )
  await postponePaused(sql, paused ?? [])
  return lockQueued(sql, chooseWallets(ready ?? [], inFlight, limit))
}

/** Items that were claimed while their payer's pause began wait for its end, too. */
async function postponePaused(sql: Transaction, paused: readonly WalletItem[]): Promise<void> {
  if (paused.length === 0) return
  const items = await lockQueued(
    sql,
    paused.map(({ itemId }) => itemId),
  )
  await sql`
    update work_item w set not_before = b.until
    from ${carried(sql)} p join x402_wallet_pause b using (network_id, payer)
    where w.id = any(${items.map(({ id }) => String(id))}::bigint[])
      and p.id = w.subject_id`
}

/** A payer with code whose on-chain attempt paid nothing. */
export interface FailedTry {
  readonly networkId: string
  readonly payer: Address
  /** Null if it is no longer known. */
  readonly payerCode: Hex | null
}

/**
 * Pauses a payer and its queued items, each time for twice as long. A payer that had no code when the payment was
 * claimed counts as a wallet from now on. Returns the end of the pause.
 */
export async function pauseWallet(sql: Transaction, failed: FailedTry): Promise<Date> {
  const { networkId, payer, payerCode } = failed
  const [pause] = await sql<{ until: Date }[]>`
    insert into x402_wallet_pause as b (network_id, payer, failures, until)
    values (${networkId}, ${payer}, 1, now() + ${FIRST_PAUSE_S} * interval '1 second')
    on conflict (network_id, payer) do update set failures = b.failures + 1,
      until = now() + interval '1 second'
        * least(${FIRST_PAUSE_S} * power(2, least(b.failures, 16)), ${LONGEST_PAUSE_S})
    returning until`
  if (pause === undefined) throw new Error('the pause was not stored')
  await toWallets(sql, networkId, [payer], payerCode, pause.until)
  await sql`
    delete from x402_wallet_pause where (network_id, payer) in (
      select network_id, payer from x402_wallet_pause
      where until < now() - ${FORGOTTEN_AFTER}::interval
      order by until limit ${FORGOTTEN_AT_ONCE} for update skip locked)`
  return pause.until
}

/** Whether an account is paused because an attempt with its code paid nothing. */
export async function isPausedNow(
  sql: Queryable,
  networkId: string,
  payer: Address,
): Promise<boolean> {
  const [row] = await sql`
    select from x402_wallet_pause
    where network_id = ${networkId} and payer = ${payer} and until > now()`
  return row !== undefined
}

/** Payers whose code was not seen for this long are forgotten. */
const CODE_KNOWN_FOR = '30 days'

/**
 * Records that payers of plain payments have code. Their pending payments, and those that they claim later, are sent
 * with the wallets from now on.
 */
export async function noteCodePayers(
  sql: Transaction,
  networkId: string,
  payers: readonly Address[],
): Promise<void> {
  if (payers.length === 0) return
  const sorted = [...new Set(payers)].sort()
  await sql`
    insert into x402_code_payer (network_id, payer)
    select ${networkId}, g.payer from unnest(${sorted}::text[]) as g (payer) order by g.payer
    on conflict (network_id, payer) do update set seen_at = now()`
  await toWallets(sql, networkId, sorted, null, null)
  await sql`
    delete from x402_code_payer where (network_id, payer) in (
      select network_id, payer from x402_code_payer
      where seen_at < now() - ${CODE_KNOWN_FOR}::interval
      order by seen_at limit ${FORGOTTEN_AT_ONCE} for update skip locked)`
}

/**
 * Requeues an item with the wallets, after the hub rejected it without an attempt because its payer has code. That
 * doesn't count as a failure.
 */
export async function moveToWallets(
  sql: Transaction,
  itemId: bigint,
  paymentId: X402PaymentId,
  payerCode: Hex | null,
): Promise<void> {
  await sql`
    update work_item set state = 'queued', kind = 'x402_wallet', tx_id = null,
      result = null, not_before = now(), updated_at = now()
    where id = ${itemId} and state = 'assigned'`
  for (const table of CARRIED) {
    await sql`
      update ${sql(table)} set is_wallet = true, payer_code = coalesce(${payerCode}, payer_code)
      where id = ${paymentId} and status = 'pending'`
  }
}

/** Payments that work carries: of paid requests, and of invoices. */
const CARRIED = ['x402_payment', 'invoice_authorization'] as const

/** x402 payments and authorizations of invoices, as far as their lane needs them. */
function carried(sql: Queryable) {
  return sql`(
    select id, network_id, payer, payer_code from x402_payment
    union all select id, network_id, payer, payer_code from invoice_authorization)`
}

/** Moves these payers' pending payments, and their queued work, to the lane of wallets. */
async function toWallets(
  sql: Transaction,
  networkId: string,
  payers: readonly Address[],
  payerCode: Hex | null,
  notBefore: Date | null,
): Promise<void> {
  const theirs = sql`p.network_id = ${networkId} and p.payer = any(${[...payers]}::text[])
    and p.status = 'pending' and p.confirmed_at is null`
  for (const table of CARRIED) {
    await sql`
      update work_item set kind = 'x402_wallet', not_before = coalesce(${notBefore}, not_before)
      where id in (
        select w.id from ${sql(table)} p join work_item w on w.subject_id = p.id
        where ${theirs} and w.state = 'queued' order by w.id for update of w)`
    await sql`
      update ${sql(table)} p set is_wallet = true, payer_code = coalesce(${payerCode}, p.payer_code)
      where ${theirs} and not (p.is_wallet and p.payer_code is not null)`
  }
}

/** Ends and resets the pauses of the payers of these payments, because they have paid. */
export async function endPauses(
  sql: Transaction,
  paymentIds: readonly X402PaymentId[],
): Promise<void> {
  if (paymentIds.length === 0) return
  await sql`
    delete from x402_wallet_pause b using ${carried(sql)} p
    where p.id = any(${[...paymentIds]}::uuid[])
      and b.network_id = p.network_id and b.payer = p.payer`
}

/** Holds an item: it is not resent automatically, but its payment is pending and may still be made. */
export async function holdItem(sql: Transaction, itemId: bigint, reason: string): Promise<void> {
  await sql`
    update work_item set state = 'held', kind = 'x402_wallet', tx_id = null,
      tries = tries + 1, result = ${sql.json({ error: reason })}, updated_at = now()
    where id = ${itemId} and state = 'assigned'`
}

/**
 * Requeues a held payment on request, unless its payer is paused. True if it was held and waits for a relayer now.
 */
export async function resumeHeld(sql: Queryable, paymentId: X402PaymentId): Promise<boolean> {
  const [row] = await sql<{ isResumed: boolean }[]>`
    select resume_held(${paymentId}) as is_resumed`
  return row?.isResumed ?? false
}
