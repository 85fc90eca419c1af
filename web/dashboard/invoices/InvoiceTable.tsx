import { isZero } from '../parts/decimal.ts'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { type DashboardWords, usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Table, type Column as TableColumn } from '../parts/Table.tsx'
import { COLUMN_DEFINITIONS, type Column } from './columns.ts'
import type { Row } from './rows.ts'
import { statusOf } from './status.ts'

interface InvoiceTableProps {
  readonly merchantId: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
}

/** The list as a table; on a phone an invoice is two lines. */
export function InvoiceTable({ merchantId, columns, rows }: InvoiceTableProps) {
  const { words, networkName } = usePage()
  const reference: TableColumn<Row> = {
    name: words.say('columnReference'),
    phone: 'below',
    cell: ({ id, reference }) => <a href={placePath(merchantId, 'invoices', id)}>{reference}</a>,
  }
  const isWhole = !columns.includes('received')
  return (
    <Table
      label={words.say('invoices')}
      columns={[
        reference,
        ...columns.map((column) => columnOf(words, networkName, column, isWhole)),
      ]}
      rows={rows}
      keyOf={({ id }) => id}
      isLinked
    />
  )
}

const PHONE = { status: 'end', amount: 'start', order: 'below', created: 'below' } as const
const KINDS = { money: 'figure', text: 'long', network: 'name' } as const

function columnOf(
  words: DashboardWords,
  networkName: (id: string) => string,
  column: Column,
  isWhole: boolean,
): TableColumn<Row> {
  const { word, kind, read } = COLUMN_DEFINITIONS[column]
  const place = Object.entries(PHONE).find(([name]) => name === column)?.[1]
  function cell(row: Row) {
    const value = read(row)
    if (kind === 'status') {
      const status = statusOf(row)
      return <Pill tone={status.tone} text={words.say(status.word)} />
    }
    if (value === null) return column === 'order' ? '' : '–'
    if (column === 'amount' && isWhole) return <Amount row={row} />
    if (kind === 'money') return words.money(value, row.tokenSymbol)
    if (kind === 'moment') return <Moment at={value} />
    return kind === 'network' ? networkName(value) : value
  }
  return {
    name: words.say(word),
    cell,
    ...(kind === 'money' || kind === 'text' || kind === 'network' ? { kind: KINDS[kind] } : {}),
    ...(place === undefined ? {} : { phone: place }),
  }
}

/** The amount due, and the amount received where it differs. */
export function Amount({
  row,
}: {
  readonly row: Pick<Row, 'amountExpected' | 'receivedAmount' | 'tokenSymbol'>
}) {
  const { words } = usePage()
  const { amountExpected, receivedAmount, tokenSymbol } = row
  const isOther = !isZero(receivedAmount) && receivedAmount !== amountExpected
  return (
    <>
      {words.money(amountExpected, tokenSymbol)}
      {isOther && (
        <small class="hint block">
          {words.say('received')} {words.amount(receivedAmount, tokenSymbol)}
        </small>
      )}
    </>
  )
}
