import { type SweptEvent, sweptEvents } from '../../chain/hub/sweeps.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import type { View } from '../../chain/rpc/view.ts'
import { readBalances } from '../../chain/tokens/balances.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Database } from '../../store/database/database.ts'
import { expectedHoldings } from '../../store/invoice/holdings.ts'
import { bookedHashes, firstPaymentBlock, type SweepRow } from '../../store/invoice/sweeps.ts'
import type { Found, Searches } from '../turns/searches.ts'

/** Sweeps that others executed, and the work items whose search continues in the next turn. */
export interface SweepSearch {
  readonly found: readonly { readonly row: SweepRow; readonly event: SweptEvent }[]
  readonly open: ReadonlySet<bigint>
}

/** Finds the transactions of others that executed sweeps in place of our own. */
export class SweepsByOthers {
  constructor(
    private readonly database: Database,
    private readonly client: ChainClient,
    private readonly searches: Searches,
  ) {}

  /**
   * Matches sweeps of exactly these amounts, up to the view's block, that aren't booked for a settlement of the
   * invoice. A deposit that holds everything the ledger expects was not swept, so no blocks are searched for it.
   */
  async find(hub: Address, rows: readonly SweepRow[], view: View): Promise<SweepSearch> {
    const found: { row: SweepRow; event: SweptEvent }[] = []
    const open = new Set<bigint>()
    for (const row of await this.drainedDeposits(rows, view)) {
      const search = await this.search(hub, row, view.number)
      if (search.type === 'open') open.add(row.itemId)
      else if (search.type === 'found') found.push({ row, event: search.value })
    }
    // Only after all searches: if one of them fails, the others keep their progress.
    for (const row of rows) if (!open.has(row.itemId)) this.searches.forget(keyOf(row))
    return { found, open }
  }

  /** The sweeps whose deposit holds less than the ledger expects at the end of the view's block. */
  private async drainedDeposits(rows: readonly SweepRow[], view: View): Promise<SweepRow[]> {
    const { chain, rpc } = this.client
    const invoiceIds = rows.map((row) => row.invoiceId)
    const holdings = await expectedHoldings(this.database, chain.networkId, invoiceIds, view.number)
    const expected = new Map(
      holdings.map(({ invoiceId, token, amount }) => [`${invoiceId} ${token}`, amount]),
    )
    const drained: SweepRow[] = []
    for (const [token, tokenRows] of Map.groupBy(rows, (row) => row.token)) {
      const deposits = tokenRows.map(({ deposit }) => deposit)
      const balances = await readBalances(rpc, token, deposits, view)
      for (const [i, row] of tokenRows.entries()) {
        const expectedAmount = expected.get(`${row.invoiceId} ${token}`) ?? 0n
        if ((balances[i] ?? 0n) < expectedAmount) drained.push(row)
      }
    }
    return drained
  }

  private async search(hub: Address, row: SweepRow, block: bigint): Promise<Found<SweptEvent>> {
    const { chain, rpc } = this.client
    const first = await firstPaymentBlock(this.database, row.invoiceId, chain.networkId)
    // Payments that a reorganisation displaced can't have been swept.
    if (first === null) return { type: 'nothing' }
    const booked = await bookedHashes(this.database, row.invoiceId, chain.networkId)
    return this.searches.find(keyOf(row), first, block, async (from, to) => {
      const events = await sweptEvents(rpc, hub, row, from, to)
      const found = events.find(
        (event) =>
          !booked.has(event.txHash) &&
          event.remitted === row.amount - row.fee &&
          (event.fee === row.fee || event.fee === 0n),
      )
      return found ?? null
    })
  }
}

function keyOf({ itemId }: SweepRow): string {
  return `sweep ${itemId}`
}
