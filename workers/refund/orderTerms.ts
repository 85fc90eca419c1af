import { isRefundSpent } from '../../chain/hub/refunds.ts'
import { isRefundApproved, readRefundTerms } from '../../chain/hub/refundTerms.ts'
import type { View } from '../../chain/rpc/view.ts'
import type { OrderView } from '../../core/invoice/refundLimit.ts'
import { lastOrderNumber, type OrderRow } from '../../store/refund/orders.ts'
import type { KindContext } from '../relayer/kind.ts'

/** Reads the hub's terms of these orders, each once. */
export async function viewOrders(
  context: KindContext,
  rows: readonly OrderRow[],
): Promise<ReadonlyMap<bigint, OrderView>> {
  const { database, client, head } = context
  const last = await lastOrderNumber(database, client.chain.networkId)
  const views = new Map<bigint, OrderView>()
  for (const ofHub of Map.groupBy(rows, ({ hub }) => hub).values()) {
    const spent = await spentNumbers(context, ofHub, last)
    for (const ofToken of Map.groupBy(ofHub, ({ token }) => token).values()) {
      const [first] = ofToken
      if (first === undefined) continue
      const terms = await readRefundTerms(client.rpc, first.hub, first.token, head)
      for (const row of ofToken) {
        const isApproved = await approved(context, row)
        views.set(row.itemId, { block: head.number, terms, isApproved, spent })
      }
    }
  }
  return views
}

/** Numbers after the last one, as many as are needed, and those that were given and not signed for. */
async function spentNumbers(
  { client, head }: KindContext,
  rows: readonly OrderRow[],
  last: bigint,
): Promise<ReadonlyMap<bigint, boolean>> {
  const [first] = rows
  if (first === undefined) return new Map()
  const unsigned = rows.filter(({ deadline }) => deadline === null)
  const given = unsigned.flatMap(({ orderNumber }) => orderNumber ?? [])
  const next = unsigned.flatMap(({ orderNumber }, i) =>
    orderNumber === null ? [last + 1n + BigInt(i)] : [],
  )
  const asked = [...given, ...next].map(async (number) => {
    return [number, await isRefundSpent(client.rpc, first.hub, number, head)] as const
  })
  return new Map(await Promise.all(asked))
}

async function approved(
  { client, head }: { readonly client: KindContext['client']; readonly head: View },
  { hub, offerDigest, deadline }: OrderRow,
): Promise<boolean> {
  if (offerDigest === null || deadline !== null) return false
  return isRefundApproved(client.rpc, hub, offerDigest, head)
}
