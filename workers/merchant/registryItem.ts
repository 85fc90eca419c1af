import { isHex } from 'viem'
import { asMerchantId, type MerchantId } from '../../core/base/ids.ts'
import { type Address, type Hex, parseAddress } from '../../core/chain/evm.ts'
import type { EntryTerms } from '../../core/hub/registryEntry.ts'
import type { WorkItem } from '../../store/relayer/workItems.ts'

/** The payload of the work item of a merchant's registry entry. */
export interface RegistryItem {
  readonly item: WorkItem
  /** The hub whose registry the entry belongs to. */
  readonly hub: Address
  readonly merchantId: MerchantId
  readonly wanted: EntryTerms
  /** What was signed last. The same goes out again when a change of it is ready. */
  readonly carried: { readonly version: number; readonly signature: Hex } | null
}

/** Reads a work item's payload; null when it is no registry entry. */
export function registryItem(item: WorkItem): RegistryItem | null {
  const { hub, merchantId, treasury, feeBps, feeCap, version, carried } = fields(item.payload)
  const [at, to] = [addressIn(hub), addressIn(treasury)]
  if (at === null || to === null || typeof merchantId !== 'string') return null
  if (typeof feeBps !== 'number' || typeof version !== 'number') return null
  if (typeof feeCap !== 'string' || !/^[0-9]{1,13}$/.test(feeCap)) return null
  return {
    item,
    hub: at,
    merchantId: asMerchantId(merchantId),
    wanted: { treasury: to, feeBps, feeCap: BigInt(feeCap), version },
    carried: carriedIn(carried),
  }
}

function carriedIn(value: unknown): RegistryItem['carried'] {
  const { version, signature } = fields(value)
  return typeof version === 'number' && isHex(signature) ? { version, signature } : null
}

function addressIn(value: unknown): Address | null {
  return typeof value === 'string' ? parseAddress(value) : null
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
