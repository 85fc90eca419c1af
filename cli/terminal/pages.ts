import { type CommandInput, misused } from './command.ts'

/** The options `--limit` and `--page` of long lists. */

export const PAGE_OPTIONS = {
  limit: { value: 'COUNT', about: '1 to 100 (default 20)' },
  page: { value: 'NUMBER', about: 'From 1 (default 1)' },
} as const

export interface PageRead {
  readonly limit: number
  /** From 1. */
  readonly page: number
  /** The number of rows before the page. */
  readonly offset: bigint
}

/** @throws UsageError if an option is not a number in its range. */
export function readPage(input: CommandInput): PageRead {
  const limit = integer(input, 'limit', 20, 100)
  const page = integer(input, 'page', 1, 1_000_000_000)
  return { limit, page, offset: BigInt(limit) * BigInt(page - 1) }
}

/** The page of a list, in its JSON. */
export function pagination({ page, limit }: PageRead, total: number) {
  return { page, limit, total, totalPages: Math.ceil(total / limit) }
}

/** A line below the list, if there is more than one page. */
export function pageText(shown: ReturnType<typeof pagination>, things: string): string[] {
  const { page, total, totalPages } = shown
  return totalPages > 1 ? [`page ${page} of ${totalPages}, ${total} ${things}`] : []
}

function integer(input: CommandInput, name: string, fallback: number, most: number): number {
  const text = input.values.get(name)
  if (text === undefined) return fallback
  const value = Number(text)
  if (/^[1-9][0-9]*$/.test(text) && value <= most) return value
  throw misused(input, `--${name} must be a whole number from 1 to ${most}, not ${text}`)
}
