import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { pollInterval } from './live.ts'
import { merchantApi, request } from './request.ts'

/** A page of a list that is paged by cursor. */
export interface Listed<T> {
  readonly rows: readonly T[]
  readonly next: string | null
  readonly previous: string | null
}

interface ListAnswer<T> {
  readonly data: readonly T[]
  readonly metadata: {
    readonly pagination: { readonly next: string | null; readonly previous: string | null }
  }
}

/** Where in a list to read: after a cursor, before one, or at its beginning. */
export interface ListPlace {
  readonly after: string
  readonly before: string
}

/** Reads a page; `query` narrows the list down. */
export async function getList<T>(
  path: string,
  { after, before }: ListPlace,
  limit: number,
  query: Readonly<Record<string, string>> = {},
): Promise<Listed<T>> {
  const place: Record<string, string> = before === '' ? { after } : { before }
  const all = new URLSearchParams({ ...query, limit: String(limit), ...place })
  const { data, metadata } = await request<ListAnswer<T>>('GET', `${path}?${all}`)
  const { next, previous } = metadata.pagination
  return { rows: data, next, previous }
}

/** The place that the address of a page names. */
export function placeIn(query: Readonly<Record<string, string>>): ListPlace {
  return { after: query.after ?? '', before: query.before ?? '' }
}

/** The page of a merchant's list that the address of the page names, narrowed down by what isn't empty. */
export function useList<T>(
  merchantId: string,
  name: string,
  most: number,
  filters: Readonly<Record<string, string>> = {},
) {
  const place = placeIn(useLocation().query)
  const filter = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
  return useQuery({
    queryKey: [name, merchantId, { place, filter }],
    queryFn: () => getList<T>(merchantApi(merchantId, `/v1/${name}`), place, most, filter),
    refetchInterval: pollInterval,
  })
}
