import { type MerchantId, NIL_UUID, type X402PaymentId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Queryable } from '../database/database.ts'

/** The ledger's side of a comparison of forwarders with the chains. */

export interface ForwarderRef {
  readonly merchantId: MerchantId
  readonly address: Address
  readonly hub: Address
  readonly createdAt: Date
}

/** Every forwarder that was ever a payTo. */
export async function readForwarders(sql: Queryable): Promise<ForwarderRef[]> {
  return sql<ForwarderRef[]>`
    select merchant_id, address, hub, created_at from forwarder order by address`
}

/** How far the ledger knows a chain's x402 payments and payouts. */
export interface X402Progress {
  /** Up to which block payouts are booked; null before the first. */
  readonly bookedBlock: bigint | null
  /** The chain's head when the first payment was claimed; payouts before it are out of scope. */
  readonly firstBlock: bigint | null
}

export async function readX402Progress(sql: Queryable, networkId: string): Promise<X402Progress> {
  const [row] = await sql<{ booked: bigint | null; first: bigint | null }[]>`
    select (select distributions_block from chain_state where network_id = ${networkId}) as booked,
      (select min(claimed_block) from x402_payment where network_id = ${networkId}) as first`
  return { bookedBlock: row?.booked ?? null, firstBlock: row?.first ?? null }
}

/** The ledger's figures of one token in one forwarder on one chain. Amounts in base units. */
export interface ForwarderBooks {
  readonly merchantId: MerchantId
  readonly token: Address
  readonly settled: BaseUnits
  /** What payouts brought to the treasury. */
  readonly remitted: BaseUnits
  /** What payouts brought to the fee collector. */
  readonly fees: BaseUnits
  /** What refunds brought back to payers. */
  readonly refunded: BaseUnits
  /** What payouts found that belongs to no payment; negative when it is less than the payments. */
  readonly other: bigint
}

/** The books of these merchants' forwarders as of the end of a block; those without any are absent. */
export async function forwarderBooks(
  sql: Queryable,
  networkId: string,
  merchantIds: readonly MerchantId[],
  block: bigint,
): Promise<ForwarderBooks[]> {
  const ids = [...merchantIds]
  return sql<ForwarderBooks[]>`
    select merchant_id, token, sum(settled) as settled, sum(remitted) as remitted,
      sum(fees) as fees, sum(other) as other, sum(refunded) as refunded
    from (
      select merchant_id, asset as token, amount as settled, 0::numeric as remitted,
        0::numeric as fees, 0::numeric as other, 0::numeric as refunded
      from x402_payment
      where network_id = ${networkId} and merchant_id = any(${ids}::uuid[])
        and status = 'settled' and not direct and block_number <= ${block}
      union all
      select merchant_id, token, 0, remitted, fee, unattributed, 0 from x402_distribution
      where network_id = ${networkId} and merchant_id = any(${ids}::uuid[])
        and block_number <= ${block}
      union all
      select merchant_id, token, 0, 0, 0, 0, amount from refund
      where network_id = ${networkId} and merchant_id = any(${ids}::uuid[])
        and x402_payment_id is not null and status in ('mined', 'confirmed')
        and block_number <= ${block}
    ) as movement
    group by merchant_id, token`
}

/** Where a payment lies in a chain. */
export interface Place {
  readonly txHash: Hex
  readonly logIndex: number
}

/** Those of these transfers by which the ledger has settled a payment, as `<hash> <log index>`. */
export async function settledTransfers(
  sql: Queryable,
  networkId: string,
  places: readonly Place[],
): Promise<ReadonlySet<string>> {
  if (places.length === 0) return new Set()
  const rows = await sql<{ txHash: string; logIndex: number }[]>`
    select p.tx_hash, p.log_index from x402_payment p
    join unnest(
      ${places.map(({ txHash }) => txHash)}::text[],
      ${places.map(({ logIndex }) => String(logIndex))}::text[]::integer[]
    ) as g (tx_hash, log_index) on p.tx_hash = g.tx_hash and p.log_index = g.log_index
    where p.network_id = ${networkId}`
  return new Set(rows.map((row) => `${row.txHash} ${row.logIndex}`))
}

/** A payment as a comparison needs it. Amount in base units. */
export interface PaymentRecord {
  readonly id: X402PaymentId
  readonly status: 'pending' | 'settled' | 'failed'
  readonly token: Address
  readonly payer: Address
  readonly nonce: Hex
  readonly payTo: Address
  readonly amount: BaseUnits
  readonly txHash: Hex | null
  readonly logIndex: number | null
  readonly blockNumber: bigint | null
  readonly blockHash: string | null
  /** The hub that settles a payment by Permit2; null for EIP-3009. */
  readonly permitHub: Address | null
}

/** What channels have paid out, where the ledger records that their contract did. */
export type ChannelPayout = Omit<PaymentRecord, 'nonce' | 'payer'>

/** The payments, in any status, of these authorizations. */
export async function paymentsByAuthorization(
  sql: Queryable,
  networkId: string,
  token: Address,
  authorizations: readonly { readonly payer: Address; readonly nonce: Hex }[],
): Promise<PaymentRecord[]> {
  if (authorizations.length === 0) return []
  return sql<PaymentRecord[]>`
    select p.id, p.status, p.asset as token, p.payer, p.authorization_nonce as nonce, p.pay_to,
      p.amount, p.tx_hash, p.log_index, p.block_number, p.block_hash, p.permit_hub
    from x402_payment p
    join unnest(
      ${authorizations.map(({ payer }) => payer)}::text[],
      ${authorizations.map(({ nonce }) => nonce)}::text[]
    ) as g (payer, nonce) on p.payer = g.payer and p.authorization_nonce = g.nonce
    where p.network_id = ${networkId} and p.asset = ${token}`
}

/** Settled payments of one chain and token in blocks up to this one, in the order of their ids. */
export async function settledPaymentsAfter(
  sql: Queryable,
  networkId: string,
  token: Address,
  block: bigint,
  after: string | null,
  limit: number,
): Promise<PaymentRecord[]> {
  return sql<PaymentRecord[]>`
    select id, status, asset as token, payer, authorization_nonce as nonce, pay_to, amount, tx_hash,
      log_index, block_number, block_hash, permit_hub
    from x402_payment
    where network_id = ${networkId} and asset = ${token} and status = 'settled'
      and not from_channels and block_number <= ${block} and id > ${after ?? NIL_UUID}
    order by id limit ${limit}`
}

/** The same of what channels have paid out. */
export async function channelPayoutsAfter(
  sql: Queryable,
  networkId: string,
  token: Address,
  block: bigint,
  after: string | null,
  limit: number,
): Promise<ChannelPayout[]> {
  return sql<ChannelPayout[]>`
    select p.id, p.status, p.asset as token, p.pay_to, p.amount, p.tx_hash, p.log_index,
      p.block_number, p.block_hash
    from x402_channel_event e
    join x402_payment p on p.tx_hash = e.tx_hash and p.log_index = e.log_index - 1
      and p.network_id = e.network_id
    where e.network_id = ${networkId} and e.name = 'Settled' and p.asset = ${token}
      and p.from_channels and p.block_number <= ${block} and p.id > ${after ?? NIL_UUID}
    order by p.id limit ${limit}`
}
