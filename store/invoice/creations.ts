import type { InvoiceId } from '../../core/base/ids.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import { type Database, isRowError, type Queryable } from '../database/database.ts'
import { gather } from '../database/gather.ts'
import { insertIntoOutbox } from '../events/outbox.ts'

/** Storing new invoices. */

export type CreationResult =
  | 'created'
  /** The merchant used this externalRef before; nothing was written. */
  | 'externalRef_taken'
  /** The recipient is an address that we watch; nothing was written. */
  | 'recipient_watched'
  /** The merchant's recipients need approval, and this one has none; nothing was written. */
  | 'recipient_not_approved'
  /** The invoice with this id exists already. */
  | 'id_taken'
  /** Another invoice has this reference; try again with a new one. */
  | 'reference_taken'

/** An invoice with its metadata and its event, both as JSON text. */
export interface NewInvoice {
  readonly invoice: Invoice
  readonly metadataJson: string
  readonly eventJson: string
}

export interface Creations {
  /** Stores an invoice; when it has returned, no transfer to the address can be missed. */
  create(entry: NewInvoice): Promise<CreationResult>
}

/** Stores invoices; those received while others are being stored share one commit. */
export function openCreations(database: Database): Creations {
  const create = gather<NewInvoice, CreationResult>({
    work: (entries) => insertOrExplain(database, entries),
    isItemError: isRowError,
  })
  return { create }
}

async function insertOrExplain(
  sql: Queryable,
  entries: readonly NewInvoice[],
): Promise<readonly CreationResult[]> {
  try {
    return await insertInvoices(sql, entries)
  } catch (error) {
    if (entries.length === 1 && breaks(error, 'invoice_reference_key')) return ['reference_taken']
    if (entries.length === 1 && breaks(error, 'invoice_pkey')) return ['id_taken']
    throw error
  }
}

/**
 * Stores invoices, the addresses to watch and their events, in one statement. Returns what became of each, in
 * their order. Throws when a reference is taken; then nothing was written.
 */
export async function insertInvoices(
  sql: Queryable,
  entries: readonly NewInvoice[],
): Promise<CreationResult[]> {
  const [first, ...others] = entries
  if (first === undefined) return []
  const isPlain = others.length === 0 && first.invoice.recipient === null
  const rows = isPlain ? await insertPlain(sql, first) : await insertMany(sql, entries)
  const created = new Set(rows.map((row) => row.objectId))
  const missing = entries.filter(({ invoice }) => !created.has(invoice.id))
  const refused = await refusedAmong(sql, missing)
  return entries.map(({ invoice }) => {
    if (created.has(invoice.id)) return 'created'
    return refused.get(invoice.id) ?? 'externalRef_taken'
  })
}

interface CreatedRow {
  objectId: string
}

/** One invoice without a recipient of its own, which most are, costs two thirds of the general way. */
async function insertPlain(sql: Queryable, entry: NewInvoice): Promise<readonly CreatedRow[]> {
  const { invoice } = entry
  const noting = hasMetadata(entry) ? noteMetadata(sql) : sql``
  return sql<CreatedRow[]>`
    with created as (
      insert into invoice (id, merchant_id, external_ref, reference, token_symbol, chains,
        amount_expected, fiat, underpayment_tolerance, fee_cap, platform_fee, hub, deposit_address,
        metadata, expires_at, created_at)
      values (${invoice.id}, ${invoice.merchantId}, ${invoice.externalRef}, ${invoice.reference},
        ${invoice.tokenSymbol}, ${invoice.chains}, ${invoice.amountExpected.toString()},
        ${fiatJson(invoice)}::text::jsonb, ${invoice.underpaymentTolerance.toString()},
        ${invoice.feeCap.toString()}, ${invoice.platformFee.toString()}, ${invoice.hub},
        ${invoice.depositAddress}, ${entry.metadataJson}::text::jsonb, ${invoice.expiresAt},
        ${invoice.createdAt})
      on conflict (merchant_id, external_ref) do nothing
      returning id, merchant_id, deposit_address, version, created_at, metadata
    ), watching as (
      insert into watched (address, kind, merchant_id, invoice_id)
      select deposit_address, 'deposit', merchant_id, id from created
    ) ${noting}
    ${insertIntoOutbox(sql)}
    select ${Bun.randomUUIDv7()}, merchant_id, 'invoice.created', id, version,
      ${entry.eventJson}::text::json, null
    from created
    returning object_id`
}

async function insertMany(
  sql: Queryable,
  entries: readonly NewInvoice[],
): Promise<readonly CreatedRow[]> {
  return sql<CreatedRow[]>`
    with given as materialized (
      select * from json_to_recordset(${rowsJson(entries)}::text::json) as given (
        id uuid, merchant_id uuid, external_ref text, reference text, token_symbol text,
        chains text[], amount_expected numeric, fiat jsonb, underpayment_tolerance numeric,
        fee_cap numeric, platform_fee numeric, recipient text, hub text, deposit_address text,
        metadata jsonb, expires_at timestamptz, created_at timestamptz, event_id uuid, event json)
    ), created as (
      insert into invoice (id, merchant_id, external_ref, reference, token_symbol, chains,
        amount_expected, fiat, underpayment_tolerance, fee_cap, platform_fee, recipient, hub,
        deposit_address, metadata, expires_at, created_at)
      select id, merchant_id, external_ref, reference, token_symbol, chains, amount_expected,
        fiat, underpayment_tolerance, fee_cap, platform_fee, recipient, hub, deposit_address,
        metadata, expires_at, created_at
      from given
      where recipient is null
        or not exists (select from watched where address = given.recipient)
          and may_be_paid_to(merchant_id, recipient)
      -- In one order everywhere, so that two statements can't deadlock.
      order by merchant_id, external_ref
      on conflict (merchant_id, external_ref) do nothing
      returning id, merchant_id, deposit_address, version, created_at, metadata
    ), watching as (
      insert into watched (address, kind, merchant_id, invoice_id)
      select deposit_address, 'deposit', merchant_id, id from created
    ) ${entries.some(hasMetadata) ? noteMetadata(sql) : sql``}
    ${insertIntoOutbox(sql)}
    select event_id, created.merchant_id, 'invoice.created', id, version, event, null
    from given join created using (id)
    returning object_id`
}

function hasMetadata({ metadataJson }: NewInvoice): boolean {
  return metadataJson !== '{}'
}

/** The values of the metadata, by which lists are narrowed down. Most invoices have none. */
function noteMetadata(sql: Queryable) {
  return sql`
    , noting as (
      insert into invoice_metadata (merchant_id, term, digest, created_at, invoice_id)
      select merchant_id, term, digest, created_at, id
      from created cross join lateral metadata_entries(metadata) as entry
    )`
}

/** Why recipients are refused, by invoice: addresses on which we receive payments, and those not approved. */
async function refusedAmong(
  sql: Queryable,
  entries: readonly NewInvoice[],
): Promise<ReadonlyMap<InvoiceId, 'recipient_watched' | 'recipient_not_approved'>> {
  const own = entries.flatMap(({ invoice: { id, merchantId, recipient } }) =>
    recipient === null ? [] : [{ id, merchantId, recipient }],
  )
  if (own.length === 0) return new Map()
  const rows = await sql<{ id: InvoiceId; isWatched: boolean }[]>`
    select g.id, w.address is not null as is_watched
    from unnest(${own.map(({ id }) => id)}::uuid[], ${own.map(({ merchantId }) => merchantId)}::uuid[],
      ${own.map(({ recipient }) => recipient)}::text[]) as g (id, merchant_id, recipient)
    left join watched w on w.address = g.recipient
    where w.address is not null or not may_be_paid_to(g.merchant_id, g.recipient)`
  return new Map(
    rows.map(({ id, isWatched }) => [
      id,
      isWatched ? 'recipient_watched' : 'recipient_not_approved',
    ]),
  )
}

/** The rows as JSON text; metadata and event are JSON text already and are taken as they are. */
function rowsJson(entries: readonly NewInvoice[]): string {
  const rows = entries.map(({ invoice, metadataJson, eventJson }) => {
    const fields = JSON.stringify({
      id: invoice.id,
      merchant_id: invoice.merchantId,
      external_ref: invoice.externalRef,
      reference: invoice.reference,
      token_symbol: invoice.tokenSymbol,
      chains: invoice.chains,
      amount_expected: invoice.amountExpected.toString(),
      fiat: invoice.fiat,
      underpayment_tolerance: invoice.underpaymentTolerance.toString(),
      fee_cap: invoice.feeCap.toString(),
      platform_fee: invoice.platformFee.toString(),
      recipient: invoice.recipient,
      hub: invoice.hub,
      deposit_address: invoice.depositAddress,
      expires_at: invoice.expiresAt,
      created_at: invoice.createdAt,
      event_id: Bun.randomUUIDv7(),
    })
    return `${fields.slice(0, -1)},"metadata":${metadataJson},"event":${eventJson}}`
  })
  return `[${rows.join(',')}]`
}

function fiatJson({ fiat }: Invoice): string | null {
  return fiat && JSON.stringify(fiat)
}

function breaks(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error && 'constraint_name' in error && error.constraint_name === constraint
  )
}
