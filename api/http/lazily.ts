/**
 * What `open` resolves to, opened at the first call; a failure is retried at the next. For libraries that
 * few processes use, and all would spend time on at their start.
 */
export function lazily<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | null = null
  return () => {
    opened ??= open().catch((error) => {
      opened = null
      throw error
    })
    return opened
  }
}
