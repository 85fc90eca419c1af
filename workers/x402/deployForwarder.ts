import { encodeDeployForwarder } from '../../chain/x402/settlement.ts'
import { asMerchantId, type MerchantId } from '../../core/base/ids.ts'
import { batchGas } from '../../core/chain/gas.ts'
import { forwarderHub } from '../../store/hub/forwarders.ts'
import type { WorkItem } from '../../store/relayer/workItems.ts'
import { limitOf, type WorkKind } from '../relayer/kind.ts'
import { succeeded } from '../relayer/outcomes.ts'

/**
 * Deploys a merchant's forwarder, one to a transaction. The hub does nothing when it is there already,
 * so a transaction that succeeds has done its work.
 */
export const deployKind: WorkKind = {
  gas: ({ deployment }) => batchGas(deployment),
  isSingleUse: false,

  async prepare({ config, gas }, sql, items) {
    const [first] = items
    const merchantId = first === undefined ? null : merchantOf(first)
    const hub = merchantId === null ? null : await forwarderHub(sql, merchantId)
    if (first === undefined || merchantId === null || hub === null) {
      const unusable = first ? [{ item: first, reason: 'its merchant has no forwarder' }] : []
      return { target: config.hub, calldata: '0x', gasLimit: 0n, items: [], unusable }
    }
    return {
      target: hub,
      calldata: encodeDeployForwarder(merchantId),
      gasLimit: limitOf(deployKind.gas(gas), [first]),
      items: [first],
      unusable: [],
    }
  },

  resolve: async (_sql, _target, items) => items.map((item) => succeeded(item, null)),
}

function merchantOf({ payload }: WorkItem): MerchantId | null {
  if (typeof payload !== 'object' || payload === null || !('merchantId' in payload)) return null
  return typeof payload.merchantId === 'string' ? asMerchantId(payload.merchantId) : null
}
