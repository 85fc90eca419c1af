import { request } from './request.ts'

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
