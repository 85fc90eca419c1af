import { type InvoiceId, NIL_UUID, type SettlementId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { SettlementStatus } from '../../core/invoice/state.ts'
import type { Queryable } from '../database/database.ts'
import { hubsOf } from '../hub/hubs.ts'

/** The ledger's side of a comparison with the chains: what should be where, and why. */

export interface DepositRef {
  readonly invoiceId: InvoiceId
  readonly address: Address
}

/** The next deposits in the order of their addresses; `after` is the last one of the page before. */
export async function depositsAfter(
  sql: Queryable,
  after: Address | null,
  limit: number,
): Promise<DepositRef[]> {
  return sql<DepositRef[]>`
    select address, invoice_id from watched
    where kind = 'deposit' and address > ${after ?? ''}
    order by address limit ${limit}`
}

/** The ledger's figures of one token in one deposit on one chain. Amounts in base units. */
export interface DepositBooks {
  readonly invoiceId: InvoiceId
  readonly token: Address
  /** On time, for the invoice. */
  readonly received: BaseUnits
  readonly late: BaseUnits
  /** Another token, or a chain that the invoice doesn't list. */
  readonly foreign: BaseUnits
  /** What sweeps brought to recipients. */
  readonly remitted: BaseUnits
  /** What sweeps brought to the fee collector. */
  readonly fees: BaseUnits
  /** Fees that the token refused to pay out; they lie in the deposit still. */
  readonly feesOwed: BaseUnits
  /** What refunds sent back, or to another address that the merchant named. */
  readonly refunded: BaseUnits
}

/** The books of these invoices' deposits as of the end of a block; deposits without any are absent. */
export async function depositBooks(
  sql: Queryable,
  networkId: string,
  invoiceIds: readonly InvoiceId[],
  block: bigint,
): Promise<DepositBooks[]> {
  const ids = [...invoiceIds]
  return sql<DepositBooks[]>`
    select invoice_id, token, sum(received) as received, sum(late) as late,
      sum("foreign") as "foreign", sum(remitted) as remitted, sum(fees) as fees,
      sum(fees_owed) as fees_owed, sum(refunded) as refunded
    from (
      select invoice_id, token,
        case kind when 'counted' then amount else 0 end as received,
        case kind when 'late' then amount else 0 end as late,
        case kind when 'foreign' then amount else 0 end as "foreign",
        0::numeric as remitted, 0::numeric as fees, 0::numeric as fees_owed,
        0::numeric as refunded
      from payment
      where network_id = ${networkId} and invoice_id = any(${ids}::uuid[])
        and status <> 'reverted' and block_number <= ${block}
      union all
      select invoice_id, token, 0, 0, 0, amount - fee, fee - fee_owed, fee_owed, 0
      from settlement
      where network_id = ${networkId} and invoice_id = any(${ids}::uuid[])
        and status in ('mined', 'confirmed') and block_number <= ${block}
      union all
      select invoice_id, token, 0, 0, 0, 0, 0, 0, amount
      from refund
      where network_id = ${networkId} and invoice_id = any(${ids}::uuid[])
        and status in ('mined', 'confirmed') and block_number <= ${block}
    ) as movement
    group by invoice_id, token`
}

/** A settlement as a comparison needs it. */
export interface SweepRecord {
  readonly id: SettlementId
  readonly invoiceId: InvoiceId
  readonly deposit: Address
  readonly token: Address
  readonly round: number
  readonly amount: BaseUnits
  readonly fee: BaseUnits
  readonly feeOwed: BaseUnits
  readonly recipient: Address
  readonly status: SettlementStatus
  readonly txHash: Hex | null
  readonly blockNumber: bigint | null
  readonly blockHash: string | null
}

/** Every settlement, in any status, of the deposits with these addresses on one chain. */
export async function sweepsOf(
  sql: Queryable,
  networkId: string,
  deposits: readonly Address[],
): Promise<SweepRecord[]> {
  return sql<SweepRecord[]>`
    select s.*, w.address as deposit
    from watched w join settlement s on s.invoice_id = w.invoice_id
    where w.address = any(${[...deposits]}::text[]) and s.network_id = ${networkId}`
}

/** Settlements on one chain recorded as mined up to the block, in the order of their ids. */
export async function minedSweepsAfter(
  sql: Queryable,
  networkId: string,
  block: bigint,
  after: string | null,
  limit: number,
): Promise<SweepRecord[]> {
  return sql<SweepRecord[]>`
    select s.*, i.deposit_address as deposit
    from settlement s join invoice i on i.id = s.invoice_id
    where s.network_id = ${networkId} and s.status in ('mined', 'confirmed')
      and (s.block_number is null or s.block_number <= ${block})
      and s.id > ${after ?? NIL_UUID}
    order by s.id limit ${limit}`
}

/** Every hub that deposits and forwarders were derived from, besides the one in the configuration. */
export async function hubsInUse(sql: Queryable): Promise<Address[]> {
  const [invoices, forwarders] = await Promise.all([
    hubsOf(sql, 'invoice'),
    hubsOf(sql, 'forwarder'),
  ])
  return [...new Set([...invoices, ...forwarders])].toSorted()
}

/** Transfers in the books of one deposit and token, by which a difference is explained. */
export async function bookedTransfers(
  sql: Queryable,
  networkId: string,
  invoiceId: InvoiceId,
  token: Address,
  block: bigint,
): Promise<{ txHash: Hex; logIndex: number; amount: BaseUnits }[]> {
  return sql<{ txHash: Hex; logIndex: number; amount: BaseUnits }[]>`
    select tx_hash, log_index, amount from payment
    where network_id = ${networkId} and invoice_id = ${invoiceId} and token = ${token}
      and status <> 'reverted' and block_number <= ${block}
    order by block_number, log_index`
}

/** Money in the ledger per chain, to name chains that can't be compared because they're switched off. */
export async function chainsWithMoney(sql: Queryable): Promise<Map<string, number>> {
  const rows = await sql<{ networkId: string; count: number }[]>`
    select network_id, count(*)::integer as count from (
      select network_id from payment where status <> 'reverted'
      union all select network_id from settlement where status <> 'failed'
      union all select network_id from x402_payment where status <> 'failed'
    ) as row group by network_id`
  return new Map(rows.map((row) => [row.networkId, row.count]))
}

/** What the ledger expects a deposit to hold: negative when it has booked more out than in. */
export function expectedBalance(books: DepositBooks): bigint {
  const { received, late, foreign, remitted, fees, refunded } = books
  return received + late + foreign - remitted - fees - refunded
}
