import { parseAbi } from 'viem'
import type { Address } from '../../core/chain/evm.ts'
import type { Config } from '../../core/config/processes.ts'

/** The contracts whose events are indexed, per chain, in the form that Ponder's config takes. */

const TOKEN_ABI = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
])
const HUB_ABI = parseAbi([
  'event ForwarderDeployed(bytes16 indexed merchantId, address forwarder)',
  'event Swept(address indexed deposit, address token, uint256 remitted, uint256 fee)',
  'event FeeOwed(address indexed deposit, address indexed token, uint256 amount)',
  'event Distributed(bytes16 indexed merchantId, address indexed token, address treasury, uint256 remitted, uint256 fee)',
  'event Refunded(uint256 indexed refundId, address indexed source, address indexed token, address to, uint256 amount)',
  'event MerchantConfigured(bytes16 indexed merchantId, address treasury, uint16 feeBps, uint40 feeCap, uint32 version)',
])

/** All events that are indexed; no other topics matter. */
export const INDEXED_EVENTS = [...TOKEN_ABI, ...HUB_ABI]

interface Deployment {
  readonly address: readonly Address[]
  readonly startBlock: number
}

/**
 * Every registered token of every active chain, and the hub. All of it counts towards the identity
 * of a deployment: another chain, token, hub or first block needs tables of its own.
 */
export function contractsOf(config: Pick<Config, 'chains' | 'hub'>) {
  const tokens: Record<string, Deployment> = {}
  const hubs: Record<string, Deployment> = {}
  for (const { networkId, tokens: registered, startBlock } of config.chains) {
    tokens[networkId] = { address: registered.map((token) => token.address), startBlock }
    hubs[networkId] = { address: [config.hub], startBlock }
  }
  return {
    Token: { abi: TOKEN_ABI, chain: tokens },
    Hub: { abi: HUB_ABI, chain: hubs },
  } as const
}
