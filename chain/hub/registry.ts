import { encodeFunctionData, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { uuidToBytes16 } from '../../core/chain/words.ts'
import type { MerchantId } from '../../core/ids.ts'
import { type BaseUnits, baseUnits } from '../../core/money.ts'
import { HUB_ABI } from './contract.ts'

/** The hub's registry of merchants: where their money goes, and what it costs them. */

/** A merchant's entry in the on-chain registry. */
export interface MerchantConfig {
  readonly merchantId: MerchantId
  readonly treasury: Address
  readonly feeBps: number
  readonly feeCap: BaseUnits
  /** Only a higher version than the hub's is accepted. */
  readonly version: number
}

/** Reads a merchant's registry entry; version 0 when there is none. */
export async function readMerchant(
  client: PublicClient,
  hub: Address,
  merchantId: MerchantId,
): Promise<MerchantConfig> {
  const [treasury, feeBps, feeCap, version] = await client.readContract({
    address: hub,
    abi: HUB_ABI,
    functionName: 'merchants',
    args: [uuidToBytes16(merchantId)],
  })
  return {
    merchantId,
    treasury: lowerCaseAddress(treasury),
    feeBps,
    feeCap: baseUnits(BigInt(feeCap)),
    version,
  }
}

const MERCHANT_CONFIG_TYPES = {
  MerchantConfig: [
    { name: 'merchantId', type: 'bytes16' },
    { name: 'treasury', type: 'address' },
    { name: 'feeBps', type: 'uint16' },
    { name: 'feeCap', type: 'uint48' },
    { name: 'version', type: 'uint32' },
  ],
} as const

/** EIP-712. The domain names no chain: one signature is good for the same hub on every chain. */
export function signMerchantConfig(
  signerKey: Hex,
  hub: Address,
  config: MerchantConfig,
): Promise<Hex> {
  return privateKeyToAccount(signerKey).signTypedData({
    domain: { name: 'Remit Hub', version: '1', verifyingContract: hub },
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
    // uint48: up to 281 million of a token with six decimals, exact as a double.
    feeCap: Number(config.feeCap),
    version: config.version,
  }
}
