import { formatCursor, type Page, type PageRequest } from '../../core/base/page.ts'
import { type Exchange, sendList } from './exchange.ts'

/** Answers with a page of a list, each of its elements as `present` shows it: specification section 2.1. */
export function sendPage<T>(
  exchange: Exchange,
  request: PageRequest,
  { elements, total, next, previous }: Page<T>,
  present: (element: T) => unknown = (element) => element,
): string {
  const data = elements.map(present)
  const { limit } = request
  if (request.cursor !== undefined) {
    return sendList(exchange, data, {
      limit,
      next: next && formatCursor(next),
      previous: previous && formatCursor(previous),
    })
  }
  const page = Number(request.offset / BigInt(limit)) + 1
  const all = total ?? data.length
  return sendList(exchange, data, { page, limit, total: all, totalPages: Math.ceil(all / limit) })
}
