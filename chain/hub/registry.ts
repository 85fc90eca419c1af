import { encodeFunctionData, hashTypedData, type PublicClient } from 'viem'
import type { MerchantId } from '../../core/base/ids.ts'
import { type BaseUnits, baseUnits } from '../../core/base/money.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { uuidToBytes16 } from '../../core/chain/words.ts'
import type { EntryTerms, RegistryState } from '../../core/hub/registryEntry.ts'
import { atView, type View } from '../rpc/view.ts'
import { HUB_ABI, HUB_DOMAIN } from './abi.ts'

/** The hub's registry of merchants: where their money goes, and what it costs them. */

/** A merchant's entry in the on-chain registry. */
export interface MerchantConfig {
  readonly merchantId: MerchantId
  readonly treasury: Address
  readonly feeBps: number
  /** The most that one distribution may charge, in millionths of a whole token. */
  readonly feeCap: BaseUnits
  /** Only a higher version than the hub's is accepted. */
  readonly version: number
}

/** An active entry, and whether a change of it is pending: nothing is paid by it until then. */
export interface RegisteredMerchant extends MerchantConfig {
  readonly isChanging: boolean
}

/** A merchant's registry entry after the view's block, by default the newest; version 0 without one. */
export async function readMerchant(
  client: PublicClient,
  hub: Address,
  merchantId: MerchantId,
  view?: View,
): Promise<RegisteredMerchant> {
  const [treasury, feeBps, feeCap, version, isChanging] = await client.readContract({
    address: hub,
    abi: HUB_ABI,
    functionName: 'merchants',
    args: [uuidToBytes16(merchantId)],
    ...atView(view),
  })
  return {
    merchantId,
    treasury: lowerCaseAddress(treasury),
    feeBps,
    feeCap: baseUnits(BigInt(feeCap)),
    version,
    isChanging,
  }
}

/** A merchant's active entry, and what the hub knows of a newer one, after the view's block. */
export async function readRegistryState(
  client: PublicClient,
  hub: Address,
  merchantId: MerchantId,
  view: View,
): Promise<RegistryState<EntryTerms>> {
  const read = { address: hub, abi: HUB_ABI, blockHash: view.hash } as const
  const args = [uuidToBytes16(merchantId)] as const
  const [entry, change] = await Promise.all([
    client.readContract({ ...read, functionName: 'merchants', args }),
    client.readContract({ ...read, functionName: 'pendingChanges', args }),
  ])
  const [current, newer] = [termsOf(entry), termsOf(change)]
  const [, , , , readyAt] = change
  return {
    entry: current.version === 0 ? null : current,
    // What is not newer than the entry is over.
    change:
      newer.version <= current.version
        ? null
        : { ...newer, readyAt: readyAt === 0n ? null : readyAt },
  }
}

/** The first values of either view. */
function termsOf([treasury, feeBps, feeCap, version]: readonly [
  Hex,
  number,
  number,
  number,
  ...unknown[],
]): EntryTerms {
  return { treasury: lowerCaseAddress(treasury), feeBps, feeCap: BigInt(feeCap), version }
}

const MERCHANT_CONFIG_TYPES = {
  MerchantConfig: [
    { name: 'merchantId', type: 'bytes16' },
    { name: 'treasury', type: 'address' },
    { name: 'feeBps', type: 'uint16' },
    { name: 'feeCap', type: 'uint40' },
    { name: 'version', type: 'uint32' },
  ],
} as const

/** What is signed for an entry (EIP-712). The domain names no chain: it is good for the same hub on every one. */
export function merchantConfigDigest(hub: Address, config: MerchantConfig): Hex {
  return hashTypedData({
    domain: { ...HUB_DOMAIN, verifyingContract: hub },
    types: MERCHANT_CONFIG_TYPES,
    primaryType: 'MerchantConfig',
    message: configStruct(config),
  })
}

/** The call that carries registry entries, each with its signature. */
export function encodeConfigure(
  entries: readonly { readonly config: MerchantConfig; readonly signature: Hex }[],
): Hex {
  return encodeFunctionData({
    abi: HUB_ABI,
    functionName: 'configure',
    args: [
      entries.map(({ config }) => configStruct(config)),
      entries.map(({ signature }) => signature),
    ],
  })
}

function configStruct(config: MerchantConfig) {
  return {
    merchantId: uuidToBytes16(config.merchantId),
    treasury: config.treasury,
    feeBps: config.feeBps,
    // uint40: up to 1.1 million whole tokens, exact as a double.
    feeCap: Number(config.feeCap),
    version: config.version,
  }
}
