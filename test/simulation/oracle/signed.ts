import type postgres from 'postgres'
import type { SimulatedChain } from '../chain.ts'
import type { InvoiceRecord, Records, SignedRecord } from '../customers/records.ts'
import type { World } from '../world.ts'
import { nameOf, type Truth } from './truth.ts'

/** What must hold of invoices that are paid by signature. */

/** By how much the clocks of two processes differ at most, in s. */
const CLOCKS_S = 11

interface Row {
  readonly status: string
  readonly reason: string | null
  readonly hash: string | null
  readonly claimedAt: string
  readonly endsAt: string | null
}

export async function judgeSigned(
  { chain, counts, database: { admin: sql } }: World,
  truth: Truth,
  { invoices, signed }: Records,
): Promise<string[]> {
  const rows = new Map<SignedRecord, Row | undefined>()
  for (const record of signed) rows.set(record, await rowOf(sql, record))
  counts['paid signatures'] = [...rows.values()].filter((row) => row?.status === 'settled').length
  const problems: string[] = []
  for (const [record, row] of rows) {
    const name = `signature ${record.nonce} (${record.door}) for invoice ${record.invoice.id}`
    const found = [...judgeRow(truth, record, row), ...judgeAnswers(truth, chain, record)]
    problems.push(...found.map((problem) => `${name} ${problem}`))
  }
  for (const invoice of invoices) {
    const own = signed.filter((record) => record.invoice === invoice)
    if (own.length === 0) continue
    const found = [...judgeSum(truth, invoice, own), ...judgeMethods(truth, invoice, rows)]
    problems.push(...found.map((problem) => `invoice ${invoice.id} (${invoice.way}) ${problem}`))
  }
  problems.push(...(await judgeBalances(sql, truth, chain, rows)))
  return problems
}

/**
 * Payers spend nothing elsewhere: what was claimed they could afford. A balance that is read after a reorganisation has
 * back what was paid in a block that is gone: until that is stored of the block, its payer can claim more.
 */
async function judgeBalances(
  sql: postgres.Sql,
  truth: Truth,
  { replaced }: SimulatedChain,
  rows: ReadonlyMap<SignedRecord, Row | undefined>,
): Promise<string[]> {
  // What was refused, or not sent yet, and carried out by another sender was not known to the claims before it.
  const isSpent = ([record, row]: [SignedRecord, Row | undefined]) =>
    record.isCopied && row?.status !== 'settled' && usesOf(truth, record).length > 0
  const spent = [...rows].filter(isSpent).map(([{ payer }]) => payer)
  const moved = truth.transfers.flatMap(({ hash, from }) => {
    const block = replaced.get(hash)
    return block === undefined ? [] : [{ from, block }]
  })
  const broke = await sql<{ id: string }[]>`
    select id::text from (
      select id, payer, reason, created_at from x402_payment
      union all select id, payer, reason, created_at from invoice_authorization
    ) claim
    where reason = 'insufficient_funds' and payer <> all(${spent}) and not exists (
      select from unnest(${moved.map(({ from }) => from)}::text[], ${moved.map(({ block }) => block)}::text[])
        as gone (payer, block_hash)
      left join sim.forgotten f using (block_hash)
      where gone.payer = claim.payer and claim.created_at <= coalesce(f.at, 'infinity'))`
  return broke.map(({ id }) => `claim ${id} was more than its payer had left`)
}

async function rowOf(sql: postgres.Sql, { payer, nonce }: SignedRecord): Promise<Row | undefined> {
  const [row] = await sql<Row[]>`
    select a.status, a.reason, a.tx_hash::text as hash,
      extract(epoch from a.created_at)::text as "claimedAt",
      extract(epoch from least(i.expires_at, i.closed_at))::text as "endsAt"
    from invoice_authorization a join invoice i on i.id = a.invoice_id
    where a.payer = ${payer} and a.authorization_nonce = ${nonce}`
  return row
}

function usesOf({ used }: Truth, { payer, nonce }: SignedRecord): readonly string[] {
  return used.get(nameOf(payer, nonce)) ?? []
}

function judgeRow(truth: Truth, record: SignedRecord, row: Row | undefined): string[] {
  const used = usesOf(truth, record)
  const problems: string[] = []
  if (used.length > 1) problems.push(`was carried out ${used.length} times`)
  if (used.length > 0 && row?.status !== 'settled' && !record.isCopied)
    problems.push(`moved money and is ${row?.status}`)
  if (row === undefined) return problems
  if (row.status === 'settled' && row.hash !== used[0])
    problems.push(`is settled by ${row.hash}, and ${used[0]} moved the money`)
  if (row.endsAt === null || used.length === 0 || record.isCopied) return problems
  if (Number(row.claimedAt) > Number(row.endsAt) + CLOCKS_S)
    problems.push('was claimed after the invoice had ended')
  return problems
}

/** A success that was shown is on the chain, and what was refused has moved nothing. */
function judgeAnswers(truth: Truth, chain: SimulatedChain, record: SignedRecord): string[] {
  const used = usesOf(truth, record)
  const problems: string[] = []
  for (const { type, transaction, reason } of record.answers) {
    // An answer is what the chain shows at that moment.
    if (type === 'paid' && !used.includes(transaction) && !chain.replaced.has(transaction))
      problems.push(`was shown as paid by ${transaction}, and ${used} moved the money`)
    if (reason === 'settlement_pending' && !HASH.test(transaction))
      problems.push('was pending without a hash')
  }
  const last = record.answers.at(-1)
  const isPaid = record.answers.some(({ type }) => type === 'paid')
  if (last === undefined || last.type === 'pending') problems.push('has no answer')
  if (last?.type === 'refused' && !isPaid && used.length > 0 && !record.isCopied)
    problems.push(`was refused (${last.reason}) and moved money`)
  return problems
}

export const HASH = /^0x[0-9a-f]{64}$/

/** Signatures together pay no more than what is due. */
function judgeSum(truth: Truth, { deposit, amount, way }: InvoiceRecord, own: SignedRecord[]) {
  if (way === 'signed and sent' || own.some(({ isCopied }) => isCopied)) return []
  const into = truth.transfers.filter(({ to }) => to === deposit)
  const paid = into.reduce((total, transfer) => total + transfer.amount, 0n)
  return paid > amount ? [`was paid ${paid} by signatures, and ${amount} was due`] : []
}

/** Its merchant is shown how each payment was sent. */
function judgeMethods(
  truth: Truth,
  { shown, id }: InvoiceRecord,
  rows: ReadonlyMap<SignedRecord, Row | undefined>,
): string[] {
  const problems: string[] = []
  for (const { hash, payer, method } of shown) {
    const settled = [...rows].find(
      ([record, row]) =>
        record.invoice.id === id &&
        record.payer === payer &&
        row?.status === 'settled' &&
        row.hash === hash,
    )
    const is = settled?.[0].door ?? 'transfer'
    if (method !== is) problems.push(`shows ${hash} as paid by ${method} instead of ${is}`)
    if (!truth.transfers.some((transfer) => transfer.hash === hash))
      problems.push(`shows ${hash} as confirmed, which is not on the chain`)
  }
  return problems
}
