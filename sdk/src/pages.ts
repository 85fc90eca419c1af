/** A part of a list, and where it lies in it. */
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

/** Where a page lies: by its number in a list that was counted, or by the cursors beside it. */
type Place = object | { readonly next: string | null }

/** Every element of a list that is read by cursor, one request at a time. */
export async function* throughPages<T>(
  read: (after: string) => Promise<Page<T, Place>>,
): AsyncGenerator<T, void, undefined> {
  for (let after: string | null = ''; after !== null; ) {
    const { data, pagination }: Page<T, Place> = await read(after)
    yield* data
    after = 'next' in pagination ? pagination.next : null
  }
}
