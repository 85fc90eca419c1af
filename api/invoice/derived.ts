import type { Invoice } from '../../core/invoice/state.ts'
import { isDerived } from '../../store/invoice/changes.ts'
import { guardDatabase } from '../http/backends.ts'
import type { ApiDependencies } from '../http/exchange.ts'

/** How long an answer waits for a worker, in ms. A worker that runs takes a few. */
const TIMEOUT_MS = 1_000
const POLL_MS = 10

/**
 * Has a worker derive what was just stored about an invoice, so that the caller's next read shows it. The
 * API has no right to write figures and states itself. When no worker does it in time, the answer is
 * given without it, and the next worker catches up.
 */
export async function derived(
  deps: ApiDependencies,
  { id: invoiceId, chains }: Pick<Invoice, 'id' | 'chains'>,
): Promise<void> {
  deps.wake(chains, { type: 'advance_invoice', invoiceId })
  const end = performance.now() + TIMEOUT_MS
  while (!(await guardDatabase(deps, (sql) => isDerived(sql, invoiceId)))) {
    if (performance.now() > end) return
    await Bun.sleep(POLL_MS)
  }
}
