import type { Log } from 'viem'
import { hubEvents } from '../../chain/hub/contract.ts'
import { type DistributeFailure, distributeFailures } from '../../chain/x402/distributions.ts'
import { encodeDistribute } from '../../chain/x402/settlement.ts'
import type { Address } from '../../core/chain/evm.ts'
import { batchGas } from '../../core/chain/gas.ts'
import { bytes16ToUuid } from '../../core/chain/words.ts'
import { forwarderAddress } from '../../core/hub/deposit.ts'
import type { Transaction } from '../../store/database/database.ts'
import { requestHubRead } from '../../store/hub/hubStates.ts'
import { requestEntryReads } from '../../store/hub/registryEntries.ts'
import type { ItemWait } from '../../store/relayer/hubWaits.ts'
import { noteRefusals, readDistributions } from '../../store/x402/duePayouts.ts'
import { withoutRefunds } from '../../store/x402/payoutLocks.ts'
import { postpone } from '../../store/x402/settles.ts'
import { stoppedItems } from '../relayer/hubWaits.ts'
import { idsOf, itemsOfRows, itemsWithoutRow, limitOf, type WorkKind } from '../relayer/kind.ts'
import { failed, succeeded } from '../relayer/outcomes.ts'

/** How soon a payout is tried again that waits for a refund, in seconds. */
const WAITS_FOR_REFUND_S = 5

/**
 * Pays forwarders out on their own, when no payment came along to do it. Whether one was paid is booked
 * from the hub's events at the chain's confirmations; here it only matters that the work is over.
 */
export const distributeKind: WorkKind = {
  gas: ({ distribution }) => batchGas(distribution.item),
  isSingleUse: false,

  async outflows(sql, items) {
    const due = await readDistributions(sql, idsOf(items))
    return due.map(({ itemId, token, hub, merchantId }) => ({
      itemId,
      token,
      from: forwarderAddress(hub, merchantId),
      amount: 1n,
    }))
  },

  async prepare({ config, client, gas }, sql, items) {
    const rows = await readDistributions(sql, idsOf(items))
    const payable = rows.flatMap(({ version, ...row }) =>
      version === null ? [] : { ...row, version },
    )
    const due = await withoutRefunds(sql, client.chain.networkId, payable)
    await postpone(
      sql,
      payable.filter((row) => !due.includes(row)).map(({ itemId }) => itemId),
      WAITS_FOR_REFUND_S,
    )
    const changing = rows.filter(({ version }) => version === null)
    const stopped = await stoppedItems(sql, client.chain.networkId, 'distributions', due)
    const isStopped = new Set(stopped.map(({ itemId }) => itemId))
    const free = due.filter(({ itemId }) => !isStopped.has(itemId))
    const [first] = free
    const target = first?.hub ?? config.hub
    const batch = free.filter((row) => row.token === first?.token && row.hub === target)
    return {
      target,
      calldata: first ? encodeDistribute(first.token, batch, gas) : '0x',
      gasLimit: limitOf(distributeKind.gas(gas), batch),
      items: itemsOfRows(items, batch),
      unusable: itemsWithoutRow(items, rows, 'its merchant has no forwarder'),
      waiting: [...changing.map(({ itemId }) => waitsForEntry(itemId)), ...stopped],
    }
  },

  async resolve(sql, target, items, logs) {
    const networkId = items[0]?.networkId
    const failures = networkId ? await noteFailures(sql, networkId, target, logs) : []
    const paid = new Map<string, number>()
    for (const event of hubEvents(target, logs)) {
      if (event.eventName !== 'Distributed') continue
      paid.set(bytes16ToUuid(event.args.merchantId), event.logIndex)
    }
    const rows = new Map(
      (await readDistributions(sql, idsOf(items))).map((row) => [row.itemId, row]),
    )
    return items.map((item) => {
      const merchantId = rows.get(item.id)?.merchantId ?? ''
      const logIndex = paid.get(merchantId)
      if (logIndex !== undefined) return succeeded(item, logIndex)
      const failure = failures.find((one) => one.merchantId === merchantId)
      const error = failure?.reason ?? 'the transaction has no event of this forwarder'
      if (!failure?.wait) return failed(item, error)
      return { item, ok: false, logIndex: null, result: { error, wait: failure.wait } }
    })
  },
}

function waitsForEntry(itemId: bigint): ItemWait {
  const reason = "the merchant's registry entry is not active: see `bun run remit merchant show`"
  return { itemId, wait: 'merchant_change', reason, until: null }
}

/**
 * Records which payouts a hub has refused, by the logs of one receipt, so that they are not retried at once.
 * Transient errors are no refusal: there the leader is requested to read the hub again.
 */
export async function noteFailures(
  sql: Transaction,
  networkId: string,
  hub: Address,
  logs: readonly Log[],
): Promise<DistributeFailure[]> {
  const failures = distributeFailures(hub, logs)
  const refusals = failures.filter(({ wait }) => wait === null)
  const block = logs[0]?.blockNumber ?? 0n
  await noteRefusals(sql, networkId, { block, blockHash: logs[0]?.blockHash ?? null }, refusals)
  if (failures.some(({ wait }) => wait === 'stopped')) await requestHubRead(sql, networkId)
  const changing = failures.flatMap(({ wait, merchantId }) =>
    wait === 'merchant_change' ? [merchantId] : [],
  )
  await requestEntryReads(sql, { networkId, hub }, changing, block)
  return failures
}
