import { csvOf } from '../parts/csvFile.ts'
import { moneyOrDash } from '../parts/moneyOrDash.ts'
import { type DashboardWords, usePage } from '../parts/page.ts'
import { type Column, Table } from '../parts/Table.tsx'
import type { Period } from './periods.ts'

const KINDS = { invoices: 'invoices', x402: 'x402' } as const

interface PeriodTableProps {
  readonly periods: readonly Period[]
  readonly totals: readonly Period[]
}

/** The report as a table, the newest first, with what it adds up to below. */
export function PeriodTable({ periods, totals }: PeriodTableProps) {
  const { words, networkName } = usePage()
  return (
    <Table
      label={words.say('reports')}
      columns={[
        {
          ...{ name: words.say('period'), kind: 'name', phone: 'start' },
          cell: ({ period }) => (period === '' ? words.say('total') : period),
        },
        {
          ...{ name: words.say('kindOfSale'), phone: 'below' },
          cell: ({ kind }) => words.say(KINDS[kind]),
        },
        {
          ...{ name: words.say('network'), kind: 'name', phone: 'below' },
          cell: ({ chain }) => networkName(chain) || '–',
        },
        ...AMOUNTS.map(
          ({ word, of }): Column<Period> => ({
            ...{ name: words.say(word), kind: 'figure' },
            cell: (line) => moneyOrDash(words, of(line), line.asset ?? words.say('unknownToken')),
          }),
        ),
      ]}
      rows={periods}
      totals={totals.map((line) => ({ ...line, period: '' }))}
      keyOf={(line) => Object.values(line).slice(0, 4).join(' ')}
    />
  )
}

const AMOUNTS = [
  { word: 'received', of: (line: Period) => line.received },
  { word: 'late', of: (line: Period) => line.late },
  { word: 'fee', of: (line: Period) => line.fees },
  { word: 'columnNet', of: (line: Period) => line.remitted },
  { word: 'refunded', of: (line: Period) => line.refunded },
] as const

/** The same lines as CSV, amounts in full. */
export function periodsCsv(words: DashboardWords, periods: readonly Period[]): string {
  return csvOf(periods, [
    [words.say('period'), ({ period }) => period],
    [words.say('kindOfSale'), ({ kind }) => words.say(KINDS[kind])],
    [words.say('network'), ({ chain }) => chain],
    ...AMOUNTS.map(({ word, of }) => [words.say(word), of] as const),
    [words.say('token'), ({ asset }) => asset],
  ])
}
