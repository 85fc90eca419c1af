import { hubEvents } from '../../../chain/hub/contract.ts'
import { explainRevert } from '../../../chain/hub/errors.ts'
import {
  encodeConfigure,
  type MerchantConfig,
  readMerchant,
  signMerchantConfig,
} from '../../../chain/hub/registry.ts'
import { type Address, type Hex, parseAddress } from '../../../core/chain/evm.ts'
import { bytes16ToUuid } from '../../../core/chain/words.ts'
import { asMerchantId, type InvoiceId } from '../../../core/ids.ts'
import { baseUnitsFromText } from '../../../core/money.ts'
import { readSweeps, settlementsFailed } from '../../../store/invoice/sweeps.ts'
import { endItems, itemsWaitingFor, type WorkItem } from '../../../store/relayer/workItems.ts'
import {
  type Evidence,
  failed,
  type ItemFailure,
  NO_LEDGER,
  succeeded,
  unmentioned,
  type WorkKind,
} from './kind.ts'

const NO_HASH: Hex = `0x${'0'.repeat(64)}`

/** Carries merchants' registry entries to the hub, signed when they are assigned. */
export const configureKind: WorkKind = {
  gas: { base: 60_000n, perItem: 80_000n },
  isSingleUse: false,
  ...NO_LEDGER,

  async prepare({ config }, _sql, items) {
    const entries: { config: MerchantConfig; signature: Hex }[] = []
    const usable: WorkItem[] = []
    const unusable: ItemFailure[] = []
    let target: Address | null = null
    for (const item of items) {
      const entry = entryOf(item)
      const hub = hubOf(item)
      if (entry === null || hub === null) {
        unusable.push({ item, reason: 'its payload is no registry entry' })
        continue
      }
      target ??= hub
      // Those of another hub are for another transaction.
      if (hub !== target) continue
      const signature = await signMerchantConfig(config.configSignerKey, hub, entry)
      entries.push({ config: entry, signature })
      usable.push(item)
    }
    const calldata = encodeConfigure(entries)
    return { target: target ?? config.hub, calldata, items: usable, unusable }
  },

  async resolve(_sql, target, items, logs) {
    const events = hubEvents(target, logs)
    return items.map((item) => {
      const entry = entryOf(item)
      for (const event of events) {
        const { logIndex, eventName } = event
        if (eventName !== 'MerchantConfigured' && eventName !== 'ConfigureFailed') continue
        const { merchantId, version } = event.args
        if (bytes16ToUuid(merchantId) !== entry?.merchantId || version !== entry.version) continue
        if (eventName === 'MerchantConfigured') {
          return succeeded(item, logIndex, { version: `${version}` })
        }
        return failed(item, explainRevert(event.args.reason), logIndex)
      }
      return unmentioned(item, 'entry')
    })
  },

  /** Anyone may carry a signed entry: if the hub holds exactly ours, it is in force. */
  async evidence({ client }, target, items, block) {
    const found: Evidence[] = []
    for (const item of items) {
      const entry = entryOf(item)
      if (entry === null) continue
      const current = await readMerchant(client.rpc, target, entry.merchantId)
      if (current.version !== entry.version || current.treasury !== entry.treasury) continue
      const at = { txHash: NO_HASH, block, blockHash: NO_HASH }
      found.push({ item, at, result: { version: `${entry.version}` } })
    }
    return found
  },

  /** Sweeps that wait for an entry that will never be in force have not been sent: they end too. */
  async failed(sql, failures) {
    const invoices: InvoiceId[] = []
    for (const { item, reason } of failures) {
      const waiting = (await itemsWaitingFor(sql, [item.id])).map(({ id }) => id)
      if (waiting.length === 0) continue
      const error = `the registry entry failed: ${reason}`
      await endItems(sql, waiting, 'failed', error)
      const sweeps = await readSweeps(sql, waiting)
      const rows = sweeps.map(({ settlementId }) => ({ id: settlementId, error }))
      invoices.push(...(await settlementsFailed(sql, rows)))
    }
    return invoices
  },
}

function entryOf({ payload }: WorkItem): MerchantConfig | null {
  if (typeof payload !== 'object' || payload === null) return null
  const { merchantId, treasury, feeBps, feeCap, version }: Record<string, unknown> = { ...payload }
  const address = typeof treasury === 'string' ? parseAddress(treasury) : null
  if (typeof merchantId !== 'string' || address === null) return null
  if (typeof feeBps !== 'number' || typeof version !== 'number') return null
  if (typeof feeCap !== 'string' || !/^[0-9]{1,15}$/.test(feeCap)) return null
  return {
    merchantId: asMerchantId(merchantId),
    treasury: address,
    feeBps,
    feeCap: baseUnitsFromText(feeCap),
    version,
  }
}

/** The hub whose registry the entry belongs to. */
function hubOf({ payload }: WorkItem): Address | null {
  if (typeof payload !== 'object' || payload === null || !('hub' in payload)) return null
  return typeof payload.hub === 'string' ? parseAddress(payload.hub) : null
}
