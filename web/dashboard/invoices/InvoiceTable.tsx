import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import type { Row } from './rows.ts'
import { statusOf } from './status.ts'

interface InvoiceTableProps {
  readonly merchantId: string
  readonly rows: readonly Row[]
}

/** The list as a table; on a phone each row is a card. */
export function InvoiceTable({ merchantId, rows }: InvoiceTableProps) {
  const { words } = usePage()
  return (
    <table>
      <caption class="hidden">{words.say('invoices')}</caption>
      <thead>
        <tr>
          <th scope="col">{words.say('columnReference')}</th>
          <th scope="col">{words.say('columnOrder')}</th>
          <th scope="col">{words.say('columnStatus')}</th>
          <th scope="col" class="right">
            {words.say('columnAmount')}
          </th>
          <th scope="col" class="right">
            {words.say('columnReceived')}
          </th>
          <th scope="col">{words.say('columnCreated')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <InvoiceRow key={row.id} merchantId={merchantId} row={row} />
        ))}
      </tbody>
    </table>
  )
}

function InvoiceRow({ merchantId, row }: { readonly merchantId: string; readonly row: Row }) {
  const { words } = usePage()
  const { word, tone } = statusOf(row)
  return (
    <tr>
      <th scope="row">
        <a href={`/dashboard/merchants/${merchantId}/invoices/${row.id}`}>{row.reference}</a>
      </th>
      <td class="long" data-label={words.say('columnOrder')}>
        {row.externalRef ?? '–'}
      </td>
      <td data-label={words.say('columnStatus')}>
        <Pill tone={tone} text={words.say(word)} />
      </td>
      <td class="figure right" data-label={words.say('columnAmount')}>
        {words.money(row.amountExpected, row.tokenSymbol)}
      </td>
      <td class="figure right" data-label={words.say('columnReceived')}>
        {row.receivedAmount === null ? '–' : words.money(row.receivedAmount, row.tokenSymbol)}
      </td>
      <td data-label={words.say('columnCreated')}>
        <Moment at={row.createdAt} />
      </td>
    </tr>
  )
}
