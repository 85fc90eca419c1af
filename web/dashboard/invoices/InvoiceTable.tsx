import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Wide } from '../parts/Wide.tsx'
import { COLUMN_DEFINITIONS, type Column } from './columns.ts'
import type { Row } from './rows.ts'
import { statusOf } from './status.ts'

interface InvoiceTableProps {
  readonly merchantId: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
}

/** The list as a table; on a phone each row is a card. */
export function InvoiceTable({ merchantId, columns, rows }: InvoiceTableProps) {
  const { words } = usePage()
  return (
    <Wide label={words.say('invoices')}>
      <table>
        <caption class="hidden">{words.say('invoices')}</caption>
        <thead>
          <tr>
            <th scope="col">{words.say('columnReference')}</th>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                class={COLUMN_DEFINITIONS[column].kind === 'money' ? 'right' : ''}
              >
                {words.say(COLUMN_DEFINITIONS[column].word)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <a href={placePath(merchantId, 'invoices', row.id)}>{row.reference}</a>
              </th>
              {columns.map((column) => (
                <Cell key={column} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

function Cell({ column, row }: { readonly column: Column; readonly row: Row }) {
  const { words, networkName } = usePage()
  const { word, kind, read } = COLUMN_DEFINITIONS[column]
  const label = { 'data-label': words.say(word) }
  const value = read(row)
  if (kind === 'status') {
    const status = statusOf(row)
    return (
      <td {...label}>
        <Pill tone={status.tone} text={words.say(status.word)} />
      </td>
    )
  }
  if (value === null) return <td {...label}>–</td>
  if (kind === 'money') {
    return (
      <td class="figure right" {...label}>
        {words.money(value, row.tokenSymbol)}
      </td>
    )
  }
  if (kind === 'moment') {
    return (
      <td {...label}>
        <Moment at={value} />
      </td>
    )
  }
  const shown = kind === 'network' ? networkName(value) : value
  return (
    <td class="long" {...label}>
      {shown}
    </td>
  )
}
