/** What the list of invoices is narrowed down by. It stands in the address, so that a link shows the same. */
export interface Filters {
  /** A status of the API, `expired`, or empty for all. */
  readonly status: string
  readonly token: string
  /** Days as inputs have them, e.g. 2026-08-01, in the reader's own zone. */
  readonly from: string
  readonly to: string
  readonly search: string
  /** The cursor of a page, at most one of the two. */
  readonly after: string
  readonly before: string
}

export const STATUSES = ['pending', 'partial', 'paid', 'completed', 'expired'] as const
export const TOKENS = ['USDC', 'USDT'] as const
export const PAGE_LENGTH = 25

const NAMES = {
  status: 'status',
  token: 'token',
  from: 'from',
  to: 'to',
  search: 'q',
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

/** Other filters begin at the first page again. */
export function changed(filters: Filters, change: Partial<Filters>): Filters {
  return { ...filters, after: '', before: '', ...change }
}

export function isNarrowed({ status, token, from, to }: Filters): boolean {
  return [status, token, from, to].some((value) => value !== '')
}

/** What the API is asked for. */
export function apiQuery({ status, token, from, to, after, before }: Filters): string {
  const query = new URLSearchParams({ limit: String(PAGE_LENGTH) })
  if (before === '') query.set('after', after)
  else query.set('before', before)
  if (status === 'expired') query.set('expired', 'true')
  else if (status !== '') query.set('status', status)
  if (token !== '') query.set('tokenSymbol', token)
  if (isDay(from)) query.set('createdFrom', new Date(`${from}T00:00:00`).toISOString())
  if (isDay(to)) query.set('createdTo', new Date(`${to}T23:59:59.999`).toISOString())
  return query.toString()
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00`))
}
