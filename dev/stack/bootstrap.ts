/**
 * Sets a local chain up like the public one with the same id: the hub, tokens, and the contracts for payments
 * by Permit2 and channels at their public addresses, with funded relayers and faucet.
 * Each step checks the current state first, so that a killed start is completed by the next one.
 */

import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  http,
  type PublicClient,
  parseEther,
  type WalletClient,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { hasCode } from '../../chain/blocks/accounts.ts'
import { readHub } from '../../chain/hub/contract.ts'
import { DEPLOYMENT_PROXY, deploymentCall, type UnsignedCall } from '../../chain/hub/deployment.ts'
import { missingCalls, readHubState, UNLIMITED } from '../../chain/hub/setup.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { type Chain, neverWatched, tokenOn } from '../../core/chain/registry.ts'
import type { TokenOnChain } from '../../core/chain/tokens.ts'
import { StackError } from '../processes/child.ts'
import type { Anvil } from '../servers/anvil.ts'
import { readArtifact, TOKEN_ABI } from './artifacts.ts'
import { placeCanonical } from './canonical.ts'

export type LocalDeployment = {
  ownerKey: Hex
  configSigner: Address
  refundSigner: Address
  feeCollector: Address
  relayers: readonly Address[]
  faucet: Address
  /** Init code with its constructor's arguments: the same on every chain, so the address is too. */
  hubInitCode: Hex
  hub: Address
}

/** Balances of relayers and owner for gas, and of the faucet. */
const GAS_MONEY = parseEther('1000')
const FAUCET_COINS = parseEther('1000000')
/** The EIP-712 domain of the local EURC. */
const EURC_DOMAIN = { name: 'EURC', version: '2' }
/** One hundred million of each token, in base units of six decimals. */
const FAUCET_TOKENS = 100_000_000_000_000n

type Setup = {
  chain: Chain
  node: Anvil
  reader: PublicClient
  owner: WalletClient
  deployment: LocalDeployment
}

/** @throws StackError if a contract can't be deployed, or its address differs from the registry's. */
export async function bootstrapChain(
  chain: Chain,
  node: Anvil,
  deployment: LocalDeployment,
): Promise<void> {
  const transport = http(node.url, { retryCount: 0 })
  const account = privateKeyToAccount(deployment.ownerKey)
  const setup: Setup = {
    chain,
    node,
    deployment,
    reader: createPublicClient({ transport, cacheTime: 0 }),
    owner: createWalletClient({ account, transport }),
  }
  await fund(setup, lowerCaseAddress(account.address), GAS_MONEY)
  await fund(setup, deployment.faucet, FAUCET_COINS)
  for (const relayer of deployment.relayers) await fund(setup, relayer, GAS_MONEY)
  if (!(await hasCode(setup.reader, deployment.hub)))
    await deploy(setup, deployment.hubInitCode, deployment.hub, 'the hub')
  await placeCanonical(setup.reader, setup.node)
  await setUpHub(setup)
  const usdc = tokenOn(chain, 'USDC')
  if (usdc !== undefined) await placeCircles(setup, usdc)
  const eurc = tokenOn(chain, 'EURC')
  if (eurc !== undefined) await placeCircles(setup, { ...eurc, eip712: EURC_DOMAIN })
  const usdt = tokenOn(chain, 'USDT')
  if (usdt !== undefined) await placeUsdt(setup, usdt)
}

/** Funds only unused accounts: accounts that a test has drained stay drained. */
async function fund({ node, reader }: Setup, address: Address, wei: bigint): Promise<void> {
  if ((await reader.getBalance({ address })) > 0n) return
  await node.rpc('anvil_setBalance', [address, `0x${wei.toString(16)}`])
}

/** Deploys through the deterministic proxy: the address depends only on the code. */
async function deploy(setup: Setup, initCode: Hex, address: Address, what: string): Promise<void> {
  if (!(await hasCode(setup.reader, DEPLOYMENT_PROXY))) {
    throw new StackError(`${setup.chain.networkId} lacks the deterministic deployment proxy.`)
  }
  await execute(setup, [deploymentCall(initCode)])
  if (!(await hasCode(setup.reader, address))) {
    throw new StackError(`${what} was not deployed at ${address} on ${setup.chain.networkId}.`)
  }
}

/** Local chains have no delays and no limits. */
async function setUpHub(setup: Setup): Promise<void> {
  const { reader, chain, deployment } = setup
  const { hub, relayers, configSigner, refundSigner, feeCollector } = deployment
  const wanted = {
    configSigner,
    refundSigner,
    feeCollector,
    guardian: null,
    operators: relayers,
    tokens: [
      ...chain.tokens.map(({ symbol, address, decimals }) => ({
        ...{ symbol, address, decimals, isListed: true, refundLimit: UNLIMITED },
      })),
      ...neverWatched(chain).map((token) => ({
        ...token,
        isListed: false,
        refundLimit: UNLIMITED,
      })),
    ],
    delays: { owner: 0, config: 0 },
  }
  const reading = await readHub(reader, hub)
  if (reading.type !== 'hub') {
    throw new StackError(`${hub} on ${chain.networkId} is not a hub of this version.`)
  }
  const state = await readHubState(reader, hub, reading.roles, wanted)
  await execute(setup, missingCalls(hub, wanted, state))
}

/** Circle's tokens have fixed addresses that our deployments can't have: their code is set directly. */
async function placeCircles(setup: Setup, token: TokenOnChain): Promise<void> {
  const { node, owner } = setup
  if (!(await hasCode(setup.reader, token.address))) {
    const { deployedBytecode } = await readArtifact('TestUSDC')
    await node.rpc('anvil_setCode', [token.address, deployedBytecode])
  }
  const { eip712 } = token
  if (eip712 === undefined || owner.account === undefined) {
    throw new StackError(`The registry has no EIP-712 domain for ${token.symbol}.`)
  }
  if ((await nameOf(setup, token)) === '') {
    const data = encodeFunctionData({
      abi: TOKEN_ABI,
      functionName: 'initialize',
      args: [eip712.name, token.symbol, eip712.version, owner.account.address],
    })
    await execute(setup, [{ to: token.address, data }])
  }
  await fillFaucet(setup, token)
}

async function placeUsdt(setup: Setup, token: TokenOnChain): Promise<void> {
  if (!(await hasCode(setup.reader, token.address))) {
    const { bytecode } = await readArtifact('TestUSDT')
    await deploy(setup, bytecode, token.address, 'the test USDT')
  }
  await fillFaucet(setup, token)
}

async function fillFaucet(setup: Setup, token: TokenOnChain): Promise<void> {
  const { faucet } = setup.deployment
  const held = await setup.reader.readContract({
    address: token.address,
    abi: TOKEN_ABI,
    functionName: 'balanceOf',
    args: [faucet],
  })
  if (held > 0n) return
  const args = [faucet, FAUCET_TOKENS] as const
  const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'mint', args })
  await execute(setup, [{ to: token.address, data }])
}

function nameOf({ reader }: Setup, { address }: TokenOnChain): Promise<string> {
  return reader.readContract({ address, abi: TOKEN_ABI, functionName: 'name' })
}

/** Sends the owner's transactions and mines them together; a revert aborts the start. */
async function execute(setup: Setup, calls: readonly UnsignedCall[]): Promise<void> {
  const { owner, reader, node, chain } = setup
  const { account } = owner
  if (calls.length === 0 || account === undefined) return
  const hashes: Hex[] = []
  for (const call of calls) {
    // With a null chain, viem queries the node's chain id instead of comparing it with a preset.
    const { to, data } = call
    hashes.push(await owner.sendTransaction({ to, data, account, chain: null }))
  }
  await node.mine()
  for (const hash of hashes) {
    const receipt = await reader.waitForTransactionReceipt({ hash, pollingInterval: 50 })
    if (receipt.status !== 'success') {
      throw new StackError(`A transaction of the start was reverted on ${chain.networkId}: ${hash}`)
    }
  }
}
