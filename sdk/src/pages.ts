/** A page of a list, with its position. */
export interface Page<T, Pagination> {
  readonly data: readonly T[]
  readonly pagination: Pagination
}

interface ListAnswer<T, Pagination> {
  readonly data: readonly T[]
  readonly metadata: { readonly pagination: Pagination }
}

export function pageOf<T, Pagination>(answer: ListAnswer<T, Pagination>): Page<T, Pagination> {
  return { data: answer.data, pagination: answer.metadata.pagination }
}

/** The position of a page: its number in a counted list, or its cursors. */
type Place = object | { readonly next: string | null }

/** Every element of a cursor-paged list, one request at a time. */
export async function* throughPages<T>(
  read: (after: string) => Promise<Page<T, Place>>,
): AsyncGenerator<T, void, undefined> {
  for (let after: string | null = ''; after !== null; ) {
    const { data, pagination }: Page<T, Place> = await read(after)
    yield* data
    after = 'next' in pagination ? pagination.next : null
  }
}
