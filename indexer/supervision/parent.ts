/** How long Ponder may take to end in order before it is ended without. */
const GRACE_MS = 6_000

/**
 * Ends Ponder when the entry point that started it is gone, however that ended. Only the entry point
 * holds the other end of our standard input, so its end is the end of the input, after kill -9 too:
 * an orphan would keep the schema locked and the port taken when the next one starts.
 */
export function endWithParent(): void {
  const end = () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref()
    // SIGINT and not SIGTERM, on which Ponder ends without releasing its schema.
    process.kill(process.pid, 'SIGINT')
  }
  process.stdin.once('end', end)
  process.stdin.once('error', end)
  process.stdin.resume()
}
