import type { DistributionId, MerchantId, X402PaymentId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { lowestKept } from '../chain/state.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { advance, advanceWithWork, type Given, idsOf, type Ledger } from '../relayer/transition.ts'
import { noteLastBooked } from './payouts.ts'
import { AUTHORIZATIONS, PAYMENTS } from './settles.ts'

/** What the leader of a chain sees to: transactions of others, expiry, and what was displaced. */

/**
 * What has become of the blocks in which others carried payments out, and of those of payouts. Rows of replaced blocks
 * are taken back, with the work of payments; authorizations that pay invoices are confirmed, because workers have found
 * what carried them out. Returns how many rows changed.
 */
export async function followBlocks(
  sql: Transaction,
  networkId: string,
  confirmedBlock: bigint,
): Promise<number> {
  const byOthers = (table: string) => sql`
    from ${sql(table)} r join chain_block b on b.network_id = r.network_id and b.number = r.block_number
    where r.network_id = ${networkId} and r.status = 'settled' and r.by_others
      and r.block_number >= ${lowestKept(sql, networkId)}`
  const found = await sql<(Given & { isOfInvoice: boolean; isDisplaced: boolean })[]>`
    select r.id, r.block_hash, false as is_of_invoice, true as is_displaced ${byOthers(PAYMENTS.table)}
      and b.hash <> r.block_hash and not r.from_channels
    union all
    select r.id, r.block_hash, true, b.hash <> r.block_hash ${byOthers(AUTHORIZATIONS.table)}
      and (b.hash <> r.block_hash or (r.confirmed_at is null and r.block_number <= ${confirmedBlock}))`
  const displaced = found.filter(({ isDisplaced }) => isDisplaced)
  const ofInvoices = displaced.filter(({ isOfInvoice }) => isOfInvoice)
  const others = displaced.filter(({ isOfInvoice }) => !isOfInvoice)
  const reopened = await advanceWithWork(sql, AUTHORIZATIONS, 'reopened', ofInvoices)
  const deep = found.filter(({ isDisplaced }) => !isDisplaced)
  const confirmed = await advance(sql, AUTHORIZATIONS, 'confirmed', deep, null, 'others')
  const changed = reopened.length + confirmed.length
  return changed + (await reopenPayments(sql, others)) + (await revertPayouts(sql, networkId))
}

/** Deletes payouts of reorganised blocks: what they paid out belongs to the next ones. */
async function revertPayouts(sql: Transaction, networkId: string): Promise<number> {
  const payouts = await sql<{ id: DistributionId; merchantId: MerchantId; token: string }[]>`
    delete from x402_distribution d using chain_block b
    where d.network_id = ${networkId} and d.block_number >= ${lowestKept(sql, networkId)}
      and b.network_id = d.network_id and b.number = d.block_number and b.hash <> d.block_hash
    returning d.id, d.merchant_id, d.token`
  if (payouts.length === 0) return 0
  const ids = payouts.map(({ id }) => id)
  await sql`
    update x402_payment set distribution_id = null, fee = null
    where distribution_id = any(${ids}::uuid[])`
  await sql`update refund set distribution_id = null where distribution_id = any(${ids}::uuid[])`
  await noteLastBooked(sql, networkId, payouts)
  return payouts.length
}

/** Reverts a payment that is not at its recorded position. Returns how many there were. */
export async function revertUnshown(sql: Transaction, payment: Given): Promise<number> {
  const open = await sql`
    select from x402_payment where id = ${payment.id} and confirmed_at is null for no key update`
  return open.length === 0 ? 0 : reopenPayments(sql, [payment])
}

/** Takes payments back to work. One that others carried out before it was claimed here has had none. */
async function reopenPayments(sql: Transaction, given: readonly Given[]): Promise<number> {
  const ids = idsOf(await advanceWithWork(sql, PAYMENTS, 'reopened', given))
  if (ids.length === 0) return 0
  await sql`
    insert into work_item (network_id, kind, dedupe_key, payload)
    select network_id, case when is_wallet then 'x402_wallet' else 'x402' end,
      'x402:' || network_id || ':' || asset || ':' || payer || ':' || authorization_nonce,
      jsonb_build_object('paymentId', id)
    from x402_payment p
    where id = any(${ids}::uuid[]) and not exists (select from work_item w where w.subject_id = p.id)
    on conflict (dedupe_key) do nothing`
  return ids.length
}

/** The blocks of payments carried out by others that were not stored when they were new. */
export async function unseenBlocksOfOthers(
  sql: Queryable,
  networkId: string,
  confirmedBlock: bigint,
  limit: number,
): Promise<bigint[]> {
  const blocksOf = ({ table }: Ledger) => sql`
    select p.block_number from ${sql(table)} p
    where p.network_id = ${networkId} and p.status = 'settled' and p.by_others
      and p.confirmed_at is null and p.block_number <= ${confirmedBlock}`
  const rows = await sql<{ blockNumber: bigint }[]>`
    select distinct block_number
    from (${blocksOf(PAYMENTS)} union all ${blocksOf(AUTHORIZATIONS)}) p
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

/** The work items, except quarantined ones, of payments that had expired by the time of this block while pending. */
export async function expiredPayments(
  sql: Queryable,
  networkId: string,
  block: bigint,
  limit: number,
  without: readonly string[] = [],
): Promise<bigint[]> {
  const expired = ({ table }: Ledger) => sql`
    (select w.id, p.valid_before from ${sql(table)} p
    join chain_block b on b.network_id = p.network_id and b.number = ${block}
    join work_item w on w.subject_id = p.id
    where p.network_id = ${networkId} and p.status = 'pending'
      and p.valid_before <= extract(epoch from b.time)
      and w.id <> all(${[...without]}::bigint[])
    order by p.valid_before limit ${limit})`
  const rows = await sql<{ id: bigint }[]>`
    ${expired(PAYMENTS)} union all ${expired(AUTHORIZATIONS)} order by valid_before limit ${limit}`
  return rows.map(({ id }) => id)
}
