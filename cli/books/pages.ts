/** Iterates over the ledger's records in bounded memory. */

/**
 * All records, page by page, in the order of their keys, until a page is empty. `readAfter` reads the records
 * after a key, or the first ones.
 */
export async function* pagesOf<Row, Key>(
  keyOf: (row: Row) => Key,
  readAfter: (after: Key | null) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after: Key | null = null
  for (;;) {
    const page: readonly Row[] = await readAfter(after)
    const last = page.at(-1)
    if (last === undefined) return
    after = keyOf(last)
    yield page
  }
}

const RECORDS_PER_PAGE = 1_000

/** The records, in the order of their ids, without a match on the chain. */
export async function* unmatchedRecords<Row extends { readonly id: string }>(
  matched: ReadonlySet<string>,
  readAfter: (after: string | null, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  const pages = pagesOf(
    ({ id }: Row) => id,
    (after) => readAfter(after, RECORDS_PER_PAGE),
  )
  for await (const page of pages) {
    for (const record of page) if (!matched.has(record.id)) yield record
  }
}

/** Rows in groups of at most `size`, the maximum of one request. */
export function chunked<Row>(rows: readonly Row[], size: number): Row[][] {
  const count = Math.ceil(rows.length / size)
  return Array.from({ length: count }, (_, i) => rows.slice(i * size, (i + 1) * size))
}
