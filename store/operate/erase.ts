import { NIL_UUID } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Database, Transaction } from '../database/database.ts'
import { addCommandEntry } from '../events/audit.ts'
import { added, type ErasedRows, present } from './erasedRows.ts'
import { emptySessions, eraseInvoices } from './eraseInvoices.ts'
import { eraseUser } from './eraseUsers.ts'
import { findRemains, type Remain } from './remains.ts'
import { invoicesAbout, type Subject, wordsOf } from './subject.ts'

/**
 * Erases personal data of a user or payer, in batches of invoices. Each batch is one transaction and finds what
 * is left: an interrupted run can be repeated.
 */

const BATCH = 200

export interface Erasure {
  /** Rows that were changed or removed, by table; empty when there was nothing. */
  readonly rows: ErasedRows
  /** Merchants that block the erasure, because they have no other owner. */
  readonly ownerless: readonly string[]
  /** Where the given text remains. Empty also when it is too short to search for. */
  readonly remains: readonly Remain[]
}

export interface ErasureTerms {
  /** Who requests it, as the audit log names them. */
  readonly operator: string
  /** Only reports what would be done. */
  readonly isTrial: boolean
  readonly batch?: number
}

export async function erase(
  database: Database,
  subject: Subject,
  terms: ErasureTerms,
): Promise<Erasure> {
  const words = wordsOf(subject)
  let rows: ErasedRows = {}
  if (subject.type === 'email') {
    const person = await carryOut(database, subject, terms, (sql) => eraseUser(sql, subject.email))
    if (person.ownerless.length > 0) return { ...person, remains: [] }
    rows = person.rows
  }
  const { batch = BATCH } = terms
  for (let after: string = NIL_UUID, isMore = true; isMore; ) {
    const ids = await patiently(database, (sql) => invoicesAbout(sql, subject, after, batch))
    const done = await carryOut(database, subject, terms, async (sql) => {
      return { rows: await eraseInvoices(sql, ids, words) }
    })
    rows = added(rows, done.rows)
    after = ids.at(-1) ?? after
    isMore = ids.length === batch
  }
  if (subject.type === 'refundAddress') {
    const { address } = subject
    const done = await carryOut(database, subject, terms, async (sql) => {
      return {
        rows: { checkout_session: await emptySessions(sql, await sessionsWith(sql, address)) },
      }
    })
    rows = added(rows, done.rows)
  }
  const remains = terms.isTrial ? [] : await allRemains(database, words)
  return { rows: present(rows), ownerless: [], remains }
}

/** Ends a trial's transaction. */
class Undone extends Error {
  override readonly name = 'Undone'
}

/** Does a part of it and notes that in the audit log, both or neither. */
async function carryOut<T extends { readonly rows: ErasedRows }>(
  database: Database,
  subject: Subject,
  { operator, isTrial }: ErasureTerms,
  work: (sql: Transaction) => Promise<T>,
): Promise<T> {
  let result: T | undefined
  try {
    return await patiently(database, async (sql) => {
      result = await work(sql)
      if (isTrial) throw new Undone('this was a trial')
      if (Object.keys(present(result.rows)).length > 0) {
        await note(sql, subject, operator, present(result.rows))
      }
      return result
    })
  } catch (error) {
    if (error instanceof Undone && result !== undefined) return result
    throw error
  }
}

/** For tables of any size. */
function patiently<T>(database: Database, work: (sql: Transaction) => Promise<T>): Promise<T> {
  return database
    .begin(async (sql) => {
      await sql`set local statement_timeout = 0`
      return { result: await work(sql) }
    })
    .then(({ result }) => result)
}

/** What was done, and nothing of what is gone. */
async function note(
  sql: Transaction,
  { type }: Subject,
  operator: string,
  rows: ErasedRows,
): Promise<void> {
  await addCommandEntry(sql, { operator, action: 'erase', after: { by: type, rows } })
}

async function sessionsWith(sql: Transaction, address: Address): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from checkout_session where refund_address = ${address}`
  return rows.map(({ id }) => id)
}

async function allRemains(database: Database, words: readonly string[]): Promise<Remain[]> {
  const found: Remain[] = []
  for (const word of words)
    found.push(...(await patiently(database, (sql) => findRemains(sql, word))))
  return found
}
