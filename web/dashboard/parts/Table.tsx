import type { ComponentChildren } from 'preact'
import { Wide } from './Wide.tsx'

/** A column of a table. */
export interface Column<Row> {
  /** What its head says; on a phone each cell says it, unless it has a place there. */
  readonly name: string
  readonly kind?: 'figure' | 'name' | 'long' | 'actions'
  /** On a phone: first or last of a row's first line, one of those below it, or the whole width. */
  readonly phone?: 'start' | 'end' | 'below' | 'whole' | 'none'
  readonly cell: (row: Row) => ComponentChildren
}

interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Whether a click anywhere in a row follows the link of its first cell. */
  readonly isLinked?: boolean
  /** Rows of sums. */
  readonly totals?: readonly Row[]
}

/** More columns than these stand closer together. */
const MOST_WIDE = 6

/** Rows in columns, the first of which names the row; on a phone each row is a few lines. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, totals, keyOf, isLinked = false } = props
  const line = (row: Row) => <Line key={keyOf(row)} columns={columns} row={row} />
  return (
    <Wide label={label}>
      <table class={`${isLinked ? 'linked' : ''} ${columns.length > MOST_WIDE ? 'tight' : ''}`}>
        <caption class="hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ name, kind }) => (
              <th key={name} scope="col" class={kind === 'figure' ? 'right' : ''}>
                {kind === 'actions' ? <span class="hidden">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.map(line)}</tbody>
        {totals && <tfoot>{totals.map(line)}</tfoot>}
      </table>
    </Wide>
  )
}

const CLASSES = { figure: 'figure right', name: 'name', long: 'long', actions: 'right' } as const

function Line<Row>({ columns, row }: Pick<TableProps<Row>, 'columns'> & { readonly row: Row }) {
  return (
    <tr>
      {columns.map(({ name, kind, phone, cell }, at) => {
        const look = `${kind ? CLASSES[kind] : ''} ${phone ? `phone-${phone}` : ''}`
        if (at === 0) {
          return (
            <th key={name} scope="row" class={look}>
              {cell(row)}
            </th>
          )
        }
        return (
          <td key={name} class={look} {...(phone === undefined ? { 'data-label': name } : {})}>
            {cell(row)}
          </td>
        )
      })}
    </tr>
  )
}
