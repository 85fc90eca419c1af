import type { InvoiceId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Queryable } from '../database/database.ts'
import type { KeyStatus } from '../relayer/keys.ts'

/** Invariants of the ledger alone, without reading chains. Each function lists violations. */

export interface WrongFigure {
  readonly invoiceId: InvoiceId
  readonly figure: string
  /** The figures of the invoice's own row. */
  readonly stored: BaseUnits
  /** What its payments and settlements add up to. */
  readonly derived: BaseUnits
}

/** Figures of invoices that disagree with their rows, and fees above what the invoice allows. */
export async function wrongFigures(sql: Queryable, limit: number): Promise<WrongFigure[]> {
  return sql<WrongFigure[]>`
    with money_in as (
      select invoice_id,
        sum(amount) filter (where kind = 'counted' and status = 'confirmed') as received,
        sum(amount) filter (where kind = 'counted' and status = 'pending') as pending,
        sum(amount) filter (where kind = 'late' and status <> 'reverted') as late,
        sum(refunded) filter (where kind <> 'foreign') as refunded,
        sum(refunded + refunding) filter (where kind = 'counted') as returned
      from payment group by invoice_id
    ), money_out as (
      select invoice_id,
        sum(amount - fee) filter (where status = 'confirmed') as remitted,
        sum(fee) filter (where status = 'confirmed') as fees,
        sum(fee) filter (where status <> 'failed') as allotted
      from settlement group by invoice_id
    )
    select i.id as invoice_id, f.figure, f.stored, f.derived
    from invoice i
    left join money_in p on p.invoice_id = i.id
    left join money_out s on s.invoice_id = i.id
    cross join lateral (values
      ('receivedAmount', i.received_amount, coalesce(p.received, 0)),
      ('pendingAmount', i.pending_amount, coalesce(p.pending, 0)),
      ('lateAmount', i.late_amount, coalesce(p.late, 0)),
      ('refundedAmount', i.refunded_amount, coalesce(p.refunded, 0)),
      ('returnedAmount', i.returned_amount, coalesce(p.returned, 0)),
      ('amountRemitted', i.amount_remitted, coalesce(s.remitted, 0)),
      ('platformFee', i.platform_fee, greatest(i.platform_fee, coalesce(s.allotted, 0))),
      ('platformFee', i.platform_fee,
        case when i.status = 'completed' then coalesce(s.fees, 0) else i.platform_fee end)
    ) as f (figure, stored, derived)
    where f.stored <> f.derived
    order by i.id limit ${limit}`
}

export interface Violation {
  readonly networkId: string
  /** What it is about, for display and for lookups. */
  readonly subject: string
  readonly message: string
}

/** Transactions without stored bytes, or mined by bytes that aren't stored. */
export async function transactionViolations(sql: Queryable, limit: number): Promise<Violation[]> {
  return sql<Violation[]>`
    select * from (
      select t.network_id, 'transaction ' || t.id as subject,
        'account nonce ' || t.account_nonce || ' of ' || t.address || ' has no signed bytes' as message
      from relayer_tx t
      where t.kind <> 'nonce_taken'
        and not exists (select from relayer_attempt a where a.tx_id = t.id)
      union all
      select t.network_id, 'transaction ' || t.id,
        t.mined_hash || ' is said to be mined and is none of its stored attempts'
      from relayer_tx t
      where t.mined_hash is not null and not exists (
        select from relayer_attempt a
        where a.tx_id = t.id and a.network_id = t.network_id and a.hash = t.mined_hash)
    ) as violation
    limit ${limit}`
}

/**
 * Whether an operator has reactivated a relayer knowing that it sent this account nonce without the ledger: a
 * restored database has lost it.
 */
export async function wasForgotten(
  sql: Queryable,
  networkId: string,
  address: Address,
  accountNonce: bigint,
): Promise<boolean> {
  const rows = await sql`
    select 1 from relayer_tx t join relayer_key k using (network_id, address)
    where t.network_id = ${networkId} and t.address = ${address} and t.kind = 'nonce_taken'
      and t.account_nonce = ${accountNonce} and k.status <> 'quarantined'`
  return rows.length > 0
}

/** One relayer account as the ledger knows it. */
export interface RelayerBooks {
  readonly networkId: string
  readonly address: Address
  readonly status: KeyStatus
  readonly note: string | null
  readonly nextNonce: bigint
  readonly transactions: bigint
  readonly lowestNonce: bigint | null
  readonly highestNonce: bigint | null
  readonly open: bigint
  /** The lowest account nonce that isn't known to be used, if any. */
  readonly lowestOpen: bigint | null
  /** The highest account nonce recorded as mined up to the block. */
  readonly highestMined: bigint | null
}

/** Every relayer account of a chain; `block` bounds what counts as mined. */
export async function relayerBooks(
  sql: Queryable,
  networkId: string,
  block: bigint,
): Promise<RelayerBooks[]> {
  return sql<RelayerBooks[]>`
    select k.network_id, k.address, k.status, k.note, k.next_nonce, count(t.id) as transactions,
      min(t.account_nonce) as lowest_nonce, max(t.account_nonce) as highest_nonce,
      count(t.id) filter (where t.state = 'signed') as open,
      min(t.account_nonce) filter (where t.state = 'signed') as lowest_open,
      max(t.account_nonce) filter (where t.mined_block <= ${block}) as highest_mined
    from relayer_key k left join relayer_tx t
      on t.network_id = k.network_id and t.address = k.address
    where k.network_id = ${networkId}
    group by k.network_id, k.address
    order by k.address`
}

/** The call of a transaction that may still be mined. */
export interface OpenCall {
  readonly id: bigint
  readonly kind: string
  readonly target: Address
  readonly calldata: Hex
  /** An empty transfer is to take its account nonce, because the call is no longer needed. */
  readonly isGivenUp: boolean
}

/** The calls of transactions that may still be mined, oldest first. */
export async function openCalls(sql: Queryable, networkId: string): Promise<OpenCall[]> {
  return sql<OpenCall[]>`
    select id, kind, target, calldata, cancel_requested as is_given_up from relayer_tx
    where network_id = ${networkId} and state = 'signed' order by id`
}

/** Which of these transaction hashes are attempts of ours. */
export async function ownAttempts(
  sql: Queryable,
  networkId: string,
  hashes: readonly Hex[],
): Promise<ReadonlySet<Hex>> {
  const rows = await sql<{ hash: Hex }[]>`
    select hash from relayer_attempt
    where network_id = ${networkId} and hash = any(${[...hashes]}::text[])`
  return new Set(rows.map((row) => row.hash))
}
