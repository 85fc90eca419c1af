import type { InvoiceId } from '../../core/base/ids.ts'
import type { Invoice } from '../../core/invoice/state.ts'
import { type KeyOwner, whileOwned } from '../access/apiKeys.ts'
import { type Database, type Fragment, isRowError, type Queryable } from '../database/database.ts'
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
  /** Nothing was written: the owner is another one, or for one of the other reasons. */
  | 'owner_unproven'

/** An invoice with its metadata and its event, both as JSON text. */
export interface NewInvoice {
  readonly invoice: Invoice
  readonly metadataJson: string
  readonly eventJson: string
  /** Stored only if this is the owner of a valid key; absent where that was found out before. */
  readonly ownedBy?: KeyOwner
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
  const missing = entries.filter(({ invoice, ownedBy }) => !created.has(invoice.id) && !ownedBy)
  const refused = await refusedAmong(sql, missing)
  return entries.map(({ invoice, ownedBy }) => {
    if (created.has(invoice.id)) return 'created'
    if (ownedBy) return 'owner_unproven'
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
      select ${invoice.id}::uuid, ${invoice.merchantId}::uuid, ${invoice.externalRef},
        ${invoice.reference}, ${invoice.tokenSymbol}, ${invoice.chains}::text[],
        ${invoice.amountExpected.toString()}::numeric, ${fiatJson(invoice)}::text::jsonb,
        ${invoice.underpaymentTolerance.toString()}::numeric, ${invoice.feeCap.toString()}::numeric,
        ${invoice.platformFee.toString()}::numeric, ${invoice.hub}, ${invoice.depositAddress},
        ${entry.metadataJson}::text::jsonb, ${invoice.expiresAt}::timestamptz,
        ${invoice.createdAt}::timestamptz
      ${whereOwned(sql, entry)}
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

function whereOwned(sql: Queryable, { invoice: { merchantId }, ownedBy }: NewInvoice): Fragment {
  if (ownedBy === undefined) return sql``
  const { keyHash, recipient, usualTolerance } = ownedBy
  const condition = whileOwned(sql, {
    keyHash: sql`${keyHash}`,
    merchantId: sql`${merchantId}`,
    recipient: sql`${recipient}`,
    usualTolerance: sql`${usualTolerance}`,
  })
  return sql`where ${condition}`
}

async function insertMany(
  sql: Queryable,
  entries: readonly NewInvoice[],
): Promise<readonly CreatedRow[]> {
  const owner = {
    keyHash: sql`key_hash`,
    merchantId: sql`given.merchant_id`,
    recipient: sql`owner_recipient`,
    usualTolerance: sql`owner_tolerance`,
  }
  return sql<CreatedRow[]>`
    with given as materialized (
      -- What is JSON text already comes in lines beside the rest, since JSON within JSON is parsed three times.
      select * from rows from (
        json_to_recordset(${rowsJson(entries)}::text::json) as (
          id uuid, merchant_id uuid, external_ref text, reference text, token_symbol text,
          chains text[], amount_expected numeric, fiat jsonb, underpayment_tolerance numeric,
          fee_cap numeric, platform_fee numeric, recipient text, hub text, deposit_address text,
          expires_at timestamptz, created_at timestamptz, event_id uuid, key_hash text,
          owner_recipient text, owner_tolerance text),
        string_to_table(${lines(entries.map(({ metadataJson }) => metadataJson))}, e'\\n'),
        string_to_table(${lines(entries.map(({ eventJson }) => eventJson))}, e'\\n')
      ) as given (id, merchant_id, external_ref, reference, token_symbol, chains, amount_expected, fiat,
        underpayment_tolerance, fee_cap, platform_fee, recipient, hub, deposit_address, expires_at,
        created_at, event_id, key_hash, owner_recipient, owner_tolerance, metadata, event)
    ), created as (
      insert into invoice (id, merchant_id, external_ref, reference, token_symbol, chains,
        amount_expected, fiat, underpayment_tolerance, fee_cap, platform_fee, recipient, hub,
        deposit_address, metadata, expires_at, created_at)
      select id, merchant_id, external_ref, reference, token_symbol, chains, amount_expected,
        fiat, underpayment_tolerance, fee_cap, platform_fee, recipient, hub, deposit_address,
        metadata::jsonb, expires_at, created_at
      from given
      where (key_hash is null or ${whileOwned(sql, owner)})
        and (recipient is null
          or not exists (select from watched where address = given.recipient)
            and may_be_paid_to(merchant_id, recipient))
      -- In one order everywhere, so that two statements can't deadlock.
      order by merchant_id, external_ref
      on conflict (merchant_id, external_ref) do nothing
      returning id, merchant_id, deposit_address, version, created_at, metadata
    ), watching as (
      insert into watched (address, kind, merchant_id, invoice_id)
      select deposit_address, 'deposit', merchant_id, id from created
    ) ${entries.some(hasMetadata) ? noteMetadata(sql) : sql``}
    ${insertIntoOutbox(sql)}
    select event_id, created.merchant_id, 'invoice.created', id, version, event::json, null
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

/** JSON texts, which have no line breaks. */
function lines(texts: readonly string[]): string {
  return texts.join('\n')
}

/** The rows as JSON text, without metadata and event. */
function rowsJson(entries: readonly NewInvoice[]): string {
  const rows = entries.map(({ invoice, ownedBy }) => ({
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
    key_hash: ownedBy?.keyHash,
    owner_recipient: ownedBy?.recipient,
    owner_tolerance: ownedBy?.usualTolerance,
  }))
  return JSON.stringify(rows)
}

function fiatJson({ fiat }: Invoice): string | null {
  return fiat && JSON.stringify(fiat)
}

function breaks(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error && 'constraint_name' in error && error.constraint_name === constraint
  )
}
