import type { Logger } from 'pino'
import type { ActiveChain } from '../../core/config/chains.ts'
import { readLeastSweeps, saveLeastSweeps } from '../../store/chain/state.ts'
import { heldInvoices, markHeldDue } from '../../store/invoice/due.ts'
import type { LedgerContext } from '../turns/ledgerContext.ts'

/** Invoices that are made due in one statement. */
const ROWS_AT_ONCE = 1_000

/** As things that may be quarantined. */
const HELD = 'held invoice'

/**
 * Derives invoices again that are held below the minimum sweep, if the operator has changed that minimum since a
 * leader last checked: nothing else would wake them. False while some of them are quarantined.
 */
export async function wakeHeldInvoices(
  { database, client, work }: LedgerContext,
  log: Logger,
): Promise<boolean> {
  const { networkId } = client.chain
  const least = leastSweepsOf(client.chain)
  const before = await readLeastSweeps(database, networkId)
  if (before !== null && Bun.deepEquals(before, least)) return true
  let woken = 0
  for (;;) {
    const held = await heldInvoices(database, networkId, work.others.waiting(HELD), ROWS_AT_ONCE)
    const done = await work.others.together(HELD, held, String, (some) => {
      return markHeldDue(database, some)
    })
    const now = done.reduce((all, one) => all + one, 0)
    woken += now
    if (now > 0) continue
    if (woken > 0)
      log.info({ invoices: woken }, 'minimum sweeps have changed; held invoices are derived again')
    if (held.length > 0 || work.others.waiting(HELD).length > 0) return false
    await saveLeastSweeps(database, networkId, least)
    return true
  }
}

/** A chain's least sweeps as they are noted: by token, in base units. */
export function leastSweepsOf({ minSweep }: ActiveChain): Readonly<Record<string, string>> {
  const amounts = Object.entries(minSweep).map(([symbol, amount]) => [symbol, String(amount)])
  return Object.fromEntries(amounts)
}
