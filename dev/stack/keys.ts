/**
 * The development stack's keys, one per role, created once and stored in `.remit/keys.json`. They are
 * valid on local chains only.
 */
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { StackError } from '../processes/child.ts'
import { type Home, readJson, writeSecret } from './home.ts'

const RELAYERS_PER_CHAIN = 3
/** `merchant` receives the demo merchant's payouts; `feeCollector` receives the fees. */
type Role = 'owner' | 'configSigner' | 'refundSigner' | 'feeCollector' | 'merchant' | 'faucet'

export type DevelopmentKeys = Record<Role, Hex> & {
  relayers: Record<string, readonly Hex[]>
  /** Signs the dashboard's cookies; in the format of the other keys. */
  dashboardSecret: Hex
  /** Encrypts secrets in the database; in the same format. */
  encryptionKey: Hex
}

/** Reads the stored keys and creates missing ones, e.g. of a chain added since. */
export function developmentKeys(home: Home, networkIds: readonly string[]): DevelopmentKeys {
  const path = join(home.dir, 'keys.json')
  const kept = record(readJson(path) ?? {}, path)
  const keptRelayers = record(kept.relayers ?? {}, path)
  const relayers: Record<string, readonly Hex[]> = {}
  for (const networkId of networkIds) {
    const known = keptRelayers[networkId]
    relayers[networkId] = Array.isArray(known)
      ? known.map((key) => privateKey(key, path))
      : Array.from({ length: RELAYERS_PER_CHAIN }, generatePrivateKey)
  }
  const role = (name: Role | 'dashboardSecret' | 'encryptionKey') => {
    const known = kept[name]
    return known === undefined ? generatePrivateKey() : privateKey(known, path)
  }
  const keys: DevelopmentKeys = {
    owner: role('owner'),
    configSigner: role('configSigner'),
    refundSigner: role('refundSigner'),
    feeCollector: role('feeCollector'),
    merchant: role('merchant'),
    faucet: role('faucet'),
    dashboardSecret: role('dashboardSecret'),
    encryptionKey: role('encryptionKey'),
    relayers,
  }
  const all = { ...keys, relayers: { ...keptRelayers, ...relayers } }
  writeSecret(path, `${JSON.stringify(all, null, 2)}\n`)
  return keys
}

/** All private keys of the home, in lower case. */
export function keptKeys(home: Home): Set<string> {
  const path = join(home.dir, 'keys.json')
  const { relayers, ...roles } = record(readJson(path) ?? {}, path)
  const lists = Object.values(record(relayers ?? {}, path))
  return new Set([...Object.values(roles), ...lists.flat()].map((key) => String(key).toLowerCase()))
}

/** The address of a key, in normal form. */
export function addressOf(key: Hex): Address {
  return lowerCaseAddress(privateKeyToAddress(key))
}

function record(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new StackError(`${path} is damaged; repair it, or start with --fresh.`)
  }
  return { ...value }
}

function privateKey(value: unknown, path: string): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{64}$/.test(value)) {
    throw new StackError(`${path} contains an invalid private key; start with --fresh.`)
  }
  return `0x${value.slice(2)}`
}
