import { csvText } from '../parts/csvFile.ts'
import { moneyOrDash } from '../parts/moneyOrDash.ts'
import { type DashboardWords, usePage } from '../parts/page.ts'
import { Wide } from '../parts/Wide.tsx'
import type { Period } from './periods.ts'

const KINDS = { invoices: 'invoices', x402: 'x402' } as const

interface PeriodTableProps {
  readonly periods: readonly Period[]
  readonly totals: readonly Period[]
}

/** The report as a table, the newest first, with what it adds up to below. */
export function PeriodTable({ periods, totals }: PeriodTableProps) {
  const { words } = usePage()
  return (
    <Wide label={words.say('reports')}>
      <table>
        <caption class="hidden">{words.say('reports')}</caption>
        <thead>
          <tr>
            <th scope="col">{words.say('period')}</th>
            <th scope="col">{words.say('kindOfSale')}</th>
            <th scope="col">{words.say('network')}</th>
            {AMOUNTS.map(({ word }) => (
              <th key={word} scope="col" class="right">
                {words.say(word)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {periods.map((line) => (
            <Line key={Object.values(line).slice(0, 4).join(' ')} line={line} title={line.period} />
          ))}
        </tbody>
        <tfoot>
          {totals.map((line) => (
            <Line key={`${line.kind} ${line.asset}`} line={line} title={words.say('total')} />
          ))}
        </tfoot>
      </table>
    </Wide>
  )
}

const AMOUNTS = [
  { word: 'received', of: (line: Period) => line.received },
  { word: 'late', of: (line: Period) => line.late },
  { word: 'fee', of: (line: Period) => line.fees },
  { word: 'columnNet', of: (line: Period) => line.remitted },
  { word: 'refunded', of: (line: Period) => line.refunded },
] as const

function Line({ line, title }: { readonly line: Period; readonly title: string }) {
  const { words, networkName } = usePage()
  const network = networkName(line.chain)
  const unit = line.asset ?? words.say('unknownToken')
  return (
    <tr>
      <th scope="row" class="unbroken">
        {title}
      </th>
      <td data-label={words.say('kindOfSale')}>{words.say(KINDS[line.kind])}</td>
      <td class="name" data-label={words.say('network')}>
        {network === '' ? '–' : network}
      </td>
      {AMOUNTS.map(({ word, of }) => {
        const amount = of(line)
        return (
          <td key={word} class="figure right" data-label={words.say(word)}>
            {moneyOrDash(words, amount, unit)}
          </td>
        )
      })}
    </tr>
  )
}

/** The same lines as CSV, amounts in full. */
export function csvOf(words: DashboardWords, periods: readonly Period[]): string {
  const head = [
    words.say('period'),
    words.say('kindOfSale'),
    words.say('network'),
    ...AMOUNTS.map(({ word }) => words.say(word)),
    words.say('token'),
  ]
  const lines = periods.map((line) => [
    line.period,
    words.say(KINDS[line.kind]),
    line.chain,
    ...AMOUNTS.map(({ of }) => of(line)),
    line.asset,
  ])
  return csvText([head, ...lines])
}
