import type { Logger } from 'pino'
import type { ActiveChain } from '../../../core/config/chains/chains.ts'
import { readLeastSweeps, saveLeastSweeps } from '../../../store/chain/state.ts'
import { markHeldDue } from '../../../store/invoice/derivation/due.ts'
import type { LedgerContext } from '../context.ts'

/** Invoices that are made due in one transaction. */
const ROWS_AT_ONCE = 1_000

/**
 * Has invoices looked at again that are held for holding too little, if the operator has changed what is
 * too little since a leader last looked: nothing else would wake them.
 */
export async function wakeHeldInvoices(
  { database, client }: LedgerContext,
  log: Logger,
): Promise<void> {
  const { networkId } = client.chain
  const least = leastSweepsOf(client.chain)
  const before = await readLeastSweeps(database, networkId)
  if (before !== null && Bun.deepEquals(before, least)) return
  let woken = 0
  for (let rows = ROWS_AT_ONCE; rows === ROWS_AT_ONCE; woken += rows) {
    rows = await markHeldDue(database, networkId, ROWS_AT_ONCE)
  }
  await saveLeastSweeps(database, networkId, least)
  if (woken > 0)
    log.info({ invoices: woken }, 'least sweeps have changed; looking at what was held')
}

/** A chain's least sweeps as they are noted: by token, in base units. */
export function leastSweepsOf({ minSweep }: ActiveChain): Readonly<Record<string, string>> {
  const amounts = Object.entries(minSweep).map(([symbol, amount]) => [symbol, String(amount)])
  return Object.fromEntries(amounts)
}
