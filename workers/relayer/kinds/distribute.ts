import { hubEvents } from '../../../chain/hub/contract.ts'
import { distributeFailures } from '../../../chain/hub/distributions.ts'
import { encodeDistribute } from '../../../chain/hub/settlement.ts'
import { bytes16ToUuid } from '../../../core/chain/words.ts'
import { noteRefusals, readDistributions } from '../../../store/x402/duePayouts.ts'
import {
  failed,
  idsOf,
  itemsOfRows,
  itemsWithoutRow,
  NO_LEDGER,
  succeeded,
  type WorkKind,
} from './kind.ts'

/**
 * Pays forwarders out on their own, when no payment came along to do it. Whether one was paid is booked
 * from the hub's events at the chain's confirmations; here it only matters that the work is over.
 */
export const distributeKind: WorkKind = {
  // The hub insists on 350,000 gas before it starts an item; a good one uses at most 130,000.
  gas: { base: 420_000n, perItem: 150_000n },
  isSingleUse: false,

  async prepare({ config }, sql, items) {
    const due = await readDistributions(sql, idsOf(items))
    const [first] = due
    const target = first?.hub ?? config.hub
    const batch = due.filter((row) => row.token === first?.token && row.hub === target)
    return {
      target,
      calldata: first ? encodeDistribute(first.token, batch) : '0x',
      items: itemsOfRows(items, batch),
      unusable: itemsWithoutRow(items, due, 'its merchant has no forwarder'),
    }
  },

  async resolve(sql, target, items, logs) {
    const refusals = distributeFailures(target, logs)
    const networkId = items[0]?.networkId
    if (networkId) await noteRefusals(sql, networkId, refusals)
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
      const refusal = refusals.find((one) => one.merchantId === merchantId)
      return failed(item, refusal?.reason ?? 'the transaction says nothing about this forwarder')
    })
  },

  ...NO_LEDGER,
}
