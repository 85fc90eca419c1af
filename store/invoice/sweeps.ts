import type { InvoiceId, MerchantId, SettlementId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { PlannedSweep } from '../../core/invoice/settlement.ts'
import type { Settlement, SettlementStatus } from '../../core/invoice/state.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { ensureConfigured, type Registry, type RegistryTerms } from '../hub/registryEntries.ts'
import { type Ledger, MOVES } from '../relayer/transition.ts'

/** A settlement row with what its invoice contributes to the sweep, and its way to an end. */
export interface SweepRow {
  readonly itemId: bigint
  readonly settlementId: SettlementId
  readonly invoiceId: InvoiceId
  readonly merchantId: MerchantId
  /** The recipient that the deposit address commits to; null pays the registry's treasury. */
  readonly recipient: Address | null
  readonly feeCap: BaseUnits
  readonly hub: Address
  readonly deposit: Address
  readonly token: Address
  readonly amount: BaseUnits
  readonly fee: BaseUnits
  readonly registryVersion: number
  /** Whether the hub's active entry was not requested here, so that it would refuse the one named. */
  readonly isEntryForeign: boolean
  readonly leave: BaseUnits
  readonly deploys: boolean
  readonly status: SettlementStatus
  /** Whether a transaction carries a refund out of the same deposit. */
  readonly isRefunding: boolean
  readonly result: unknown
}

/** Reads the sweeps behind work items, in the order of the items' ids. */
export async function readSweeps(sql: Queryable, itemIds: readonly bigint[]): Promise<SweepRow[]> {
  return sql<SweepRow[]>`
    select w.id as item_id, s.id as settlement_id, s.invoice_id, i.merchant_id,
      i.recipient, i.fee_cap, i.hub, i.deposit_address as deposit, s.token,
      s.amount, s.fee, s.registry_version, s.leave, s.deploys, s.status, w.result,
      s.registry_version > 0 and exists (
        select from registry_entry e
        where e.network_id = s.network_id and e.hub = i.hub and e.merchant_id = i.merchant_id
          and e.is_foreign
      ) as is_entry_foreign,
      exists (
        select from refund r join work_item other on other.subject_id = r.id
        where r.invoice_id = s.invoice_id and r.network_id = s.network_id and r.status = 'open'
          and other.state = 'assigned'
      ) as is_refunding
    from work_item w
    join settlement s on s.id = w.subject_id
    join invoice i on i.id = s.invoice_id
    where w.id = any(${itemIds.map(String)}::bigint[]) and w.kind = 'sweep'
    order by w.id`
}

/** A sweep that was decided. */
export interface NewSweep extends PlannedSweep {
  readonly invoiceId: InvoiceId
  /** The work item that has to end first. */
  readonly waitsFor: bigint | null
  readonly notBefore: Date
}

/** Stores sweeps: the settlement row of each, together with the work item that carries it out. */
export async function insertSweeps(
  sql: Transaction,
  sweeps: readonly NewSweep[],
): Promise<Settlement[]> {
  if (sweeps.length === 0) return []
  const given = sweeps.map(({ waitsFor, notBefore, ...sweep }) => ({
    ...sweep,
    ...{ id: Bun.randomUUIDv7(), amount: `${sweep.amount}`, fee: `${sweep.fee}` },
    ...{ leave: `${sweep.leave}`, waitsFor: waitsFor?.toString() ?? null, notBefore },
    key: `sweep:${sweep.networkId}:${sweep.invoiceId}:${sweep.token}:${sweep.round}`,
  }))
  return sql<Settlement[]>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(given)}::text::json) as g (id uuid,
        "invoiceId" uuid, "networkId" text, token text, round integer, amount numeric, fee numeric,
        recipient text, "registryVersion" bigint, leave numeric, deploys boolean, key text,
        "waitsFor" bigint, "notBefore" timestamptz)
    ), item as (
      insert into work_item (network_id, kind, dedupe_key, payload, waits_for, not_before)
      select "networkId", 'sweep', key, jsonb_build_object('settlementId', id), "waitsFor", "notBefore"
      from given order by id
    )
    insert into settlement
      (id, invoice_id, network_id, token, round, amount, fee, recipient, registry_version, leave,
        deploys, status)
    select id, "invoiceId", "networkId", token, round, amount, fee, recipient, "registryVersion",
      leave, deploys, 'open'
    from given order by id
    returning *`
}

/**
 * Locks the invoices that these work items, or those that wait for them, can change; in the order of their ids.
 * Settlements and refunds are written under that lock only, when planned and when carried out, so that the two
 * can't deadlock.
 */
export async function lockInvoicesOf(sql: Transaction, itemIds: readonly bigint[]): Promise<void> {
  const ids = itemIds.map(String)
  // From the items on: the planner would else look for the items of all settlements where it knows of few.
  await sql`
    with item as materialized (
      select kind, subject_id from work_item where id = any(${ids}::bigint[])
      union all
      select kind, subject_id from work_item where waits_for = any(${ids}::bigint[]) and kind = 'sweep')
    select id from invoice
    where id = any(array(
      select s.invoice_id from item join settlement s on s.id = subject_id where kind = 'sweep'
      union
      select r.invoice_id from item join refund r on r.id = subject_id where kind = 'refund'))
    order by id for update`
}

/** What becomes of sweeps. Rounds of one deposit that followed each other may all be open after a reorganisation. */
export const SWEEPS: Ledger = {
  table: 'settlement',
  words: MOVES,
  isOfInvoice: true,
  hasOthers: false,
  also: {
    mined: (sql) => sql`, replanned = false`,
    // The part of the fee that the token refused to pay out.
    confirmed: (sql) => sql`, fee_owed = coalesce((
      select (w.result->>'feeOwed')::numeric from work_item w where w.subject_id = r.id), 0)`,
    reopened: (sql) => sql`, fee_owed = 0`,
    failed: (sql) => sql`, replanned = coalesce((given.details->>'replanned')::boolean, false),
      found_block = (given.details->>'block')::bigint,
      found_deployed = (given.details->>'deployed')::boolean,
      found_fee_left = (given.details->>'feeLeft')::numeric`,
  },
}

/**
 * Locks the invoices of a merchant's sweeps that are to pay by the registry of a hub and are in no
 * transaction. Returns how many there are.
 */
export async function lockRegistrySweeps(
  sql: Transaction,
  registry: Registry,
  merchantId: MerchantId,
): Promise<number> {
  const rows = await sql`
    select id from invoice where id in (
      select i.id from work_item w, settlement s, invoice i
      where ${isRegistrySweep(sql, registry, merchantId)})
    order by id for update`
  return rows.length
}

/**
 * Has these sweeps pay by the entry that the registry goes by now, or wait for the newest: one that was vetoed
 * or replaced would be refused. Returns their invoices.
 */
export async function followRegistry(
  sql: Transaction,
  registry: Registry,
  merchantId: MerchantId,
): Promise<InvoiceId[]> {
  if ((await lockRegistrySweeps(sql, registry, merchantId)) === 0) return []
  const [merchant] = await sql<(RegistryTerms & { recipient: Address | null })[]>`
    select recipient, config_version, x402_fee_bps, x402_fee_cap from merchant
    where id = ${merchantId}`
  if (!merchant?.recipient) return []
  const entry = await ensureConfigured(sql, registry, merchantId, merchant.recipient, merchant)
  const changed = await sql<{ invoiceId: InvoiceId }[]>`
    with sweep as (
      update work_item w set waits_for = ${entry.waitsFor}, updated_at = now()
      from settlement s, invoice i where ${isRegistrySweep(sql, registry, merchantId)}
      returning s.id
    )
    update settlement s set registry_version = ${entry.version}, recipient = ${entry.treasury}
    from sweep where s.id = sweep.id returning s.invoice_id`
  return [...new Set(changed.map(({ invoiceId }) => invoiceId))].sort()
}

/** All rounds of the invoices that these sweeps are of. */
export async function roundsBeside(
  sql: Queryable,
  settlementIds: readonly SettlementId[],
): Promise<Settlement[]> {
  return sql<Settlement[]>`
    select * from settlement where invoice_id in (
      select invoice_id from settlement where id = any(${[...settlementIds]}::uuid[]))`
}

function isRegistrySweep(sql: Queryable, { networkId, hub }: Registry, merchantId: MerchantId) {
  return sql`
    s.merchant_id = ${merchantId} and s.network_id = ${networkId} and s.status = 'open'
    and s.registry_version > 0 and i.id = s.invoice_id and i.hub = ${hub} and w.state = 'queued'
    and w.subject_id = s.id`
}

/** The block of the first payment to a deposit on a chain: it can't have been swept before. */
export async function firstPaymentBlock(
  sql: Queryable,
  invoiceId: InvoiceId,
  networkId: string,
): Promise<bigint | null> {
  const [row] = await sql<{ first: bigint | null }[]>`
    select min(block_number) as first from payment
    where invoice_id = ${invoiceId} and network_id = ${networkId} and status <> 'reverted'`
  return row?.first ?? null
}

/**
 * The transactions that count for a settlement of this invoice, or will: a sweep by an attempt of ours is
 * booked for its round, by its own receipt.
 */
export async function bookedHashes(
  sql: Queryable,
  invoiceId: InvoiceId,
  networkId: string,
): Promise<Set<string>> {
  const rows = await sql<{ hash: string }[]>`
    select tx_hash as hash from settlement
    where invoice_id = ${invoiceId} and network_id = ${networkId} and tx_hash is not null
    union
    select a.hash from settlement s
    join work_item w on w.subject_id = s.id
    join relayer_tx t on t.id = w.tx_id and t.state <> 'nonce_taken'
    join relayer_attempt a on a.tx_id = t.id
    where s.invoice_id = ${invoiceId} and s.network_id = ${networkId}`
  return new Set(rows.map((row) => row.hash))
}
