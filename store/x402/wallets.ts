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
import { workKey } from './work.ts'

/** Payers with code: what they have in flight, what may follow, and who pauses after a failed try. */

/** How many waiting items are read to find some that may go out. */
const EXAMINED_MAX = 1_000
/** A pause decides how long the next one is, for so long after its end. */
const FORGOTTEN_AFTER = '7 days'
const FORGOTTEN_AT_ONCE = 10

interface InFlight extends WalletItem {
  readonly txId: bigint
  readonly isOpen: boolean
}

/**
 * Locks items of wallets that may share a transaction now, as core/x402/wallets.ts decides. None while as
 * many transactions with wallets are open as may be, or while another worker is choosing some.
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
    join x402_payment p on p.id = (w.payload->>'paymentId')::uuid
    join relayer_tx t on t.id = w.tx_id
    where w.network_id = ${networkId} and w.kind = 'x402_wallet' and w.state = 'assigned'`
  const open = new Set(inFlight.flatMap(({ txId, isOpen }) => (isOpen ? [txId] : [])))
  if (open.size >= WALLET_TRANSACTIONS_MAX) return []
  const waiting = await sql<(WalletItem & { isPaused: boolean })[]>`
    select due.id as item_id, p.payer, p.payer_code, coalesce(b.until > now(), false) as is_paused
    from (
      select w.id, w.payload, w.not_before from work_item w
      where w.network_id = ${networkId} and w.kind = 'x402_wallet' and w.state = 'queued'
        and w.waits_for is null and w.not_before <= now() and w.id <> all(${without.map(String)}::bigint[])
      order by w.not_before, w.id limit ${EXAMINED_MAX}
    ) due
    join x402_payment p on p.id = (due.payload->>'paymentId')::uuid
    left join x402_wallet_pause b on b.network_id = p.network_id and b.payer = p.payer
    order by due.not_before, due.id`
  const [paused, ready] = [true, false].map((is) =>
    waiting.filter(({ isPaused }) => isPaused === is),
  )
  await postponePaused(sql, paused ?? [])
  return lockQueued(sql, chooseWallets(ready ?? [], inFlight, limit))
}

/** What was claimed while its payer's pause began waits for the end of the pause as well. */
async function postponePaused(sql: Transaction, paused: readonly WalletItem[]): Promise<void> {
  if (paused.length === 0) return
  const items = await lockQueued(
    sql,
    paused.map(({ itemId }) => itemId),
  )
  await sql`
    update work_item w set not_before = b.until
    from x402_payment p join x402_wallet_pause b using (network_id, payer)
    where w.id = any(${items.map(({ id }) => String(id))}::bigint[])
      and p.id = (w.payload->>'paymentId')::uuid`
}

/** A payer with code whose try on-chain paid nothing. */
export interface FailedTry {
  readonly networkId: string
  readonly asset: Address
  readonly payer: Address
  /** Null where it is not known any more. */
  readonly payerCode: Hex | null
}

/**
 * Pauses a payer, each time twice as long, and with it all that it has waiting. A payer that had no code
 * when it was claimed belongs to the wallets from now on. Returns when the pause ends.
 */
export async function pauseWallet(sql: Transaction, failed: FailedTry): Promise<Date> {
  const { networkId, asset, payer, payerCode } = failed
  const [pause] = await sql<{ until: Date }[]>`
    insert into x402_wallet_pause as b (network_id, payer, failures, until)
    values (${networkId}, ${payer}, 1, now() + ${FIRST_PAUSE_S} * interval '1 second')
    on conflict (network_id, payer) do update set failures = b.failures + 1,
      until = now() + interval '1 second'
        * least(${FIRST_PAUSE_S} * power(2, least(b.failures, 16)), ${LONGEST_PAUSE_S})
    returning until`
  if (pause === undefined) throw new Error('the pause was not stored')
  const theirs = sql`
    p.network_id = ${networkId} and p.asset = ${asset} and p.payer = ${payer}
      and p.status <> 'failed' and p.status <> 'settled' and p.confirmed_at is null`
  await sql`
    update work_item set kind = 'x402_wallet', not_before = ${pause.until}
    where id in (
      select w.id from x402_payment p join work_item w on w.dedupe_key = ${workKey(sql, 'p')}
      where ${theirs} and w.state = 'queued' order by w.id for update of w)`
  await sql`
    update x402_payment p set is_wallet = true, payer_code = coalesce(${payerCode}, p.payer_code)
    where ${theirs} and not (p.is_wallet and p.payer_code is not null)`
  await sql`
    delete from x402_wallet_pause where (network_id, payer) in (
      select network_id, payer from x402_wallet_pause
      where until < now() - ${FORGOTTEN_AFTER}::interval
      order by until limit ${FORGOTTEN_AT_ONCE} for update skip locked)`
  return pause.until
}

/** Whether an account pauses, because a try of its code paid nothing. */
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

/** Payers with code that were not seen so for this long are forgotten. */
const CODE_KNOWN_FOR = '30 days'

/**
 * Notes that payers of plain payments have code. All that they have waiting travels with the wallets from now
 * on, and so does what they claim later.
 */
export async function noteCodePayers(
  sql: Transaction,
  networkId: string,
  payers: readonly Address[],
): Promise<void> {
  if (payers.length === 0) return
  const those = [...new Set(payers)].sort()
  await sql`
    insert into x402_code_payer (network_id, payer)
    select ${networkId}, g.payer from unnest(${those}::text[]) as g (payer) order by g.payer
    on conflict (network_id, payer) do update set seen_at = now()`
  const theirs = sql`
    p.network_id = ${networkId} and p.payer = any(${those}::text[])
      and p.status = 'pending' and p.confirmed_at is null`
  await sql`
    update work_item set kind = 'x402_wallet' where id in (
      select w.id from x402_payment p join work_item w on w.dedupe_key = ${workKey(sql, 'p')}
      where ${theirs} and w.state = 'queued' and w.kind = 'x402' order by w.id for update of w)`
  await sql`update x402_payment p set is_wallet = true where ${theirs} and not p.is_wallet`
  await sql`
    delete from x402_code_payer where (network_id, payer) in (
      select network_id, payer from x402_code_payer
      where seen_at < now() - ${CODE_KNOWN_FOR}::interval
      order by seen_at limit ${FORGOTTEN_AT_ONCE} for update skip locked)`
}

/**
 * Queues an item that the hub has refused unseen, because its payer has code, with the wallets: that was no
 * try, and no failure.
 */
export async function moveToWallets(
  sql: Transaction,
  itemId: bigint,
  paymentId: X402PaymentId,
  payerCode: Hex | null,
): Promise<void> {
  await sql`
    update work_item set state = 'queued', kind = 'x402_wallet', tx_id = null, log_index = null,
      result = null, not_before = now(), updated_at = now()
    where id = ${itemId} and state = 'assigned'`
  await sql`
    update x402_payment set is_wallet = true, payer_code = coalesce(${payerCode}, payer_code)
    where id = ${paymentId} and status = 'pending'`
}

/** Ends the pauses of the payers of these payments, and what is known of earlier ones: they have paid. */
export async function endPauses(
  sql: Transaction,
  paymentIds: readonly X402PaymentId[],
): Promise<void> {
  if (paymentIds.length === 0) return
  await sql`
    delete from x402_wallet_pause b using x402_payment p
    where p.id = any(${[...paymentIds]}::uuid[])
      and b.network_id = p.network_id and b.payer = p.payer`
}

/** An item is not resent automatically; its payment is still pending, and may still be made. */
export async function holdItem(sql: Transaction, itemId: bigint, reason: string): Promise<void> {
  await sql`
    update work_item set state = 'held', kind = 'x402_wallet', tx_id = null, log_index = null,
      tries = tries + 1, result = ${sql.json({ error: reason })}, updated_at = now()
    where id = ${itemId} and state = 'assigned'`
}

/**
 * Queues a held payment again because it was requested, unless its payer pauses. True when it was held and
 * waits for a relayer now.
 */
export async function resumeHeld(sql: Queryable, paymentId: X402PaymentId): Promise<boolean> {
  const [row] = await sql<{ isResumed: boolean }[]>`
    select resume_held(${paymentId}) as is_resumed`
  return row?.isResumed ?? false
}
