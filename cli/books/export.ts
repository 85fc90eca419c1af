import { open } from 'node:fs/promises'
import type { MerchantId } from '../../core/base/ids.ts'
import { parseInstant } from '../../core/base/instant.ts'
import { LedgerText, ledgerHead } from '../../core/books/beancount.ts'
import { type Entry, entryOf } from '../../core/books/entry.ts'
import { ENTRY_HEADER, entryLines } from '../../core/books/entryCsv.ts'
import type { Chain } from '../../core/chain/registry.ts'
import type { Merchant } from '../../store/access/merchants.ts'
import type { Database } from '../../store/database/database.ts'
import { type ReportPlace, reportTransactions } from '../../store/invoice/list/reports.ts'
import {
  CommandError,
  type CommandInput,
  type CommandOutcome,
  type CommandSpec,
  misused,
} from '../terminal/command.ts'
import { requireRegistry } from '../terminal/environment.ts'
import { requireMerchant, withLedger } from '../terminal/ledger.ts'
import { merchantOption, requiredChoice } from '../terminal/options.ts'

const FORMATS = ['beancount', 'csv'] as const
const ROWS_PER_PAGE = 2_000

export const exportCommand: CommandSpec = {
  words: ['export'],
  about: "Write a merchant's books in double entry, for Beancount or as CSV.",
  details: `Every confirmed payment, settlement, refund, x402 payment and payout is an entry whose postings add up to
zero. Money is in Assets:Remit:Deposits or :Forwarder until it is paid out to Assets:Remit:Treasury. Sales are in
Income:Remit:Sales and :X402; late payments, other tokens and other chains have separate accounts, as they may be
refunded; the platform's fee is in Expenses:Remit:Fees. A fee that the token refused
to transfer is in Liabilities:Remit:FeesOwed until it is charged. An unknown token is booked in its smallest
unit. Days are UTC, by confirmation.`,
  options: {
    merchant: { value: 'ID', about: 'The merchant', required: true },
    format: { value: 'FORMAT', about: 'beancount or csv', required: true },
    from: {
      value: 'TIME',
      about: 'Only entries detected at or after this time, e.g. 2026-01-01T00:00:00Z',
    },
    to: { value: 'TIME', about: 'Only entries detected before this time' },
    out: { value: 'FILE', about: 'The output file (default: standard output)' },
  },
  examples: [
    'export --merchant 0198c5b4-7f1e-7000-8000-5d5d1c1f0a11 --format beancount --out books.beancount',
    'export --merchant 0198c5b4-7f1e-7000-8000-5d5d1c1f0a11 --format csv --from 2026-01-01T00:00:00Z',
  ],
  run,
}

async function run(input: CommandInput): Promise<CommandOutcome> {
  const merchantId = merchantOption(input)
  const format = requiredChoice(input, 'format', FORMATS)
  const range = { from: instant(input, 'from'), to: instant(input, 'to') }
  const chains = requireRegistry(input)
  const file = input.values.get('out')
  return await withLedger(input, async (database) => {
    const merchant = await requireMerchant(database, merchantId)
    const entries = entriesOf(database, merchantId, range, chains)
    const text = format === 'csv' ? asCsv(entries) : asBeancount(entries, merchant)
    if (file !== undefined) {
      const count = await writeTo(file, text)
      return { json: { file, entries: count }, text: `${count} entries written to ${file}` }
    }
    const parts: string[] = []
    for await (const { part } of text) parts.push(part)
    const content = parts.join('')
    return { json: { format, content }, text: content.trimEnd() }
  })
}

interface Part {
  readonly part: string
  readonly entries: number
}

async function* entriesOf(
  database: Database,
  merchantId: MerchantId,
  range: { readonly from: Date | null; readonly to: Date | null },
  chains: readonly Chain[],
): AsyncGenerator<Entry> {
  let after: ReportPlace | null = null
  do {
    const page = await reportTransactions(database, merchantId, range, after, ROWS_PER_PAGE)
    for (const row of page.transactions) {
      const entry = entryOf(row, chains)
      if (entry !== null && entry.postings.length > 0) yield entry
    }
    after = page.next
  } while (after !== null)
}

async function* asCsv(entries: AsyncIterable<Entry>): AsyncGenerator<Part> {
  yield { part: ENTRY_HEADER, entries: 0 }
  for await (const entry of entries) yield { part: entryLines(entry), entries: 1 }
}

async function* asBeancount(
  entries: AsyncIterable<Entry>,
  { name }: Merchant,
): AsyncGenerator<Part> {
  yield { part: ledgerHead(`Remit: ${name}`), entries: 0 }
  const ledger = new LedgerText()
  for await (const entry of entries) yield { part: ledger.of(entry), entries: 1 }
}

/** Returns the number of written entries. */
async function writeTo(file: string, text: AsyncIterable<Part>): Promise<number> {
  const handle = await open(file, 'w', 0o600).catch((cause: unknown) => {
    throw new CommandError([`${file} can't be written`], { cause })
  })
  let count = 0
  try {
    for await (const { part, entries } of text) {
      await handle.write(part)
      count += entries
    }
  } finally {
    await handle.close()
  }
  return count
}

function instant(input: CommandInput, name: string): Date | null {
  const text = input.values.get(name)
  if (text === undefined) return null
  const parsed = parseInstant(text)
  if (parsed === null) throw misused(input, `--${name} must be a time like 2026-01-31T12:00:00Z`)
  return parsed
}
