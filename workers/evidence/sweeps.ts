import { type SweptEvent, sweptEvents } from '../../chain/hub/sweeps.ts'
import { readBalances } from '../../chain/token/balances.ts'
import type { Address } from '../../core/chain/evm.ts'
import { expectedHoldings } from '../../store/invoice/holdings.ts'
import { bookedHashes, firstPaymentBlock, type SweepRow } from '../../store/invoice/sweeps.ts'
import type { RelayerContext } from '../relayer/context.ts'

/** Finding the transactions that made sweeps which ours were to make and did not. */

/** Blocks per eth_getLogs; many nodes refuse more. */
const BLOCKS_PER_SCAN = 2_000n
/** eth_getLogs calls per turn: the rest of a long search waits for the next one. */
export const SCANS_PER_TURN = 20

/**
 * Sweeps of just this money, up to `block`, that no settlement of the invoice has been booked for. A
 * deposit that holds all that the ledger expects was swept by nobody, and no blocks are searched for it.
 * Null when the search takes another turn.
 */
export async function sweptByOthers(
  context: RelayerContext,
  hub: Address,
  rows: readonly SweepRow[],
  block: bigint,
): Promise<{ row: SweepRow; event: SweptEvent }[] | null> {
  const { searches } = context.memory
  const poorer = await poorerDeposits(context, rows, block)
  for (const row of poorer) {
    if (!(await search(context, hub, row, block))) return null
  }
  return poorer.flatMap((row) => {
    const event = searches.get(row.itemId)?.found ?? null
    searches.delete(row.itemId)
    return event === null ? [] : [{ row, event }]
  })
}

/** The sweeps whose deposit held less than the ledger expects at the end of this block. */
async function poorerDeposits(
  { database, client, networkId }: RelayerContext,
  rows: readonly SweepRow[],
  block: bigint,
): Promise<SweepRow[]> {
  const invoiceIds = rows.map((row) => row.invoiceId)
  const holdings = await expectedHoldings(database, networkId, invoiceIds, block)
  const expected = new Map(holdings.map((h) => [`${h.invoiceId} ${h.token}`, h.amount]))
  const poorer: SweepRow[] = []
  for (const [token, ofToken] of Map.groupBy(rows, (row) => row.token)) {
    const deposits = ofToken.map(({ deposit }) => deposit)
    const balances = await readBalances(client.rpc, token, deposits, block)
    for (const [i, row] of ofToken.entries()) {
      const ledger = expected.get(`${row.invoiceId} ${token}`) ?? 0n
      if ((balances[i] ?? 0n) < ledger) poorer.push(row)
    }
  }
  return poorer
}

/** Searches on from where the last turn ended. False when there is more to search. */
async function search(
  { database, client, networkId, memory }: RelayerContext,
  hub: Address,
  row: SweepRow,
  block: bigint,
): Promise<boolean> {
  const before = memory.searches.get(row.itemId)
  if (before?.found) return true
  const first = before?.next ?? (await firstPaymentBlock(database, row.invoiceId, networkId))
  // Payments that a reorganisation took away can't have been swept.
  if (first === null) return true
  const booked = await bookedHashes(database, row.invoiceId, networkId)
  for (let from = first; from <= block; from += BLOCKS_PER_SCAN) {
    if (memory.scansLeft === 0) return false
    memory.scansLeft -= 1
    const last = from + BLOCKS_PER_SCAN - 1n
    const to = last < block ? last : block
    const events = await sweptEvents(client.rpc, hub, row, from, to)
    const found = events.find(
      (event) =>
        !booked.has(event.txHash) &&
        event.remitted === row.amount - row.fee &&
        (event.fee === row.fee || event.fee === 0n),
    )
    memory.searches.set(row.itemId, { next: to + 1n, found: found ?? null })
    if (found) return true
  }
  return true
}
