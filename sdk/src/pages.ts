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

interface Numbered {
  readonly page: number
  readonly totalPages: number
}

/** Every element of a list that is read by page number, one request at a time. */
export async function* throughPages<T>(
  read: (page: number) => Promise<Page<T, Numbered>>,
): AsyncGenerator<T, void, undefined> {
  for (let number = 1; ; number += 1) {
    const { data, pagination } = await read(number)
    yield* data
    if (data.length === 0 || number >= pagination.totalPages) return
  }
}
