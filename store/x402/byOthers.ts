import type { PendingQuery, Row } from 'postgres'
import type { DistributionId, MerchantId, X402PaymentId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { lowestKept } from '../chain/state.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { noteLastBooked } from './payouts.ts'

/** What the leader of a chain sees to: transactions of others, expiry, and what was displaced. */

/**
 * Reverts rows of reorganised blocks: payments by transactions that are not ours, which go back to work, and
 * booked distributions. Returns how many rows changed.
 */
export async function revertDisplaced(sql: Transaction, networkId: string): Promise<number> {
  const payments = await backToWork(
    sql,
    sql`
      from chain_block b
      where p.network_id = ${networkId} and p.status = 'settled' and p.by_others
        and not p.from_channels and p.block_number >= ${lowestKept(sql, networkId)}
        and b.network_id = p.network_id and b.number = p.block_number and b.hash <> p.block_hash`,
  )
  const distributions = await sql<{ id: DistributionId; merchantId: MerchantId; token: string }[]>`
    delete from x402_distribution d using chain_block b
    where d.network_id = ${networkId} and d.block_number >= ${lowestKept(sql, networkId)}
      and b.network_id = d.network_id and b.number = d.block_number and b.hash <> d.block_hash
    returning d.id, d.merchant_id, d.token`
  if (distributions.length > 0) {
    await sql`
      update x402_payment set distribution_id = null, fee = null
      where distribution_id = any(${distributions.map(({ id }) => id)}::uuid[])`
    await sql`
      update refund set distribution_id = null
      where distribution_id = any(${distributions.map(({ id }) => id)}::uuid[])`
    await noteLastBooked(sql, networkId, distributions)
  }
  return payments + distributions.length
}

/** Reverts payments that are not at their recorded position. Returns how many there were. */
export async function revertUnshown(
  sql: Transaction,
  paymentIds: readonly X402PaymentId[],
): Promise<number> {
  if (paymentIds.length === 0) return 0
  return backToWork(
    sql,
    sql`
      where p.id = any(${[...paymentIds]}::uuid[]) and p.status = 'settled' and p.by_others
        and p.confirmed_at is null`,
  )
}

/** Makes payments pending again, whose work continues. `which` selects from the payments `p`. */
async function backToWork(sql: Transaction, which: PendingQuery<Row[]>): Promise<number> {
  const rows = await sql`
    with displaced as (
      update x402_payment p set status = 'pending', tx_hash = null, log_index = null,
        block_number = null, block_hash = null, by_others = false, settled_at = null,
        confirmed_at = null, distribution_id = null, fee = null
      ${which}
      returning p.*
    )
    insert into work_item (network_id, kind, dedupe_key, payload)
    select network_id, case when is_wallet then 'x402_wallet' else 'x402' end,
      'x402:' || network_id || ':' || asset || ':' || payer || ':' || authorization_nonce,
      jsonb_build_object('paymentId', id)
    from displaced
    on conflict (dedupe_key) do update set state = 'queued', tx_id = null, log_index = null,
      result = null, tries = 0, not_before = now(), updated_at = now()
    returning id`
  return rows.length
}

/** The blocks of payments carried out by others that were not stored when they were new. */
export async function unseenBlocksOfOthers(
  sql: Queryable,
  networkId: string,
  confirmedBlock: bigint,
  limit: number,
): Promise<bigint[]> {
  const rows = await sql<{ blockNumber: bigint }[]>`
    select distinct block_number from (
      select p.block_number from x402_payment p
      where p.network_id = ${networkId} and p.status = 'settled' and p.by_others
        and p.confirmed_at is null and p.block_number <= ${confirmedBlock}
      union all
      select a.block_number from invoice_authorization a
      where a.network_id = ${networkId} and a.status = 'settled' and a.by_others
        and a.confirmed_at is null and a.block_number <= ${confirmedBlock}
    ) p
    where not exists (select from chain_block b
      where b.network_id = ${networkId} and b.number = p.block_number)
    limit ${limit}`
  return rows.map((row) => row.blockNumber)
}

/** A payment by another sender's transaction, at its recorded position. */
export interface PaidByOthers {
  readonly paymentId: X402PaymentId
  readonly token: Address
  readonly payer: Address
  readonly nonce: Hex
  readonly payTo: Address
  readonly merchantId: MerchantId
  /** The hub of the merchant's forwarder. */
  readonly hub: Address
  /** The merchant is paid at an address of its own, and has registered it. */
  readonly isDirect: boolean
  readonly amount: BaseUnits
  /** Permit2's; null for EIP-3009. */
  readonly permitNonce: bigint | null
  /** The hub that was to settle it, then. */
  readonly permitHub: Address | null
  readonly txHash: Hex
  readonly logIndex: number
  readonly blockHash: Hex
}

/** Payments carried out by others that are deep enough to be confirmed, the oldest first. */
export async function deepPaidByOthers(
  sql: Queryable,
  networkId: string,
  confirmedBlock: bigint,
  without: readonly X402PaymentId[],
  limit: number,
): Promise<PaidByOthers[]> {
  return sql<PaidByOthers[]>`
    select p.id as payment_id, p.asset as token, p.payer, p.authorization_nonce as nonce, p.pay_to,
      p.merchant_id, f.hub, p.amount, p.permit_nonce, p.permit_hub,
      p.direct and is_own_address(p.merchant_id, p.pay_to, p.network_id) as is_direct,
      p.tx_hash, p.log_index, p.block_hash
    from x402_payment p
    join forwarder f on f.merchant_id = p.merchant_id
    join chain_block b on b.network_id = p.network_id and b.number = p.block_number
      and b.hash = p.block_hash
    where p.network_id = ${networkId} and p.status = 'settled' and p.confirmed_at is null
      and p.by_others and p.block_number <= ${confirmedBlock}
      and p.id <> all(${[...without]}::uuid[])
    order by p.block_number, p.id limit ${limit}`
}

/** Confirms payments carried out by others, unless their blocks were displaced. Returns their ids. */
export async function confirmPaidByOthers(
  sql: Transaction,
  paymentIds: readonly X402PaymentId[],
): Promise<X402PaymentId[]> {
  if (paymentIds.length === 0) return []
  const rows = await sql<{ id: X402PaymentId }[]>`
    update x402_payment p set confirmed_at = now(), version = p.version + 1
    from chain_block b
    where p.id = any(${[...paymentIds]}::uuid[]) and p.status = 'settled'
      and p.confirmed_at is null and p.by_others
      and b.network_id = p.network_id and b.number = p.block_number and b.hash = p.block_hash
    returning p.id`
  return rows.map(({ id }) => id)
}

/** The work items, except quarantined ones, of pending payments that had expired at the given chain time. */
export async function expiredPayments(
  sql: Queryable,
  networkId: string,
  confirmedBlock: bigint,
  limit: number,
  without: readonly string[] = [],
): Promise<{ readonly itemId: bigint; readonly block: bigint }[]> {
  const rows = await sql<{ id: bigint }[]>`
    (select w.id, p.valid_before from x402_payment p
    join chain_block b on b.network_id = p.network_id and b.number = ${confirmedBlock}
    join work_item w on w.subject_id = p.id
    where p.network_id = ${networkId} and p.status = 'pending'
      and p.valid_before <= extract(epoch from b.time)
      and w.id <> all(${[...without]}::bigint[])
    order by p.valid_before limit ${limit})
    union all
    (select w.id, a.valid_before from invoice_authorization a
    join chain_block b on b.network_id = a.network_id and b.number = ${confirmedBlock}
    join work_item w on w.subject_id = a.id
    where a.network_id = ${networkId} and a.status = 'pending'
      and a.valid_before <= extract(epoch from b.time)
      and w.id <> all(${[...without]}::bigint[])
    order by a.valid_before limit ${limit})
    order by valid_before limit ${limit}`
  return rows.map(({ id }) => ({ itemId: id, block: confirmedBlock }))
}
