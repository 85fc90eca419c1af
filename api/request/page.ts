import { integerParameter, type Parameter, type Parameters } from './parameter.ts'
import type { Query, QueryReader } from './query.ts'

/** How lists are paged: specification section 2.1. */

export const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100

/** How the description of a list ends. */
export const PAGED = 'Page through them with `page` or with `offset`; a page past the end is empty.'

/** The part of a list that was asked for. */
export interface PageRequest {
  readonly limit: number
  readonly offset: bigint
}

/** Where a page lies in a list, as its metadata says. */
export interface Pagination {
  readonly page: number
  readonly limit: number
  readonly total: number
  readonly totalPages: number
}

/** Reads which page of a list is wanted, and the filters that choose what is on the list. */
export function listQuery<F>(
  things: string,
  filters: Parameters<F>,
): Query<{ readonly page: PageRequest; readonly filter: F }> {
  const parameters = pageParameters(things)
  return {
    parameters: { ...parameters, ...filters },
    read: (reader) => ({ page: readPage(reader, parameters), filter: reader.read(filters) }),
  }
}

/** How many elements a page may have. Without the parameter it is DEFAULT_LIMIT. */
export function limitParameter(things: string): Parameter<number | undefined> {
  const rules = { minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT }
  return integerParameter(`The most ${things} on a page.`, DEFAULT_LIMIT, rules)
}

/** Where a page lies in a list of `total` elements. */
export function paginationOf({ limit, offset }: PageRequest, total: number): Pagination {
  const page = Number(offset / BigInt(limit)) + 1
  return { page, limit, total, totalPages: Math.ceil(total / limit) }
}

interface PageParameters {
  readonly limit: number | undefined
  readonly page: number | undefined
  readonly offset: number | undefined
}

function pageParameters(things: string): Parameters<PageParameters> {
  const first = { minimum: 1, default: 1 }
  return {
    limit: limitParameter(things),
    page: integerParameter('The page, counted from 1. Excludes `offset`.', 1, first),
    offset: integerParameter(`How many ${things} to skip. Excludes \`page\`.`, 0, { minimum: 0 }),
  }
}

function readPage(reader: QueryReader, parameters: Parameters<PageParameters>): PageRequest {
  const { limit = DEFAULT_LIMIT, page, offset } = reader.read(parameters)
  if (page !== undefined && offset !== undefined) {
    reader.problem('offset', 'excludes page: send one of them')
  }
  const skipped = offset === undefined ? BigInt((page ?? 1) - 1) * BigInt(limit) : BigInt(offset)
  return { limit, offset: skipped }
}
