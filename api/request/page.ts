import { type PageRequest, parseCursor } from '../../core/base/page.ts'
import { integerParameter, type Parameter, type Parameters, parameter } from './parameter.ts'
import type { Query, QueryReader } from './query.ts'
import { text } from './schema.ts'

/** Paging of lists: docs/api.md#lists-and-search. */

export const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100

/** How the description of a list ends. */
export const PAGED = 'Past the end it is empty.'

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** Up to the year 2286, so that any is a moment. */
const MICROSECONDS = '\\d{1,16}'
/** Of lists that are ordered by a moment and an id. */
export const MOMENT_KEYS = new RegExp(`^${MICROSECONDS} ${UUID}$`)
/** Of lists that are ordered by two ids. */
export const ID_KEYS = new RegExp(`^${UUID} ${UUID}$`)
/** Of the list of what is held: a moment, two ids, and a number of a part. */
export const PART_KEYS = new RegExp(`^${MICROSECONDS} ${UUID} ${UUID} \\d{1,5}$`)

/** Reads which page of a list is wanted, and the filters that choose what is on the list. */
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

/** How many elements a page may have. Without the parameter it is DEFAULT_LIMIT. */
export function limitParameter(): Parameter<number | undefined> {
  const rules = { minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT }
  return integerParameter('The most elements on a page.', DEFAULT_LIMIT, rules)
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
      'The page, counted from 1, the first without it. Excludes `offset`.',
      1,
      {
        minimum: 1,
      },
    ),
    offset: integerParameter('How many elements to skip. Excludes `page`.', 0, { minimum: 0 }),
    after: cursor('The `next` of a page, to continue after it; empty, to begin.'),
    before: cursor('The `previous` of a page, to go back; empty, to begin at the end.'),
  }
}

function readPage(reader: QueryReader, parameters: Parameters<PageParameters>): PageRequest {
  const { limit = DEFAULT_LIMIT, page, offset, after, before } = reader.read(parameters)
  const given = Object.entries({ page, offset, after, before }).filter(([, value]) => {
    return value !== undefined
  })
  const [first, ...others] = given.map(([name]) => name)
  for (const name of others) reader.problem(name, `excludes ${first}: send one of them`)
  const keys = after ?? before
  if (keys === undefined) {
    const skipped = offset === undefined ? BigInt((page ?? 1) - 1) * BigInt(limit) : BigInt(offset)
    return { limit, offset: skipped }
  }
  const side = after === undefined ? 'before' : 'after'
  return { limit, cursor: { side, keys: keys === 'end' ? null : keys } }
}
