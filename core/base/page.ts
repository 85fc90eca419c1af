/** Lists in pages: by how many elements come before, or from an element on that a cursor names. */

/** What an element is ordered by in its list, e.g. its time and its id. */
export type OrderKeys = readonly string[]

/** The requested part of a list. */
export type PageRequest = CountedPage | CursorPage

/** The page after so many elements, of a list that is counted. */
export interface CountedPage {
  readonly limit: number
  readonly offset: bigint
  readonly cursor?: undefined
}

/** The page beside an element. The rest of the list is not read. */
export interface CursorPage {
  readonly limit: number
  readonly cursor: Cursor
}

export interface Cursor {
  readonly side: 'after' | 'before'
  /** Of the element beside the page; null for the first page, or the last. */
  readonly keys: OrderKeys | null
}

/** A page of a list. */
export interface Page<T> {
  readonly elements: readonly T[]
  /** How many elements the list has; null for a page by cursor. */
  readonly total: number | null
  /** The keys of the page's last element, when more come after it. */
  readonly next: OrderKeys | null
  /** The keys of the page's first element, when others come before it. */
  readonly previous: OrderKeys | null
}

/** Which elements a reader takes, and which way, for a page with one more to see whether it ends there. */
export interface Reach {
  readonly limit: number
  readonly isReversed: boolean
}

export function reachOf({ limit, cursor }: CursorPage): Reach {
  return { limit: limit + 1, isReversed: cursor.side === 'before' }
}

/** The page by cursor of what was found within its reach, in the order of reading. */
export function cursorPage<T>(
  { limit, cursor }: CursorPage,
  found: readonly T[],
  keysOf: (element: T) => OrderKeys,
): Page<T> {
  const isAfter = cursor.side === 'after'
  const shown = found.slice(0, limit)
  const elements = isAfter ? shown : shown.toReversed()
  const [first, last] = [elements.at(0), elements.at(-1)]
  const hasMore = found.length > limit
  const hasNext = isAfter ? hasMore : cursor.keys !== null
  const hasPrevious = isAfter ? cursor.keys !== null : hasMore
  return {
    elements,
    total: null,
    next: hasNext && last !== undefined ? keysOf(last) : null,
    previous: hasPrevious && first !== undefined ? keysOf(first) : null,
  }
}

/** A page of a list that was counted, which has no cursors. */
export function countedPage<T>(elements: readonly T[], total: number): Page<T> {
  return { elements, total, next: null, previous: null }
}

/** Keys as callers get them, who make nothing of them. */
export function formatCursor(keys: OrderKeys): string {
  return Buffer.from(keys.join(' ')).toString('base64url')
}

const LONGEST_CURSOR = 300

/** The keys in a cursor; null for what is none of a list whose keys have this form, joined by spaces. */
export function parseCursor(text: string, form: RegExp): OrderKeys | null {
  if (text.length > LONGEST_CURSOR || !/^[\w-]+$/.test(text)) return null
  const joined = Buffer.from(text, 'base64url').toString()
  return form.test(joined) ? joined.split(' ') : null
}

/** A page of a list that was read as a whole, the newest first; its moments have no more than milliseconds. */
export function pageOfWhole<T extends { readonly id: string; readonly createdAt: Date }>(
  all: readonly T[],
  page: PageRequest,
): Page<T> {
  const { limit, cursor } = page
  if (cursor === undefined) {
    const start = Number(page.offset)
    return countedPage(all.slice(start, start + limit), all.length)
  }
  const keysOf = ({ createdAt, id }: T) => [String(BigInt(createdAt.getTime()) * 1000n), id]
  const [at = '', id = ''] = cursor.keys ?? []
  const isOlder = (element: T) => {
    const [ownAt = '', ownId = ''] = keysOf(element)
    return ownAt === at ? ownId < id : BigInt(ownAt) < BigInt(at)
  }
  const isNewer = (element: T) => element.id !== id && !isOlder(element)
  if (cursor.side === 'after') {
    return cursorPage(page, cursor.keys === null ? all : all.filter(isOlder), keysOf)
  }
  const before = cursor.keys === null ? all : all.filter(isNewer)
  return cursorPage(page, before.toReversed(), keysOf)
}
