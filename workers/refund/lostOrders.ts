import { findRefunded } from '../../chain/hub/refunds.ts'
import type { OrderView } from '../../core/invoice/refundLimit.ts'
import { noteLostOrders, unreadLostOrders } from '../../store/refund/lostOrders.ts'
import type { OrderRow } from '../../store/refund/orders.ts'
import type { KindContext } from '../relayer/kind.ts'

/**
 * A number that the hub has spent and no row was signed under is that of an order whose commit was lost. Whose
 * refund it was is unknown before it is read back: none of the account that paid it is signed until then.
 */

/** Which of these refunds are held for that reason, by their items, each with a sentence for operators. */
export async function heldByLostOrders<Row extends OrderRow>(
  { database, client, searches, head }: KindContext,
  rows: readonly Row[],
  views: ReadonlyMap<bigint, OrderView>,
  sinceOf: (row: Row) => Promise<bigint>,
): Promise<ReadonlyMap<bigint, string>> {
  const { networkId } = client.chain
  const noted = await unreadLostOrders(database, networkId)
  const held = new Map<bigint, string>()
  for (const row of rows) {
    const { hub, itemId, refundId, source } = row
    // What was signed goes out again by the same order.
    if (row.deadline !== null) continue
    const spent = views.get(itemId)?.spent ?? new Map<bigint, boolean>()
    const numbers = new Set([
      ...noted.flatMap((lost) => (lost.hub === hub ? [lost.orderNumber] : [])),
      ...[...spent].flatMap(([number, isSpent]) => (isSpent ? [number] : [])),
    ])
    if (numbers.size === 0) continue
    const since = await sinceOf(row)
    for (const number of numbers) {
      const name = `lost order ${number} before refund ${refundId}`
      const search = await searches.find(name, since, head.number, (from, to) =>
        findRefunded(client.rpc, hub, number, from, to),
      )
      if (search.type === 'nothing') continue
      if (search.type === 'found') searches.forget(name)
      if (search.type === 'found' && search.value.source !== source) continue
      held.set(itemId, textOf(number, search.type === 'found'))
      await noteLostOrders(database, { networkId, hub }, [number])
    }
  }
  return held
}

function textOf(number: bigint, isFound: boolean): string {
  return isFound
    ? `its account has paid by order ${number}, which the ledger has forgotten: run \`bun run remit recover refunds\``
    : `order ${number}, which the ledger has lost, is being searched for`
}
