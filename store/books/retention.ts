import type { Database, Queryable } from '../database/database.ts'

/**
 * Deletes rows past their retention. Each function takes a batch, in one short statement, and skips locked
 * rows. Rows of money are never deleted.
 */

/** How many rows a batch reads. */
export const RETENTION_BATCH = 500

/**
 * Forgets the bytes of a chain's transactions that have been over since before `before`: no state leads
 * from there to sending them again. Returns how many transactions there were.
 */
export async function forgetBytes(
  database: Database,
  networkId: string,
  before: Date,
): Promise<number> {
  const rows = await database`
    with old as materialized (
      select id from relayer_tx
      where network_id = ${networkId} and state in ('final', 'nonce_taken')
        and calldata is not null and confirmed_at < ${before}
      order by confirmed_at limit ${RETENTION_BATCH}
      for update skip locked
    ), attempts as (
      update relayer_attempt set raw = null where tx_id in (select id from old)
    )
    update relayer_tx set calldata = null where id in (select id from old)
    returning id`
  return rows.length
}

export interface WorkPass {
  readonly removed: number
  /** Where the next batch begins; null when this was the last one. */
  readonly next: bigint | null
}

/**
 * Removes those of a chain's work items that ended before `before`, of a batch that begins after an id:
 * ids grow with time, so a pass ends at the first item that is young. An item stays for as long as
 * something of it is undecided: its transaction can be replaced, its sweep, refund or payment is not at
 * its end, or another item waits for it. Registry entries and forwarders are no history, they are what
 * the chain knows now, and stay.
 */
export async function removeEndedWork(
  database: Database,
  networkId: string,
  before: Date,
  after: bigint,
): Promise<WorkPass> {
  const [row] = await database<{ removed: number; seen: number; last: bigint | null }[]>`
    with seen as materialized (
      select id, created_at from work_item where id > ${after}
      order by id limit ${RETENTION_BATCH}
    ), old as materialized (
      select w.id from work_item w
      where w.id in (select id from seen where created_at < ${before}) and w.network_id = ${networkId}
        and w.state in ('settled', 'failed') and w.updated_at < ${before}
        and not exists (select from work_item later where later.waits_for = w.id)
        and ${isTransactionOver(database)} and ${isDecided(database)}
      for update of w skip locked
    ), removed as (
      delete from work_item where id in (select id from old) returning id
    )
    select (select count(*)::int from removed) as removed, max(id) as last,
      count(*) filter (where created_at < ${before})::int as seen
    from seen`
  if (!row) throw new Error('the retention of work gave no answer')
  return { removed: row.removed, next: row.seen === RETENTION_BATCH ? row.last : null }
}

/** Whether nothing can become of an item's transaction any more. */
function isTransactionOver(sql: Queryable) {
  return sql`
    (w.tx_id is null or exists (select from relayer_tx t
      where t.id = w.tx_id and t.state in ('final', 'nonce_taken') and t.confirmed_at is not null))`
}

/** Whether what an item was to do has come to its end in the ledger. */
function isDecided(sql: Queryable) {
  return sql`
    case w.kind
      when 'sweep' then exists (select from settlement s
        where s.id = w.subject_id and s.status in ('confirmed', 'failed'))
      when 'refund' then ${isRefundDecided(sql)}
      when 'x402_refund' then ${isRefundDecided(sql)}
      when 'x402_channel' then exists (select from x402_channel_action a
        where a.id = w.subject_id
          and (a.status = 'failed' or a.confirmed_at is not null))
      when 'x402' then ${isPaymentDecided(sql)}
      when 'x402_wallet' then ${isPaymentDecided(sql)}
      else w.kind = 'distribute'
    end`
}

function isRefundDecided(sql: Queryable) {
  return sql`
    exists (select from refund r
      where r.id = w.subject_id and r.status in ('confirmed', 'failed'))`
}

function isPaymentDecided(sql: Queryable) {
  return sql`
    exists (select from x402_payment p where p.id = w.subject_id
      and (p.status = 'failed' or p.confirmed_at is not null))
    or exists (select from invoice_authorization a where a.id = w.subject_id
      and (a.status in ('failed', 'replaced') or a.confirmed_at is not null))`
}
