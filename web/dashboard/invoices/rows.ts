import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { getList, type Listed } from '../session/lists.ts'
import { getData, merchantApi } from '../session/request.ts'
import { apiQuery, type Filters, metadataIn, PAGE_LENGTH } from './filters.ts'

/** An invoice as a row of the list shows it. */
export type Row = Pick<
  InvoiceJson,
  | 'id'
  | 'reference'
  | 'externalRef'
  | 'status'
  | 'expired'
  | 'tokenSymbol'
  | 'amountExpected'
  | 'receivedAmount'
  | 'amountRemitted'
  | 'platformFee'
  | 'refundedAmount'
  | 'targetNetwork'
  | 'createdAt'
  | 'paidAt'
  | 'completedAt'
  | 'expiresAt'
>

export type Rows = Listed<Row>

/** The rows that the filters choose, or what a search finds, which the filters don't narrow down. */
export async function loadRows(merchantId: string, filters: Filters): Promise<Rows> {
  const { search } = filters
  if (search === '') return list(merchantId, filters, {})
  const metadata = metadataIn(search)
  if (metadata !== null) {
    const found = await list(merchantId, filters, metadata)
    if (found.rows.length > 0) return found
  }
  return find(merchantId, search)
}

function list(
  merchantId: string,
  filters: Filters,
  more: Readonly<Record<string, string>>,
): Promise<Rows> {
  const path = merchantApi(merchantId, '/v1/invoices')
  const query = filters.search === '' ? apiQuery(filters) : {}
  return getList<InvoiceJson>(path, filters, PAGE_LENGTH, { ...query, ...more })
}

/** A search names invoices; each is read, so that every column is there. */
async function find(merchantId: string, search: string): Promise<Rows> {
  const path = merchantApi(merchantId, `/v1/search?${new URLSearchParams({ q: search })}`)
  const found = await getData<readonly { readonly invoiceId: string }[]>(path)
  const rows = await Promise.all(
    found.map(({ invoiceId }) =>
      getData<InvoiceJson>(merchantApi(merchantId, `/v1/invoices/${invoiceId}`)),
    ),
  )
  return { rows, next: null, previous: null }
}
