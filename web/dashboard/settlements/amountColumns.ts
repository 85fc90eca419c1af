import { moneyOrDash } from '../parts/moneyOrDash.ts'
import type { DashboardWords } from '../parts/page.ts'
import type { Column } from '../parts/Table.tsx'

interface Amounts {
  readonly amount: string | null
  readonly fee: string | null
  readonly merchantAmount: string | null
  readonly asset: string | null
}

/** What came, what was kept of it, and what the merchant got: columns of settlements and of payouts. */
export function amountColumns<Row extends Amounts>(words: DashboardWords): readonly Column<Row>[] {
  return [
    {
      ...{ name: words.say('amount'), kind: 'figure' },
      cell: ({ amount, asset }) => moneyOrDash(words, amount, asset),
    },
    {
      ...{ name: words.say('fee'), kind: 'figure' },
      cell: ({ fee, asset }) => moneyOrDash(words, fee, asset),
    },
    {
      ...{ name: words.say('columnNet'), kind: 'figure', phone: 'start' },
      cell: ({ merchantAmount, asset }) => moneyOrDash(words, merchantAmount, asset),
    },
  ]
}
