import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../../store/database/database.ts'

/** The timeout of the query, in ms. */
const TIMEOUT_MS = 2_000

/**
 * How long a request waits for one of the process's connections to Postgres, tried at each scrape. It is
 * most of what requests wait for when the pool is too small or the database too slow.
 */
export function watchDatabase(registry: Registry, database: Database): () => Promise<void> {
  const wait = new Gauge({
    name: 'remit_database_wait_seconds',
    help: 'How long it took just now to get a connection to Postgres out of the pool; at most 2.',
    registers: [registry],
  })
  return async () => {
    const start = performance.now()
    const got = database.reserve().then(
      (connection) => connection.release(),
      // Other metrics report that it is unavailable.
      () => {},
    )
    await Promise.race([got, Bun.sleep(TIMEOUT_MS)])
    wait.set(Math.min(TIMEOUT_MS, performance.now() - start) / 1_000)
  }
}
