import { isRefundSpent } from '../../../chain/hub/refunds.ts'
import { isRefundApproved, readRefundTerms } from '../../../chain/hub/refundTerms.ts'
import type { View } from '../../../chain/view.ts'
import type { OrderView } from '../../../core/invoice/refundLimit.ts'
import { lastOrderNumber } from '../../../store/refund/orders.ts'
import type { RefundOrderRow } from '../../../store/refund/work.ts'
import { lostOrders } from '../../evidence/lostRefunds.ts'
import type { KindContext } from './kind.ts'

/** Asks the hub about these orders, once about each thing. Those about which it can't say all yet are missing. */
export async function viewOrders(
  context: KindContext,
  rows: readonly RefundOrderRow[],
): Promise<ReadonlyMap<bigint, OrderView>> {
  const { database, client, head } = context
  const last = await lastOrderNumber(database, client.chain.networkId)
  const views = new Map<bigint, OrderView>()
  const lost = await lostOrders(context, rows, head)
  const known = rows.filter(({ itemId }) => lost.has(itemId))
  for (const ofHub of Map.groupBy(known, ({ hub }) => hub).values()) {
    const spent = await spentNumbers(context, ofHub, last)
    for (const ofToken of Map.groupBy(ofHub, ({ token }) => token).values()) {
      const [first] = ofToken
      if (first === undefined) continue
      const terms = await readRefundTerms(client.rpc, first.hub, first.token, head)
      for (const row of ofToken) {
        const isApproved = await approved(context, row)
        const lostOrder = lost.get(row.itemId) ?? null
        views.set(row.itemId, { block: head.number, terms, isApproved, spent, lost: lostOrder })
      }
    }
  }
  return views
}

/** How many more numbers are asked about when all that were needed are spent. */
const NUMBERS_AHEAD = 16
/** How far numbers leap at most when these are spent as well. */
const LEAP_MAX = 2n ** 40n

/**
 * Numbers after the last one, as many as are needed, and those that were given and not signed for. A few that
 * are spent were given by a lost commit. Many were spent by a thief, who may have spent any number of them
 * before the key was replaced: no one knows where a leap ends, so that he has not been there.
 */
async function spentNumbers(
  { client, head }: KindContext,
  rows: readonly RefundOrderRow[],
  last: bigint,
): Promise<ReadonlyMap<bigint, boolean>> {
  const [first] = rows
  if (first === undefined) return new Map()
  const ask = async (numbers: readonly bigint[]) => {
    const asked = numbers.map((number) => isRefundSpent(client.rpc, first.hub, number, head))
    const answers = await Promise.all(asked)
    return numbers.map((number, i) => [number, answers[i] === true] as const)
  }
  const unsigned = rows.filter(({ deadline }) => deadline === null)
  const given = unsigned.flatMap(({ orderNumber }) => orderNumber ?? [])
  // One that was given may be spent by now.
  const needed = unsigned.length
  const spent = new Map(await ask([...given, ...numbersFrom(last + 1n, needed)]))
  const isUsedUp = (from: bigint, count: number) =>
    count > 0 && numbersFrom(from, count).every((number) => spent.get(number) === true)
  if (!isUsedUp(last + 1n, needed)) return spent
  const ahead = last + 1n + BigInt(needed)
  for (const [number, is] of await ask(numbersFrom(ahead, NUMBERS_AHEAD))) spent.set(number, is)
  if (!isUsedUp(ahead, NUMBERS_AHEAD)) return spent
  const leap = ahead + BigInt(NUMBERS_AHEAD) + randomBelow(LEAP_MAX)
  for (const [number, is] of await ask(numbersFrom(leap, needed))) spent.set(number, is)
  return spent
}

function numbersFrom(first: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, i) => first + BigInt(i))
}

/** Evenly, below a power of two up to 2^64. */
function randomBelow(end: bigint): bigint {
  const [random = 0n] = crypto.getRandomValues(new BigUint64Array(1))
  return random % end
}

async function approved(
  { client, head }: { readonly client: KindContext['client']; readonly head: View },
  { hub, offerDigest, deadline }: RefundOrderRow,
): Promise<boolean> {
  if (offerDigest === null || deadline !== null) return false
  return isRefundApproved(client.rpc, hub, offerDigest, head)
}
