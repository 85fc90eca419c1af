import type { Address } from '../../core/chain/evm.ts'
import type { InvoiceId, MerchantId, PaymentId } from '../../core/ids.ts'
import type { InvoiceEventType, RefundEventType } from '../../core/invoice/events.ts'
import type { InvoiceRows } from '../../core/invoice/present.ts'
import {
  LONGEST_REST_MS,
  MAX_FAILED_ROUNDS,
  type PlannedSweep,
  REST_MS,
} from '../../core/invoice/settlement.ts'
import type {
  Invoice,
  InvoiceFigures,
  Settlement,
  SettlementState,
} from '../../core/invoice/state.ts'
import type { BaseUnits } from '../../core/money.ts'
import type { Queryable, Transaction } from '../database.ts'
import { withTransactions } from './rows.ts'

/** The writes by which an invoice advances. All of them run inside the transaction that locked it. */

export interface MerchantTerms {
  readonly recipient: Address | null
  readonly configVersion: number
  readonly x402FeeBps: number
  readonly x402FeeCap: BaseUnits
}

export interface LockedInvoice extends InvoiceRows {
  readonly merchant: MerchantTerms
  /** Whether the operator lets this merchant's refunds go to others than the payment's sender. */
  readonly refundsAny: boolean
}

interface MerchantRow {
  recipient: Address | null
  configVersion: number
  x402FeeBps: number
  x402FeeCap: BaseUnits
  refundsAny: boolean
}

/**
 * Locks one invoice against all other writers and reads everything that belongs to it. Whatever is
 * read here is read after the lock was granted, so that nothing decided before it is overlooked.
 */
export async function lockInvoice(
  sql: Transaction,
  invoiceId: InvoiceId,
): Promise<LockedInvoice | null> {
  const [row] = await sql<Invoice[]>`select * from invoice where id = ${invoiceId} for update`
  if (!row) return null
  const [merchant] = await sql<MerchantRow[]>`
    select recipient, config_version, x402_fee_bps, x402_fee_cap, refunds_any from merchant
    where id = ${row.merchantId}`
  if (!merchant) throw new Error(`invoice ${invoiceId} has no merchant`)
  const [rows] = await withTransactions(sql, [{ ...row, merchantRecipient: merchant.recipient }])
  if (!rows) return null
  return {
    ...rows,
    merchant: {
      recipient: merchant.recipient,
      configVersion: merchant.configVersion,
      x402FeeBps: merchant.x402FeeBps,
      x402FeeCap: merchant.x402FeeCap,
    },
    refundsAny: merchant.refundsAny,
  }
}

/** Stores what was derived. `steps` is by how much the invoice's version grows. */
export async function saveFigures(
  sql: Transaction,
  invoice: Invoice,
  figures: InvoiceFigures,
  settlementState: SettlementState,
  settlementError: string | null,
  steps: number,
): Promise<void> {
  await sql`
    update invoice set
      status = ${figures.status},
      target_network = ${figures.targetNetwork},
      pending_amount = ${figures.pendingAmount.toString()},
      received_amount = ${figures.receivedAmount.toString()},
      late_amount = ${figures.lateAmount.toString()},
      refunded_amount = ${figures.refundedAmount.toString()},
      returned_amount = ${figures.returnedAmount.toString()},
      amount_remitted = ${figures.amountRemitted.toString()},
      completed_amount = ${figures.completedAmount?.toString() ?? null},
      paid_at = ${figures.paidAt},
      completed_at = ${figures.completedAt},
      settlement_state = ${settlementState},
      settlement_error = ${settlementError},
      version = version + ${steps}
    where id = ${invoice.id}`
}

/** Stores each payment's share of the platform fee. */
export async function savePaymentFees(
  sql: Transaction,
  fees: ReadonlyMap<PaymentId, BaseUnits>,
): Promise<void> {
  if (fees.size === 0) return
  await sql`
    update payment set fee = f.fee::numeric
    from unnest(${[...fees.keys()]}::uuid[], ${[...fees.values()].map(String)}::text[]) as f (id, fee)
    where payment.id = f.id`
}

/** Promises a sweep: the settlement row and, in the same breath, the work item that carries it out. */
export async function insertSweep(
  sql: Transaction,
  invoiceId: InvoiceId,
  sweep: PlannedSweep,
  waitsFor: bigint | null,
  notBefore: Date,
): Promise<Settlement> {
  const id = Bun.randomUUIDv7()
  const [row] = await sql<Settlement[]>`
    insert into settlement
      (id, invoice_id, network_id, token, round, amount, fee, recipient, registry_version, status)
    values (${id}, ${invoiceId}, ${sweep.networkId}, ${sweep.token}, ${sweep.round},
      ${sweep.amount.toString()}, ${sweep.fee.toString()}, ${sweep.recipient},
      ${sweep.registryVersion}, 'open')
    returning *`
  if (!row) throw new Error('the settlement was not stored')
  const key = `sweep:${sweep.networkId}:${invoiceId}:${sweep.token}:${sweep.round}`
  await sql`
    insert into work_item (network_id, kind, dedupe_key, payload, waits_for, not_before)
    values (${sweep.networkId}, 'sweep', ${key}, ${sql.json({ settlementId: id })}, ${waitsFor},
      ${notBefore})`
  return row
}

/** One hub of one chain: each has a registry of its own. */
export interface Registry {
  readonly networkId: string
  readonly hub: Address
}

/**
 * Makes sure that the merchant's registry entry of this version is on its way to the hub. Returns
 * the work item that a sweep must wait for, or null when the entry is in force. One that failed is
 * sent again, after a pause as long as it has been tried for, an hour at most: what was in its way
 * passes, like a signer that is being replaced, and until then it must not burn gas.
 */
export async function ensureConfigured(
  sql: Transaction,
  { networkId, hub }: Registry,
  merchantId: MerchantId,
  treasury: Address,
  merchant: MerchantTerms,
): Promise<bigint | null> {
  const version = merchant.configVersion
  const payload = {
    hub,
    merchantId,
    treasury,
    feeBps: merchant.x402FeeBps,
    feeCap: merchant.x402FeeCap.toString(),
    version,
  }
  const key = `configure:${networkId}:${hub}:${merchantId}:${version}`
  await sql`
    insert into work_item (network_id, kind, dedupe_key, payload)
    values (${networkId}, 'configure', ${key}, ${sql.json(payload)})
    on conflict (dedupe_key) do nothing`
  const [item] = await sql<{ id: bigint; isInForce: boolean }[]>`
    with again as (
      update work_item set state = 'queued', tx_id = null, log_index = null, result = null,
        not_before = updated_at + least(updated_at - created_at, interval '1 hour'),
        updated_at = now()
      where dedupe_key = ${key} and state in ('failed', 'review'))
    select id, state = 'settled' as is_in_force from work_item where dedupe_key = ${key}`
  if (!item) throw new Error('the registry entry was not stored')
  return item.isInForce ? null : item.id
}

/** Has the chain's leader look at an invoice again, e.g. because it could not be derived just now. */
export async function markDue(sql: Transaction, invoiceId: InvoiceId): Promise<void> {
  await sql`update invoice set settlement_state = 'due' where id = ${invoiceId}`
}

/** Writes an event for the merchant into the outbox. `version` orders the events of one object. */
export async function insertEvent(
  sql: Queryable,
  event: {
    readonly merchantId: MerchantId
    readonly type: InvoiceEventType | RefundEventType
    readonly objectId: string
    readonly version: number
    readonly data: unknown
  },
): Promise<void> {
  await sql`
    insert into outbox (id, merchant_id, type, object_id, version, data)
    values (${Bun.randomUUIDv7()}, ${event.merchantId}, ${event.type}, ${event.objectId},
      ${event.version}, ${JSON.stringify(event.data)}::text::json)`
}

/**
 * Paid invoices with money on this chain that should be looked at again: those that waited for a
 * deeper block, whose merchant has a recipient by now, or which have rested long enough after their
 * last failure.
 */
export async function dueInvoices(
  sql: Queryable,
  networkId: string,
  settleableBlock: bigint,
  without: readonly InvoiceId[],
  limit: number,
): Promise<InvoiceId[]> {
  const rows = await sql<{ id: InvoiceId }[]>`
    select i.id from invoice i
    where i.settlement_state <> 'none' and ${networkId} = any(i.chains)
      and i.id <> all(${[...without]}::uuid[])
      and exists (
        select from payment p
        where p.invoice_id = i.id and p.network_id = ${networkId} and p.status = 'confirmed'
          and p.block_number <= ${settleableBlock})
      and case i.settlement_state
        when 'due' then true
        when 'no_recipient' then exists (
          select from merchant m where m.id = i.merchant_id and m.recipient is not null)
        when 'failed' then not exists (
          -- As core/settlement has it. Counting failures under any version of the registry, it never
          -- ends a rest earlier.
          select from settlement s join merchant m on m.id = i.merchant_id
          where s.invoice_id = i.id and s.status = 'failed'
            and s.recipient = coalesce(i.recipient, m.recipient)
          group by s.network_id
          having count(*) >= ${MAX_FAILED_ROUNDS}
            and max(s.created_at) > now() - interval '1 millisecond' * least(
              ${REST_MS}::float8 * power(2, least(count(*) - ${MAX_FAILED_ROUNDS}, 10)),
              ${LONGEST_REST_MS}::float8))
        else false end
    order by i.id limit ${limit}`
  return rows.map((row) => row.id)
}

/** Unpaid invoices whose deadline every listed chain has passed by its confirmed blocks. */
export async function expiredInvoices(
  sql: Queryable,
  without: readonly InvoiceId[],
  limit: number,
): Promise<InvoiceId[]> {
  const rows = await sql<{ id: InvoiceId }[]>`
    select i.id from invoice i
    where i.expiry_announced_at is null and i.status in ('pending', 'partial')
      and (i.expires_at is not null or i.closed_at is not null)
      and least(i.expires_at, i.closed_at) < (select max(confirmed_time) from chain_state)
      and i.id <> all(${[...without]}::uuid[])
      -- A payment that is still on its way may yet pay it.
      and i.pending_amount = 0
      and not exists (
        select from unnest(i.chains) as c (network_id)
        left join chain_state s using (network_id)
        where s.confirmed_time is null or s.confirmed_time <= least(i.expires_at, i.closed_at))
    order by least(i.expires_at, i.closed_at)
    limit ${limit}`
  return rows.map((row) => row.id)
}

/** Marks the expiry as told. Returns false when that was done before. */
export async function markExpiryAnnounced(
  sql: Transaction,
  invoiceId: InvoiceId,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update invoice set expiry_announced_at = ${now}, version = version + 1
    where id = ${invoiceId} and expiry_announced_at is null
    returning id`
  return rows.length === 1
}

/** The newest block that each chain's watcher has seen. */
export async function chainHeads(sql: Queryable): Promise<ReadonlyMap<string, bigint>> {
  const rows = await sql<{ networkId: string; head: bigint }[]>`
    select network_id, head from chain_state`
  return new Map(rows.map((row) => [row.networkId, row.head]))
}
