import { readHead } from '../../chain/blocks/blocks.ts'
import { findRefunded, isRefundSpent } from '../../chain/hub/refunds.ts'
import { openChain } from '../../chain/rpc/client.ts'
import type { RefundId } from '../../core/base/ids.ts'
import { newestConfirmed } from '../../core/chain/depth.ts'
import { type Address, checksumAddress } from '../../core/chain/evm.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import type { Database } from '../../store/database/database.ts'
import {
  firstPaidBlock,
  type LostOrder,
  noteLostOrders,
  offeredNumbers,
  type PaidOrder,
  readBack,
  unreadLostOrders,
} from '../../store/refund/lostOrders.ts'
import { lastOrderNumber } from '../../store/refund/orders.ts'
import type { CommandInput, CommandOutcome, CommandSpec } from '../terminal/command.ts'
import { requireConfig } from '../terminal/environment.ts'
import { withLedger } from '../terminal/ledger.ts'

/** Paid refunds whose orders were lost from the ledger in a failover. */

export const recoverRefunds: CommandSpec = {
  words: ['recover', 'refunds'],
  about: 'Restore refunds that the hub has paid and the ledger has lost.',
  details: `After a failover that lost a commit, the hub may have spent order ids that no refund in the ledger has. Finds each
on its chain and assigns it to the refund that it paid, which workers then book without sending it. Until then, no
refund of the same deposit or forwarder is signed.

If the refund itself was lost with the commit, ask the merchant to request the same amount to the same address
again, and repeat this command: the refund is not sent twice.

Exits with 0 if every such order was restored, otherwise with 1.`,
  options: {},
  examples: ['recover refunds', 'recover refunds --json'],
  run,
}

/** The result for a lost order. */
export interface Recovered extends LostOrder {
  /** The hub's payment; null until it is confirmed. */
  readonly paid: PaidOrder | null
  /** The refund that it was assigned to; null for none. */
  readonly refundId: RefundId | null
}

async function run(input: CommandInput): Promise<CommandOutcome> {
  const config = requireConfig(input)
  return await withLedger(input, async (database) => {
    const recovered: Recovered[] = []
    for (const chain of config.chains)
      recovered.push(...(await recoverOrders(database, chain, config.hub)))
    const isDone = recovered.every(({ refundId }) => refundId !== null)
    return {
      json: { recovered: recovered.map(jsonOf) },
      text:
        recovered.length === 0
          ? "The ledger has all of the hub's refunds."
          : recovered.map(textOf).join('\n'),
      exitCode: isDone ? 0 : 1,
    }
  })
}

/** Finds lost orders on a chain, and assigns the confirmed ones to their refunds. */
export async function recoverOrders(
  database: Database,
  chain: ActiveChain,
  hub: Address,
): Promise<Recovered[]> {
  const { rpc } = openChain(chain)
  const { networkId } = chain
  const head = await readHead(rpc)
  const spent: bigint[] = []
  for (const number of await offeredNumbers(database, networkId))
    if (await isRefundSpent(rpc, hub, number, head)) spent.push(number)
  const last = await lastOrderNumber(database, networkId)
  for (let next = last + 1n; await isRefundSpent(rpc, hub, next, head); next += 1n) spent.push(next)
  await noteLostOrders(database, { networkId, hub }, spent)
  const since = await firstPaidBlock(database, networkId)
  const deepest = newestConfirmed(head.number, chain.confirmations)
  const recovered: Recovered[] = []
  for (const lost of await unreadLostOrders(database, networkId)) {
    const at = await findRefunded(rpc, lost.hub, lost.orderNumber, since, deepest)
    if (at === null) {
      recovered.push({ ...lost, paid: null, refundId: null })
      continue
    }
    const { timestamp: time } = await rpc.getBlock({ blockHash: at.blockHash })
    const { source, token, to, amount } = at
    const paid = { ...lost, source, token, to, amount, time }
    recovered.push({ ...lost, paid, refundId: await readBack(database, paid) })
  }
  return recovered
}

function jsonOf({ networkId, orderNumber, paid, refundId }: Recovered) {
  const amount = paid?.amount.toString() ?? null
  const { source = null, token = null, to = null } = paid ?? {}
  return { networkId, orderNumber: orderNumber.toString(), source, token, to, amount, refundId }
}

function textOf({ networkId, orderNumber, paid, refundId }: Recovered): string {
  const order = `order ${orderNumber} on ${networkId}`
  if (paid === null) return `${order}: not confirmed yet; repeat this command in a moment`
  const what = `${order}: ${paid.amount} base units of ${checksumAddress(paid.token)} from ${checksumAddress(paid.source)} to ${checksumAddress(paid.to)}`
  return refundId === null
    ? `${what}: no refund matches it; have the merchant request it again, then repeat this command`
    : `${what}: restored as refund ${refundId}`
}
