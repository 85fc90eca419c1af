import type { Role } from '../../core/access/roles.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import type { AuditEntry, CommandAction } from '../../core/events/audit.ts'
import type { Fragment, Queryable, Transaction } from '../database/database.ts'

/** The audit log. Entries and outcomes are only ever added: the API's role has no other right. */

/** An entry as it is read: what was to be done, and how it ended. */
export interface AuditRecord {
  readonly id: bigint
  readonly at: Date
  readonly actor: 'person' | 'key' | 'operator'
  readonly actorId: string
  readonly actorName: string
  readonly role: Role | null
  readonly action: string
  readonly objectId: string | null
  readonly before: unknown
  readonly after: unknown
  readonly address: string | null
  readonly agent: string | null
  readonly traceId: string | null
  /** The HTTP status of the answer; null when it was cut off. */
  readonly status: number | null
}

/** Records what is about to be done. Without this row it must not be. */
export async function addAuditEntry(sql: Queryable, entry: AuditEntry): Promise<bigint> {
  const { actor } = entry
  const [row] = await sql<{ id: bigint }[]>`
    insert into audit_entry (merchant_id, actor, actor_id, actor_name, role, action, object_id,
      before, after, address, agent, trace_id)
    values (${entry.merchantId}, ${actor.type}, ${actor.id}, ${actor.name},
      ${actor.type === 'person' ? actor.role : null}, ${entry.action}, ${entry.objectId},
      ${jsonText(entry.before)}::text::jsonb, ${jsonText(entry.after)}::text::jsonb,
      ${entry.address}, ${entry.agent}, ${entry.traceId})
    returning id`
  if (!row) throw new Error('the audit entry was not stored')
  return row.id
}

/** Records how it ended, and what came of it. */
export async function addAuditOutcome(
  sql: Queryable,
  entryId: bigint,
  { status, objectId }: { readonly status: number; readonly objectId: string | null },
): Promise<void> {
  await sql`
    insert into audit_outcome (entry_id, status, object_id)
    values (${entryId}, ${status}, ${objectId})`
}

/** What an operator's command has done. */
interface CommandDone {
  /** As on the operator's machine. */
  readonly operator: string
  readonly action: CommandAction
  /** Null, as by default, for what concerns the deployment. */
  readonly merchantId?: MerchantId
  readonly objectId?: string
  readonly before?: unknown
  readonly after?: unknown
}

const DONE = 200

/** Records what a command does, in the transaction that does it: both are there afterwards, or neither. */
export async function addCommandEntry(sql: Transaction, done: CommandDone): Promise<void> {
  const { operator, action, merchantId = null, objectId = null, before = null, after = null } = done
  const entryId = await addAuditEntry(sql, {
    ...{ merchantId, action, objectId, before, after },
    actor: { type: 'operator', id: operator, name: operator },
    ...{ address: null, agent: null, traceId: null },
  })
  await addAuditOutcome(sql, entryId, { status: DONE, objectId })
}

/** What a list of entries is narrowed down by; null for all. */
export interface AuditFilter {
  readonly actor: AuditRecord['actor'] | null
  /** Part of who it was: of a name, an address, a key's end; in any case. */
  readonly who: string | null
  readonly action: string | null
  /** Both ends included. */
  readonly from: Date | null
  readonly to: Date | null
}

interface AuditPage {
  /** Only entries before this one; null for the newest. */
  readonly before: bigint | null
  readonly limit: number
}

/** The newest entries of a merchant that the filter lets through. */
export function listAuditEntries(
  sql: Queryable,
  merchantId: MerchantId,
  filter: AuditFilter,
  page: AuditPage,
): Promise<AuditRecord[]> {
  return readEntries(sql, sql`e.merchant_id = ${merchantId}`, filter, page)
}

/** The same of operators, for changes of any merchant. */
export function listOperatorEntries(
  sql: Queryable,
  filter: Omit<AuditFilter, 'actor'>,
  page: AuditPage,
): Promise<AuditRecord[]> {
  return readEntries(sql, sql`e.actor = 'operator'`, { ...filter, actor: null }, page)
}

async function readEntries(
  sql: Queryable,
  whose: Fragment,
  { actor, who, action, from, to }: AuditFilter,
  { before, limit }: AuditPage,
): Promise<AuditRecord[]> {
  const part = who === null ? null : `%${who.replace(/[\\%_]/g, '\\$&')}%`
  return sql<AuditRecord[]>`
    select e.id, e.at, e.actor, e.actor_id, e.actor_name, e.role, e.action,
      coalesce(e.object_id, o.object_id) as object_id, e.before, e.after, e.address, e.agent,
      e.trace_id, o.status
    from audit_entry e left join audit_outcome o on o.entry_id = e.id
    where ${whose} and e.id < coalesce(${before}, 9223372036854775807)
      ${actor === null ? sql`` : sql`and e.actor = ${actor}`}
      ${part === null ? sql`` : sql`and e.actor_name ilike ${part}`}
      ${action === null ? sql`` : sql`and e.action = ${action}`}
      ${from === null ? sql`` : sql`and e.at >= ${from}`}
      ${to === null ? sql`` : sql`and e.at <= ${to}`}
    order by e.id desc limit ${limit}`
}

function jsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}
