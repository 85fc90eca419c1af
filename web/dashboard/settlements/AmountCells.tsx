import { moneyOrDash } from '../parts/moneyOrDash.ts'
import { usePage } from '../parts/page.ts'

/** What came, what was kept of it, and what the merchant got: columns of settlements and of payouts. */

const COLUMNS = ['amount', 'fee', 'columnNet'] as const

export function AmountHeads() {
  const { words } = usePage()
  return COLUMNS.map((name) => (
    <th key={name} scope="col" class="right">
      {words.say(name)}
    </th>
  ))
}

interface AmountCellsProps {
  readonly row: {
    readonly amount: string | null
    readonly fee: string | null
    readonly merchantAmount: string | null
    readonly asset: string | null
  }
}

export function AmountCells({ row }: AmountCellsProps) {
  const { words } = usePage()
  const amounts = { amount: row.amount, fee: row.fee, columnNet: row.merchantAmount }
  return COLUMNS.map((name) => (
    <td key={name} class="figure right" data-label={words.say(name)}>
      {moneyOrDash(words, amounts[name], row.asset)}
    </td>
  ))
}
