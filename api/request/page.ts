import { type PageRequest, parseCursor } from '../../core/base/page.ts'
import { integerParameter, type Parameter, type Parameters, parameter } from './parameter.ts'
import type { Query, QueryReader } from './query.ts'
import { text } from './schema.ts'

/** Paging of lists: docs/api.md#lists-and-search. */

export const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100

/** The last sentence of list descriptions. */
export const PAGED = 'Pages past the end are empty.'

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** Up to the year 2286, so that each is a valid time. */
const MICROSECONDS = '\\d{1,16}'
/** For lists ordered by a time and an id. */
export const MOMENT_KEYS = new RegExp(`^${MICROSECONDS} ${UUID}$`)
/** For lists ordered by two ids. */
export const ID_KEYS = new RegExp(`^${UUID} ${UUID}$`)
/** For the list of held money: a time, two ids, and the number of a part. */
export const PART_KEYS = new RegExp(`^${MICROSECONDS} ${UUID} ${UUID} \\d{1,5}$`)

/** Reads the requested page of a list, and its filters. */
export function listQuery<F>(
  filters: Parameters<F>,
  keys: RegExp = MOMENT_KEYS,
): Query<{ readonly page: PageRequest; readonly filter: F }> {
  const parameters = pageParameters(keys)
  return {
    parameters: { ...parameters, ...filters },
    read: (reader) => ({ page: readPage(reader, parameters), filter: reader.read(filters) }),
  }
}

/** The page size; DEFAULT_LIMIT by default. */
export function limitParameter(): Parameter<number | undefined> {
  const rules = { minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT }
  return integerParameter('The maximum number of elements per page.', DEFAULT_LIMIT, rules)
}

type Keys = readonly string[] | 'end'

interface PageParameters {
  readonly limit: number | undefined
  readonly page: number | undefined
  readonly offset: number | undefined
  readonly after: Keys | undefined
  readonly before: Keys | undefined
}

function pageParameters(keys: RegExp): Parameters<PageParameters> {
  const cursor = (description: string) =>
    parameter<Keys>(text(description, ''), 'must be a cursor of this list, or empty', (sent) =>
      sent === '' ? 'end' : parseCursor(sent, keys),
    )
  return {
    limit: limitParameter(),
    page: integerParameter(
      'The page, counted from 1; the first by default. Excludes `offset`.',
      1,
      {
        minimum: 1,
      },
    ),
    offset: integerParameter('The number of elements to skip. Excludes `page`.', 0, { minimum: 0 }),
    after: cursor('The `next` of a page, to continue after it; empty for the first page.'),
    before: cursor('The `previous` of a page, to go back; empty for the last page.'),
  }
}

function readPage(reader: QueryReader, parameters: Parameters<PageParameters>): PageRequest {
  const { limit = DEFAULT_LIMIT, page, offset, after, before } = reader.read(parameters)
  const given = Object.entries({ page, offset, after, before }).filter(([, value]) => {
    return value !== undefined
  })
  const [first, ...others] = given.map(([name]) => name)
  for (const name of others)
    reader.problem(name, `can't be combined with ${first}: send one of them`)
  const keys = after ?? before
  if (keys === undefined) {
    const skipped = offset === undefined ? BigInt((page ?? 1) - 1) * BigInt(limit) : BigInt(offset)
    return { limit, offset: skipped }
  }
  const side = after === undefined ? 'before' : 'after'
  return { limit, cursor: { side, keys: keys === 'end' ? null : keys } }
}
