import { isDay } from '../../../core/base/instant.ts'

/** Filters of the audit log, kept in the URL. */

export const FILTERS = ['actor', 'who', 'action', 'from', 'to', 'before'] as const
export type Filters = Readonly<Record<(typeof FILTERS)[number], string>>

export function readFilters(query: Readonly<Record<string, string>>): Filters {
  const { actor = '', who = '', action = '', from = '', to = '', before = '' } = query
  return { actor, who, action, from, to, before }
}

/** The query of the page's address, without what is empty. */
export function pageQuery(filters: Filters): string {
  const query = new URLSearchParams()
  for (const name of FILTERS) if (filters[name] !== '') query.set(name, filters[name])
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** The query for the server: days are those of the reader's own time zone. */
export function apiQuery(filters: Filters): string {
  const { from, to } = filters
  return pageQuery({
    ...filters,
    from: isDay(from) ? new Date(`${from}T00:00:00`).toISOString() : '',
    to: isDay(to) ? new Date(`${to}T23:59:59.999`).toISOString() : '',
  })
}

export function isNarrowed(filters: Filters): boolean {
  return FILTERS.some((name) => name !== 'before' && filters[name] !== '')
}
