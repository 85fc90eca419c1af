import { isDay } from '../../../core/base/instant.ts'
import type { ListPlace } from '../session/lists.ts'

/** Filters of the invoice list, kept in the URL. */
export interface Filters extends ListPlace {
  /** A status of the API, `expired`, or empty for all. */
  readonly status: string
  readonly token: string
  /** Days as inputs have them, e.g. 2026-08-01, in the reader's own zone. */
  readonly from: string
  readonly to: string
  readonly search: string
  /** The chosen columns by their names, with commas; empty for the usual ones. */
  readonly columns: string
}

export const STATUSES = ['pending', 'partial', 'paid', 'completed', 'expired'] as const
export const PAGE_LENGTH = 25

const NAMES = {
  status: 'status',
  token: 'token',
  from: 'from',
  to: 'to',
  search: 'q',
  columns: 'columns',
  after: 'after',
  before: 'before',
} as const satisfies Record<keyof Filters, string>

export function readFilters(query: Readonly<Record<string, string>>): Filters {
  const read = (name: keyof Filters) => query[NAMES[name]] ?? ''
  return {
    status: read('status'),
    token: read('token'),
    from: read('from'),
    to: read('to'),
    search: read('search'),
    columns: read('columns'),
    after: read('after'),
    before: read('before'),
  }
}

/** The query of the page's address, without what is empty. */
export function pageQuery(filters: Filters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({
    ...filters,
    search: undefined,
    q: filters.search,
  })) {
    if (value) query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** What of the address a saved view keeps: everything but the place in the list. */
export function viewQuery(filters: Filters): string {
  return pageQuery({ ...filters, after: '', before: '' }).slice(1)
}

/** Other filters begin at the first page again. */
export function changed(filters: Filters, change: Partial<Filters>): Filters {
  return { ...filters, after: '', before: '', ...change }
}

export function isNarrowed({ status, token, from, to }: Filters): boolean {
  return [status, token, from, to].some((value) => value !== '')
}

/** The query for the API. */
export function apiQuery({ status, token, from, to }: Filters): Readonly<Record<string, string>> {
  return {
    ...(status === 'expired' ? { expired: 'true' } : status !== '' ? { status } : {}),
    ...(token !== '' ? { tokenSymbol: token } : {}),
    ...(isDay(from) ? { createdFrom: new Date(`${from}T00:00:00`).toISOString() } : {}),
    ...(isDay(to) ? { createdTo: new Date(`${to}T23:59:59.999`).toISOString() } : {}),
  }
}

/** A search for metadata, e.g. cart=c-77 or cart: c-77, as the list of the API takes it; null for any other. */
export function metadataIn(search: string): Readonly<Record<string, string>> | null {
  const [, key, value] = /^([\w.-]{1,60})\s*[=:]\s*(.{1,200})$/s.exec(search) ?? []
  return key === undefined || value === undefined ? null : { [`metadata[${key}]`]: value }
}
