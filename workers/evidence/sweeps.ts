import type { ChainClient } from '../../chain/client.ts'
import { type SweptEvent, sweptEvents } from '../../chain/hub/sweeps.ts'
import { readBalances } from '../../chain/token/balances.ts'
import type { Address } from '../../core/chain/evm.ts'
import { min } from '../../core/integers.ts'
import type { Database } from '../../store/database.ts'
import { expectedHoldings } from '../../store/invoice/holdings.ts'
import { bookedHashes, firstPaymentBlock, type SweepRow } from '../../store/invoice/sweeps.ts'

/** Blocks per eth_getLogs; many nodes refuse more. */
const BLOCKS_PER_SCAN = 2_000n
/** eth_getLogs calls per turn; a longer search goes on in the next one. */
export const SCANS_PER_TURN = 20

/** How far the search for one sweep has come, and what it has found. */
interface Search {
  /** The first block that was not looked at. */
  readonly next: bigint
  readonly found: SweptEvent | null
}

/**
 * Finds the transactions that made sweeps which ours were to make and did not. What it remembers of long
 * searches is lost with the process; the next one begins them anew.
 */
export class SweepsByOthers {
  /** By work item. */
  private readonly searches = new Map<bigint, Search>()
  private scansLeft = 0

  constructor(
    private readonly database: Database,
    private readonly client: ChainClient,
  ) {}

  /** Lets a new turn make so many eth_getLogs calls again. */
  beginTurn(): void {
    this.scansLeft = SCANS_PER_TURN
  }

  /**
   * Sweeps of just this money, up to `block`, that no settlement of the invoice has been booked for. A
   * deposit that holds all that the ledger expects was swept by nobody, and no blocks are searched for
   * it. Null when the search takes another turn.
   */
  async find(
    hub: Address,
    rows: readonly SweepRow[],
    block: bigint,
  ): Promise<{ row: SweepRow; event: SweptEvent }[] | null> {
    const drained = await this.drainedDeposits(rows, block)
    for (const row of drained) {
      if (!(await this.search(hub, row, block))) return null
    }
    return drained.flatMap((row) => {
      const event = this.searches.get(row.itemId)?.found ?? null
      this.searches.delete(row.itemId)
      return event === null ? [] : [{ row, event }]
    })
  }

  /** The sweeps whose deposit held less than the ledger expects at the end of this block. */
  private async drainedDeposits(rows: readonly SweepRow[], block: bigint): Promise<SweepRow[]> {
    const { chain, rpc } = this.client
    const invoiceIds = rows.map((row) => row.invoiceId)
    const holdings = await expectedHoldings(this.database, chain.networkId, invoiceIds, block)
    const expected = new Map(holdings.map((h) => [`${h.invoiceId} ${h.token}`, h.amount]))
    const drained: SweepRow[] = []
    for (const [token, ofToken] of Map.groupBy(rows, (row) => row.token)) {
      const deposits = ofToken.map(({ deposit }) => deposit)
      const balances = await readBalances(rpc, token, deposits, block)
      for (const [i, row] of ofToken.entries()) {
        const ledger = expected.get(`${row.invoiceId} ${token}`) ?? 0n
        if ((balances[i] ?? 0n) < ledger) drained.push(row)
      }
    }
    return drained
  }

  /** Searches on from where the last turn ended. False when there is more to search. */
  private async search(hub: Address, row: SweepRow, block: bigint): Promise<boolean> {
    const { chain, rpc } = this.client
    const before = this.searches.get(row.itemId)
    if (before?.found) return true
    const first =
      before?.next ?? (await firstPaymentBlock(this.database, row.invoiceId, chain.networkId))
    // Payments that a reorganisation displaced can't have been swept.
    if (first === null) return true
    const booked = await bookedHashes(this.database, row.invoiceId, chain.networkId)
    for (let from = first; from <= block; from += BLOCKS_PER_SCAN) {
      if (this.scansLeft === 0) return false
      this.scansLeft -= 1
      const to = min(from + BLOCKS_PER_SCAN - 1n, block)
      const events = await sweptEvents(rpc, hub, row, from, to)
      const found = events.find(
        (event) =>
          !booked.has(event.txHash) &&
          event.remitted === row.amount - row.fee &&
          (event.fee === row.fee || event.fee === 0n),
      )
      this.searches.set(row.itemId, { next: to + 1n, found: found ?? null })
      if (found) return true
    }
    return true
  }
}
