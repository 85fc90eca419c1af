import type { InvoiceId, MerchantId } from '../../core/base/ids.ts'
import type { Fragment, Queryable, Transaction } from '../database/database.ts'
import type { MinedIn } from './transactions.ts'

/**
 * The one transition of everything that work advances: a row is open until its transaction is mined, and done for
 * good at the chain's confirmations. A reorganisation opens it again, and one that moved nothing and never will has
 * failed. Each kind of row adds what follows from that.
 */
export type Step = 'mined' | 'confirmed' | 'reopened' | 'failed'

/** A kind of rows that advance with their work. */
export interface Ledger {
  /** Its rows name their merchants (`merchant_id`), for whom gas is spent. */
  readonly table: string
  readonly words: Words
  /** Whether its rows belong to invoices, which are recalculated when they change. */
  readonly isOfInvoice: boolean
  /** True where the figures of those invoices follow from transfers alone, so that they are not recalculated. */
  readonly leavesFigures?: boolean
  /** Whether others carry out its rows before they are known to be done (`by_others`). The leader follows those. */
  readonly hasOthers: boolean
  /** The other columns that a step sets, each after a comma, by the row `r` and what is `given` of it. */
  readonly also: { readonly [step in Step]?: (sql: Queryable) => Fragment }
  /** Locks what is to be locked before the rows. */
  lock?(sql: Transaction, ids: readonly string[]): Promise<void>
  /** What follows from a step of these rows, in the same transaction. */
  derive?(sql: Transaction, step: Step, changed: readonly Changed[], by: Sender): Promise<void>
}

/** Whose transaction a step is about: rows that others carried out are confirmed and opened again apart. */
export type Sender = 'us' | 'others'

/** How a table names its states and columns. */
interface Words {
  readonly open: string
  readonly mined: string
  readonly confirmed: string
  readonly minedAt: string
  readonly why: string
}

export const MOVES: Words = {
  open: 'open',
  mined: 'mined',
  confirmed: 'confirmed',
  minedAt: 'mined_at',
  why: 'error',
}

/** Callers wait for these, and are answered when they are mined: that they are confirmed is a time of its own. */
export const REQUESTS: Words = {
  open: 'pending',
  mined: 'settled',
  confirmed: 'settled',
  minedAt: 'settled_at',
  why: 'reason',
}

/** A row that is to take a step, with what is known of it. */
export interface Given {
  readonly id: string
  /** Of the event that shows it mined. */
  readonly logIndex?: number | null
  /** Where others carried it out, as it was read: what is elsewhere by now is left alone. */
  readonly blockHash?: string
  /** Why it has failed. */
  readonly reason?: string
  /** What the ledger's own columns are set from; amounts as strings of base units. */
  readonly details?: Readonly<Record<string, string | boolean | null>>
}

export interface Changed {
  readonly id: string
  /** Its state before. */
  readonly was: string
  readonly invoiceId: InvoiceId | null
}

/**
 * Has those of the rows take a step that can, in the order of their ids, and derives what follows. Mined are also
 * those that had failed: a deep reorganisation can let work succeed that had ended. Returns those that changed.
 */
export async function advance(
  sql: Transaction,
  ledger: Ledger,
  step: Step,
  given: readonly Given[],
  at: MinedIn | null = null,
  by: Sender = 'us',
): Promise<readonly Changed[]> {
  if (given.length === 0) return []
  const table = sql(ledger.table)
  const ids = given.map(({ id }) => id)
  await ledger.lock?.(sql, ids)
  const changed = await sql<Changed[]>`
    with given as materialized (
      select * from jsonb_to_recordset(${sql.json(given.map(recordOf))})
        as g (id uuid, log_index integer, block_hash text, reason text, details jsonb)
    ), was as materialized (
      select id, status, confirmed_at ${ledger.hasOthers ? sql`, by_others, network_id, block_number, block_hash` : sql``}
      from ${table} where id = any(${ids}::uuid[]) order by id for no key update
    )
    update ${table} r set ${columnsOf(sql, ledger, step, at, by)} ${ledger.also[step]?.(sql) ?? sql``}
    from given join was using (id)
    where r.id = was.id and ${canTake(sql, ledger, step)} and ${isBy(sql, ledger, step, at, by)}
    returning r.id, was.status as was, ${ledger.isOfInvoice ? sql`r.invoice_id` : sql`null::uuid`} as invoice_id`
  if (changed.length > 0) await ledger.derive?.(sql, step, changed, by)
  return changed
}

/**
 * Has rows take a step together with their work, where no transaction of ours is the reason: they have failed, or others
 * have carried them out, or not after all. Returns those that changed.
 */
export async function advanceWithWork(
  sql: Transaction,
  ledger: Ledger,
  step: Exclude<Step, 'confirmed'>,
  given: readonly Given[],
  at: MinedIn | null = null,
): Promise<readonly Changed[]> {
  const changed = await advance(sql, ledger, step, given, at, step === 'failed' ? 'us' : 'others')
  if (changed.length === 0) return []
  const why = sql(ledger.words.why)
  const become = {
    mined: sql`state = 'settled', tx_id = null, result = jsonb_build_object('txHash', r.tx_hash)`,
    reopened: sql`state = 'queued', tx_id = null, result = null, tries = 0, not_before = now()`,
    failed: sql`state = 'failed', result = jsonb_build_object('error', r.${why})`,
  }
  await sql`
    update work_item w set ${become[step]}, updated_at = now()
    from ${sql(ledger.table)} r where w.subject_id = r.id and r.id = any(${idsOf(changed)}::uuid[])`
  return changed
}

/** Where another sender's transaction carried a row out. */
export interface DoneAt extends MinedIn {
  readonly logIndex: number
}

/**
 * Settles a row that another sender carried out. False when it is settled already, or that very transfer has paid for
 * another one.
 */
export async function settleByOthers(
  sql: Transaction,
  ledger: Ledger,
  id: string,
  at: MinedIn & Pick<Given, 'logIndex'>,
): Promise<boolean> {
  const given = [{ id, logIndex: at.logIndex ?? null }]
  return (await advanceWithWork(sql, ledger, 'mined', given, at)).length > 0
}

/** The merchants of rows, by their ids. */
export async function readMerchants(
  sql: Queryable,
  { table }: Ledger,
  ids: readonly string[],
): Promise<Map<string, MerchantId>> {
  const rows = await sql<{ id: string; merchantId: MerchantId }[]>`
    select id, merchant_id from ${sql(table)} where id = any(${[...ids]}::uuid[])`
  return new Map(rows.map(({ id, merchantId }) => [id, merchantId]))
}

/** The invoices of rows, each once, in the order in which they are locked. */
export function invoicesOf(changed: readonly Changed[]): InvoiceId[] {
  return [...new Set(changed.flatMap(({ invoiceId }) => invoiceId ?? []))].sort()
}

export function idsOf(changed: readonly Changed[]): string[] {
  return changed.map(({ id }) => id)
}

function recordOf({ id, logIndex = null, blockHash = '', reason = '', details = {} }: Given) {
  return { id, log_index: logIndex, block_hash: blockHash, reason, details }
}

/** What a step sets in every ledger. */
function columnsOf(
  sql: Queryable,
  { words, hasOthers }: Ledger,
  step: Step,
  at: MinedIn | null,
  by: Sender,
): Fragment {
  const [minedAt, why] = [sql(words.minedAt), sql(words.why)]
  const carrier = (is: boolean) => (hasOthers ? sql`, by_others = ${is}` : sql``)
  switch (step) {
    case 'mined':
      if (at === null) throw new Error('nothing shows where this was mined')
      return sql`status = ${words.mined}, ${why} = null, ${minedAt} = now(), tx_hash = ${at.txHash},
        block_number = ${at.block}, block_hash = ${at.blockHash} ${carrier(by === 'others')}`
    case 'confirmed':
      return sql`status = ${words.confirmed}, confirmed_at = now()`
    case 'reopened':
      return sql`status = ${words.open}, ${why} = null, ${minedAt} = null, tx_hash = null,
        block_number = null, block_hash = null, confirmed_at = null ${carrier(false)}`
    case 'failed':
      return sql`status = 'failed', ${why} = given.reason`
  }
}

/** Whether a row can take a step, by what it `was` when it was locked. */
function canTake(sql: Queryable, { words }: Ledger, step: Step): Fragment {
  const { open, mined, confirmed } = words
  switch (step) {
    case 'mined':
      return sql`was.status <> all(${[mined, confirmed]}::text[])`
    case 'confirmed':
      return sql`was.status = ${mined} and was.confirmed_at is null`
    case 'reopened':
      return sql`was.status = any(${[mined, confirmed]}::text[])`
    case 'failed':
      return sql`was.status = ${open}`
  }
}

/** Whether a row is the sender's whose transaction the step is about; one transfer of others settles one row. */
function isBy(
  sql: Queryable,
  { table, hasOthers }: Ledger,
  step: Step,
  at: MinedIn | null,
  by: Sender,
): Fragment {
  if (!hasOthers || step === 'failed' || (step === 'mined' && by === 'us')) return sql`true`
  if (by === 'us') return sql`not was.by_others`
  if (step === 'mined') {
    return sql`not exists (select from ${sql(table)} other where other.network_id = was.network_id
      and other.tx_hash = ${at?.txHash ?? null} and other.log_index = given.log_index)`
  }
  const isThere = sql`was.by_others and was.block_hash = given.block_hash`
  if (step === 'reopened') return isThere
  return sql`${isThere} and exists (select from chain_block b where b.network_id = was.network_id
    and b.number = was.block_number and b.hash = was.block_hash)`
}
