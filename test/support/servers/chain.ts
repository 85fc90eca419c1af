import pino from 'pino'
import { createPublicClient, encodeFunctionData, erc20Abi, http, type PublicClient } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { hubAddress, hubInitCode } from '../../../chain/hub/deployment.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import { ALL_CHAINS, tokenOn } from '../../../core/chain/registry.ts'
import type { TokenOnChain } from '../../../core/chain/tokens.ts'
import { type ActiveChain, suffix } from '../../../core/config/chains.ts'
import type { Variables } from '../../../core/config/reader.ts'
import { parseWorkerConfig } from '../../../core/config/worker.ts'
import type { Anvil, AnvilOptions } from '../../../dev/servers/anvil.ts'
import { asHex } from '../../../dev/servers/rpc.ts'
import { TOKEN_ABI } from '../../../dev/stack/artifacts.ts'
import { bootstrapChain } from '../../../dev/stack/bootstrap.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import {
  openSigners,
  type SigningConfig,
  withLocalSigners,
} from '../../../workers/signers/signers.ts'
import { startTestChain } from './run.ts'

/** A chain with the hub and the tokens on it, and the configuration of workers that settle there. */

export interface HubChain {
  readonly node: Anvil
  readonly networkId: string
  readonly client: PublicClient
  readonly usdc: TokenOnChain
  readonly hub: Address
  readonly collector: Address
  readonly ownerKey: Hex
  /** The keys behind the hub, for a second chain on which it has the same address. */
  readonly roles: HubRoles
  /** Operators of the hub with money for gas. Each test takes one of its own. */
  readonly relayerKeys: readonly Hex[]
  /** The variables of a worker, as an operator would set them. */
  variables(change?: Record<string, string>): Variables
  /** Mints USDC to holders, in base units, in one block. */
  mint(shares: readonly { readonly to: Hex; readonly amount: bigint }[]): Promise<void>
  balance(holder: Hex): Promise<bigint>
  mine(blocks?: number): Promise<void>
}

export interface HubRoles {
  readonly owner: Hex
  readonly configSigner: Hex
  readonly refundSigner: Hex
  readonly feeCollector: Hex
}

const CONFIRMATIONS = 2

/** Starts a chain that mines only when asked, unless told otherwise, and puts the hub on it. */
export async function startHubChain(
  options: Partial<AnvilOptions> & {
    networkId?: string
    relayers?: number
    /** The operators' keys, instead of so many new ones. */
    relayerKeys?: readonly Hex[]
    roles?: HubRoles
    /** Who holds coins and tokens to give away; an account of no one by default. */
    faucet?: Address
  } = {},
): Promise<HubChain> {
  const { networkId = 'base-sepolia', relayers = 4, roles = newRoles(), ...others } = options
  const { relayerKeys = Array.from({ length: relayers }, generatePrivateKey), ...anvilOptions } =
    others
  const chain = ALL_CHAINS.find((entry) => entry.networkId === networkId)
  const usdc = chain && tokenOn(chain, 'USDC')
  if (!chain || !usdc) throw new Error(`the registry has no USDC on ${networkId}`)
  const node = await startTestChain({ chainId: chain.chainId, mining: 'manual', ...anvilOptions })
  const addresses = {
    configSigner: addressOf(roles.configSigner),
    refundSigner: addressOf(roles.refundSigner),
    feeCollector: addressOf(roles.feeCollector),
  }
  const initCode = await hubInitCode(addressOf(roles.owner), 'sandbox')
  const hub = hubAddress(initCode)
  await bootstrapChain(chain, node, {
    ownerKey: roles.owner,
    ...addresses,
    relayers: relayerKeys.map(addressOf),
    faucet: options.faucet ?? addressOf(generatePrivateKey()),
    hubInitCode: initCode,
    hub,
  })
  const client = createPublicClient({ transport: http(node.url, { batch: true }), cacheTime: 0 })
  const id = suffix(networkId)
  let minting = Promise.resolve()
  return {
    node,
    networkId,
    client,
    usdc,
    hub,
    collector: addressOf(roles.feeCollector),
    ownerKey: roles.owner,
    roles,
    relayerKeys,
    variables: (change = {}) => ({
      DATABASE_URL: 'postgres://unset',
      REDIS_URL: 'redis://unset',
      HUB_ADDRESS: hub,
      HUB_OWNER: addressOf(roles.owner),
      FEE_COLLECTOR: addressOf(roles.feeCollector),
      CONFIG_SIGNER_KEY: roles.configSigner,
      REFUND_SIGNER_KEY: roles.refundSigner,
      [`RPC_URL_${id}`]: node.url,
      // Its blocks have no rhythm.
      [`HEAD_POLLING_${id}`]: 'fast',
      [`CONFIRMATIONS_${id}`]: String(CONFIRMATIONS),
      [`RELAYER_KEYS_${id}`]: relayerKeys.join(','),
      RELAYER_LEASE_MS: '1000',
      ...change,
    }),
    // One after the other: two that begin together would take the same nonces.
    mint(shares) {
      const minted = minting.then(() => mint(node, client, roles.owner, usdc, shares))
      minting = minted.catch(() => undefined)
      return minted
    },
    balance: (holder) => balanceOf(client, usdc, holder),
    async mine(blocks = 1) {
      for (let i = 0; i < blocks; i += 1) await node.rpc('evm_mine')
    },
  }
}

/** Keys of a hub that is on no chain yet. */
export function newRoles(): HubRoles {
  return {
    owner: generatePrivateKey(),
    configSigner: generatePrivateKey(),
    refundSigner: generatePrivateKey(),
    feeCollector: generatePrivateKey(),
  }
}

/** The worker's configuration out of variables, and the one chain that they switch on. */
export function workerConfig(variables: Variables): {
  config: SigningConfig
  chain: ActiveChain
} {
  const parsed = parseWorkerConfig(variables)
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  const [chain] = parsed.config.chains
  if (!chain) throw new Error('no chain is switched on')
  return { config: withLocalSigners(parsed.config), chain }
}

/** The same, with keys that may be in stores outside of the process. */
export async function openWorkerConfig(variables: Variables): Promise<{
  config: SigningConfig
  chain: ActiveChain
}> {
  const parsed = parseWorkerConfig(variables)
  const opened = parsed.ok ? await openSigners(parsed.config, pino({ level: 'silent' })) : parsed
  if (!opened.ok) throw new Error(opened.problems.join('\n'))
  const [chain] = opened.config.chains
  if (!chain) throw new Error('no chain is switched on')
  return { config: opened.config, chain }
}

async function mint(
  node: Anvil,
  client: PublicClient,
  ownerKey: Hex,
  token: TokenOnChain,
  shares: readonly { readonly to: Hex; readonly amount: bigint }[],
): Promise<void> {
  const owner = privateKeyToAccount(ownerKey)
  const first = await client.getTransactionCount({ address: owner.address, blockTag: 'pending' })
  const hashes = await Promise.all(
    shares.map(async ({ to, amount }, i) => {
      const raw = await owner.signTransaction({
        type: 'eip1559',
        chainId: node.chainId,
        nonce: first + i,
        to: token.address,
        data: encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args: [to, amount] }),
        gas: 120_000n,
        maxFeePerGas: 20_000_000_000n,
        maxPriorityFeePerGas: 1_000_000_000n,
      })
      return client.request({ method: 'eth_sendRawTransaction', params: [raw] })
    }),
  )
  await node.rpc('evm_mine')
  for (const hash of hashes) {
    const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
    if (receipt.status !== 'success') throw new Error(`mint ${asHex(hash)} was reverted`)
  }
}

function balanceOf(client: PublicClient, token: TokenOnChain, holder: Hex): Promise<bigint> {
  return client.readContract({
    address: token.address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [holder],
  })
}
