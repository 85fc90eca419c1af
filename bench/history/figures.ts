import type { MerchantId } from '../../core/base/ids.ts'
import type { Days } from '../../store/books/readScope.ts'
import type { Database } from '../../store/database/database.ts'
import type { World } from './world.ts'

/** Questions to GraphQL on top of a history: every field, asked by a merchant and by the operator. */

export interface Question {
  readonly isOperator: boolean
  /** One field of Query. */
  readonly field: string
  /** How many rows its statement has to go through, besides ten for each that it answers with. */
  readonly goesThrough: number
}

const DAY_MS = 86_400_000
/** The end and the number of the requested days. */
const ENDED_DAYS_AGO = 40
const DAYS = 20
/** What an index of the kind BRIN says is of so many pages at once. */
const PAGES_PER_RANGE = 128

export async function questionsOf({ database, merchant, chain }: World): Promise<Question[]> {
  const days = { from: dayBefore(ENDED_DAYS_AGO + DAYS), to: dayBefore(ENDED_DAYS_AGO) }
  const range = `from: "${days.from}", to: "${days.to}"`
  const { id } = merchant.merchant
  const own = await rowsOfDays(database, days, id)
  const all = await rowsOfDays(database, days, null)
  const around = (...tables: string[]) => rowsAround(database, tables)
  const sums = [
    `volume(${range}) { day received { decimal } }`,
    `volume(${range}, per: TOTAL, chain: "${chain.networkId}") { payments }`,
    `endpointRevenue(${range}) { day url payments }`,
  ]
  const movements = (kind: string, of = '') =>
    `movements(kind: ${kind}, ${range}${of}) { items { txHash onChain { block } } next }`
  const payers = (kind: string) =>
    `topPayers(${range}, kind: ${kind}, first: 5) { payers { address } addedUp }`
  const times = `settleTimes(${range}) { kind settled median }`
  const events = (narrowing: string) =>
    `hubEvents(chain: "${chain.networkId}", ${range}${narrowing}) { kind txHash ledgerId }`
  const asked = (isOperator: boolean, field: string, goesThrough = 0) => ({
    ...{ isOperator, field, goesThrough },
  })
  return [
    ...sums.flatMap((field) => [asked(false, field), asked(true, field)]),
    asked(true, `volume(${range}, byMerchant: true) { payments }`),
    ...['SETTLEMENT', 'REFUND', 'PAYOUT'].flatMap((kind) => [
      asked(false, movements(kind)),
      asked(true, movements(kind, `, merchant: "${id}"`)),
    ]),
    asked(true, movements('SETTLEMENT'), all.settlements + (await around('settlement'))),
    asked(true, movements('PAYOUT'), all.payouts + (await around('x402_distribution'))),
    asked(false, payers('INVOICE'), own.payments),
    asked(true, payers('INVOICE'), all.payments + (await around('payment'))),
    asked(false, payers('X402'), own.requests),
    asked(true, payers('X402'), all.requests + (await around('x402_payment'))),
    asked(false, times, own.invoices + own.requests),
    asked(true, times, all.invoices + all.requests + (await around('invoice', 'x402_payment'))),
    asked(true, events('')),
    // The events of another kind in between, and what of the ledger belongs to each.
    asked(true, events(', kind: DISTRIBUTED'), 3 * (all.settlements + all.payouts)),
    asked(true, events(', booked: false'), 3 * (all.settlements + all.payouts)),
  ]
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
}

/** How many rows of these days there are, of one merchant or of all. */
async function rowsOfDays(sql: Database, { from, to }: Days, merchantId: MerchantId | null) {
  const count = async (table: string, column: string) => {
    const [row] = await sql<{ rows: number }[]>`
      select count(*)::integer as rows from ${sql(table)}
      where merchant_id = coalesce(${merchantId}::uuid, merchant_id)
        and ${sql(column)} >= ${from}::text::timestamptz and ${sql(column)} < ${to}::text::timestamptz`
    return row?.rows ?? 0
  }
  return {
    payments: await count('payment', 'confirmed_at'),
    requests: await count('x402_payment', 'confirmed_at'),
    invoices: await count('invoice', 'paid_at'),
    settlements: await count('settlement', 'created_at'),
    payouts: await count('x402_distribution', 'block_time'),
  }
}

/** How many more an index leads to that says what is in so many pages at once: those at both ends of the days. */
async function rowsAround(sql: Database, tables: readonly string[]): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`
    select ceil(sum(2 * ${PAGES_PER_RANGE} * reltuples / greatest(relpages, 1)))::integer as rows
    from pg_class where oid = any(${[...tables]}::regclass[])`
  return row?.rows ?? 0
}
