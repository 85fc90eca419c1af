import type { InvoiceId, MerchantId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Entry, RegistryState } from '../../core/hub/registryEntry.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import type { WorkItem } from '../relayer/workItems.ts'

/** What a hub must know of a merchant before it can pay: where its money goes. */

/** One hub of one chain: each has a registry of its own. */
export interface Registry {
  readonly networkId: string
  readonly hub: Address
}

/** A merchant's entry in the registry: its version, and the fee of its x402 payments. */
export interface RegistryTerms {
  readonly configVersion: number
  readonly x402FeeBps: number
  /** In millionths of a whole token. */
  readonly x402FeeCap: BaseUnits
}

/** By which entry a sweep pays, and the work item that it waits for until then; null for none. */
export interface Configured extends Entry {
  readonly waitsFor: bigint | null
}

/**
 * Makes sure that the merchant's registry entry of this version is on its way to the hub; one that
 * failed is sent again. Where it was vetoed, the answer is the entry that it was to replace.
 */
export async function ensureConfigured(
  sql: Transaction,
  { networkId, hub }: Registry,
  merchantId: MerchantId,
  treasury: Address,
  { configVersion: version, x402FeeBps, x402FeeCap }: RegistryTerms,
): Promise<Configured> {
  const [entry] = await sql<Configured[]>`
    select waits_for, version::float8 as version, treasury
    from ensure_configured(${networkId}, ${hub}, ${merchantId}, ${treasury}, ${x402FeeBps},
      ${x402FeeCap.toString()}, ${version})`
  if (!entry) throw new Error('the registry entry gave no answer')
  return entry
}

/**
 * By which entry the hub of each invoice pays its merchant on each chain where the merchant's newest one was vetoed; none
 * for an invoice with a recipient of its own.
 */
export async function keptEntries(
  sql: Queryable,
  invoiceIds: readonly InvoiceId[],
): Promise<(invoiceId: InvoiceId) => ReadonlyMap<string, Entry>> {
  const rows = await sql<(Entry & { invoiceId: InvoiceId; networkId: string })[]>`
    select i.id as invoice_id, e.network_id, e.version::float8 as version, e.treasury
    from invoice i join registry_entry e on e.merchant_id = i.merchant_id and e.hub = i.hub
    join merchant m on m.id = e.merchant_id
    where i.id = any(${[...invoiceIds]}::uuid[]) and i.recipient is null
      and e.change_version >= m.config_version
      and payable_version(e.network_id, e.hub, m.id, m.config_version) = e.version`
  const entriesOf = Map.groupBy(rows, ({ invoiceId }) => invoiceId)
  return (invoiceId) => {
    const entries = entriesOf.get(invoiceId) ?? []
    return new Map(
      entries.map(({ networkId, version, treasury }) => [networkId, { version, treasury }]),
    )
  }
}

/**
 * Records the entries that transactions have activated, at the chain's confirmations. A change up to such a
 * version is over.
 */
export async function recordActivated(
  sql: Transaction,
  { networkId, hub }: Registry,
  entries: readonly (Entry & { readonly merchantId: MerchantId })[],
): Promise<void> {
  for (const { merchantId, version, treasury } of entries) {
    await sql`
      insert into registry_entry as e (network_id, hub, merchant_id, version, treasury)
      values (${networkId}, ${hub}, ${merchantId}, ${version}, ${treasury})
      on conflict (network_id, hub, merchant_id) do update set
        version = excluded.version, treasury = excluded.treasury, is_foreign = false,
        seen_at = now(),
        change_version = ${unless(sql, 'change_version', version)},
        change_treasury = ${unless(sql, 'change_treasury', version)},
        change_ready_at = ${unless(sql, 'change_ready_at', version)}
      where e.version is null or e.version <= excluded.version`
  }
}

/** A column of a change that is newer than an entry; null for an older one. */
function unless(sql: Queryable, column: string, version: number) {
  return sql`case when e.change_version > ${version} then e.${sql(column)} end`
}

/** Has the chain's leader read entries of merchants soon, not before this block is confirmed. */
export async function requestEntryReads(
  sql: Queryable,
  { networkId, hub }: Registry,
  merchantIds: readonly MerchantId[],
  block: bigint,
): Promise<void> {
  if (merchantIds.length === 0) return
  await sql`
    insert into registry_entry as e (network_id, hub, merchant_id, look_at, look_from)
    select ${networkId}, ${hub}, m.id, now(), ${block} from merchant m
    where m.id = any(${[...new Set(merchantIds)]}::uuid[])
    order by m.id
    on conflict (network_id, hub, merchant_id) do update set look_at = now(),
      look_from = greatest(e.look_from, excluded.look_from)`
}

/** An entry that a hub's event reports. */
export interface WrittenEntry {
  readonly merchantId: MerchantId
  readonly version: number
}

/** The same for entries that this ledger neither requested nor knows: the signing key has leaked. */
export async function requestUnknownReads(
  sql: Queryable,
  registry: Registry,
  written: readonly WrittenEntry[],
  block: bigint,
): Promise<void> {
  if (written.length === 0) return
  const unknown = await sql<{ id: MerchantId }[]>`
    select distinct m.id
    from unnest(${written.map((one) => one.merchantId)}::uuid[],
      ${written.map((one) => one.version)}::bigint[]) as given (merchant_id, version)
    join merchant m on m.id = given.merchant_id
    left join registry_entry e on e.network_id = ${registry.networkId} and e.hub = ${registry.hub}
      and e.merchant_id = m.id
    where given.version > greatest(m.config_version, e.version)`
  await requestEntryReads(
    sql,
    registry,
    unknown.map(({ id }) => id),
    block,
  )
}

/** An entry that is to be read. */
export interface DueEntry extends Registry {
  readonly merchantId: MerchantId
}

/** Entries of a chain whose time to be read has come, those that have waited longest first. */
export async function dueEntries(
  sql: Queryable,
  networkId: string,
  confirmedBlock: bigint,
  /** Hubs with merchants, a space between them. */
  without: readonly string[],
  limit: number,
): Promise<DueEntry[]> {
  return sql<DueEntry[]>`
    select network_id, hub, merchant_id from registry_entry
    where network_id = ${networkId} and look_at <= now() and look_from <= ${confirmedBlock}
      and hub || ' ' || merchant_id <> all(${[...without]}::text[])
    order by look_at, hub, merchant_id limit ${limit}`
}

/** How often an entry with a pending change is read, in ms: the change may be vetoed at any time. */
const POLL_EVERY_MS = 30_000

/**
 * Stores what was read of an entry at a block; while a change waits, it is read again and again. False when
 * a newer entry is known than the one that was read: versions only grow, so this was an older state.
 */
export async function saveEntry(
  sql: Transaction,
  { networkId, hub, merchantId }: DueEntry,
  { entry, change }: RegistryState,
  block: bigint,
): Promise<boolean> {
  const own = sql`network_id = ${networkId} and hub = ${hub} and merchant_id = ${merchantId}`
  const [version, treasury] = [entry?.version ?? null, entry?.treasury ?? null]
  const readyAt = change?.readyAt?.toString() ?? null
  const later = sql`now() + ${POLL_EVERY_MS} * interval '1 millisecond'`
  const saved = await sql`
    update registry_entry e set version = ${version}, treasury = ${treasury},
      change_version = ${change?.version ?? null}, change_treasury = ${change?.treasury ?? null},
      change_ready_at = to_timestamp(${readyAt}::float8),
      is_foreign = coalesce(${version}::bigint > m.config_version
        or (${version}::bigint = m.config_version and m.recipient <> ${treasury}::text), false),
      -- A later state was requested meanwhile.
      look_at = case when look_from > ${block} then look_at
        when ${readyAt !== null} then ${later} end,
      look_from = case when look_from > ${block} or ${readyAt !== null} then look_from end,
      seen_at = now()
    from merchant m
    where m.id = e.merchant_id and ${own} and coalesce(e.version, 0) <= ${version ?? 0}
    returning e.merchant_id`
  if (saved.length > 0) return true
  await sql`update registry_entry set look_at = ${later} where ${own}`
  return false
}

/** Keeps what was signed of an entry, before it is sent. */
export async function keepSignature(
  sql: Transaction,
  itemId: bigint,
  carried: { readonly version: number; readonly signature: Hex },
): Promise<void> {
  await sql`
    update work_item set payload = payload || jsonb_build_object('carried', ${sql.json(carried)}::jsonb)
    where id = ${itemId}`
}

/** Locks a merchant's entries at a hub that are in no transaction, without those that a relayer examines. */
export async function lockQueuedEntries(
  sql: Transaction,
  { networkId, hub, merchantId }: DueEntry,
): Promise<WorkItem[]> {
  return sql<WorkItem[]>`
    select id, network_id, kind, payload, subject_id, state, result, tries, batch_limit from work_item
    where network_id = ${networkId} and kind = 'configure' and state = 'queued'
      and payload->>'merchantId' = ${merchantId} and payload->>'hub' = ${hub}
    order by id for update skip locked`
}

/** A registry's state of a merchant. */
export interface StoredEntry extends Registry {
  readonly merchantId: MerchantId
  readonly version: number | null
  readonly treasury: Address | null
  readonly changeVersion: number | null
  readonly changeTreasury: Address | null
  /** When the change may be activated; null for one that was vetoed. */
  readonly changeReadyAt: Date | null
}

/** A merchant's entries at all hubs, by chain. */
export async function entriesOf(sql: Queryable, merchantId: MerchantId): Promise<StoredEntry[]> {
  return sql<StoredEntry[]>`
    select ${entryColumns(sql)} from registry_entry e
    where merchant_id = ${merchantId} and (version is not null or change_version is not null)
    order by network_id, hub`
}

/** An entry that differs from the ledger and will not converge without action. */
export interface EntryAlarm {
  readonly networkId: string
  readonly merchantId: MerchantId
  readonly type: 'vetoed' | 'foreign_change' | 'foreign_entry'
  readonly version: number
  readonly treasury: Address
}

/**
 * Entries for the operator's attention: the newest one that a merchant requested was vetoed; or one that this
 * ledger never requested is pending or active.
 */
export async function entryAlarms(sql: Queryable): Promise<EntryAlarm[]> {
  return sql<EntryAlarm[]>`
    select e.network_id, e.merchant_id, found.type, found.version::float8 as version, found.treasury
    from registry_entry e join merchant m on m.id = e.merchant_id
    cross join lateral (
      select 'vetoed' as type, e.change_version as version, e.change_treasury as treasury
      where e.change_ready_at is null
        and e.change_version >= m.config_version
        and coalesce(e.version, 0) < m.config_version
      union all
      select 'foreign_change', e.change_version, e.change_treasury
      where e.change_ready_at is not null
        and ${isUnknown(sql, 'change_version', 'change_treasury')}
      union all
      select 'foreign_entry', e.version, e.treasury
      where e.is_foreign and ${isUnknown(sql, 'version', 'treasury')}
    ) found
    where e.change_version is not null or e.is_foreign
    order by e.network_id, e.merchant_id, found.type limit 100`
}

/** Whether a version of an entry `e` was not requested by its merchant `m`. */
function isUnknown(sql: Queryable, version: string, treasury: string) {
  return sql`((e.${sql(version)} > m.config_version or (e.${sql(version)} = m.config_version
    and e.${sql(treasury)} is distinct from m.recipient)) and not exists (
      select from recipient_change c where c.merchant_id = m.id and c.version = e.${sql(version)}
        and c.recipient = e.${sql(treasury)}))`
}

function entryColumns(sql: Queryable) {
  return sql`
    e.network_id, e.hub, e.merchant_id, e.version::float8 as version, e.treasury,
    e.change_version::float8 as change_version, e.change_treasury, e.change_ready_at`
}
