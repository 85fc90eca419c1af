/** How many rows of each table an erasure has changed. */
export type ErasedRows = Readonly<Record<string, number>>

/** Both together. */
export function added(one: ErasedRows, other: ErasedRows): ErasedRows {
  const sum: Record<string, number> = { ...one }
  for (const [table, rows] of Object.entries(other)) sum[table] = (sum[table] ?? 0) + rows
  return sum
}

/** Those of which there are any. */
export function present(rows: ErasedRows): ErasedRows {
  return Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0))
}
