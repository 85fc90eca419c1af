import type { Invoice } from '../../core/invoice/state.ts'
import { isDerived } from '../../store/invoice/changes.ts'
import { guardDatabase } from '../http/backends.ts'
import type { ApiDependencies } from '../http/exchange.ts'

/** Maximum wait for a worker, in ms. A running worker takes a few. */
const TIMEOUT_MS = 1_000
const POLL_MS = 10

/**
 * Lets a worker derive the state of an invoice after a change, so that the caller's next read shows it. The
 * API's database role can't write amounts and states. If no worker does it in time, the response is
 * sent without it, and a worker catches up later.
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
