import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { getData, merchantApi, request } from '../session/request.ts'
import { apiQuery, type Filters } from './filters.ts'

/** An invoice as a row of the list shows it. */
export interface Row {
  readonly id: string
  readonly reference: string
  readonly externalRef: string | null
  readonly status: InvoiceJson['status']
  readonly expired: boolean
  readonly tokenSymbol: string
  readonly amountExpected: string
  /** Null where it is not known: a search finds invoices without their money. */
  readonly receivedAmount: string | null
  readonly createdAt: string
}

/** A page of the list, with the cursors of its neighbours. */
export interface Rows {
  readonly rows: readonly Row[]
  readonly next: string | null
  readonly previous: string | null
}

interface ListAnswer {
  readonly data: readonly InvoiceJson[]
  readonly metadata: {
    readonly pagination: { readonly next: string | null; readonly previous: string | null }
  }
}

type Found = Omit<Row, 'id' | 'expired' | 'receivedAmount'> & { readonly invoiceId: string }

/** The rows that the filters choose, or what a search finds, which the filters don't narrow down. */
export async function loadRows(merchantId: string, filters: Filters): Promise<Rows> {
  if (filters.search !== '') {
    const path = `/v1/search?${new URLSearchParams({ q: filters.search })}`
    const found = await getData<readonly Found[]>(merchantApi(merchantId, path))
    const rows = found.map(({ invoiceId, ...rest }) => {
      return { ...rest, id: invoiceId, expired: false, receivedAmount: null }
    })
    return { rows, next: null, previous: null }
  }
  const path = merchantApi(merchantId, `/v1/invoices?${apiQuery(filters)}`)
  const { data, metadata } = await request<ListAnswer>('GET', path)
  return { rows: data, ...metadata.pagination }
}
