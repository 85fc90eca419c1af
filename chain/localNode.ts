import {
  type Address as AnyAddress,
  createWalletClient,
  http,
  type PublicClient,
  parseAbi,
  parseEther,
} from 'viem'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../core/chain/evm.ts'
import type { ActiveChain } from '../core/config/processes.ts'
import type { BaseUnits } from '../core/money.ts'

/**
 * What only a development node lets one do: spend for any account without its key. A real chain's node
 * refuses the first of these calls, so that nothing here can touch one.
 */

const TOKEN_ABI = parseAbi([
  'function owner() view returns (address)',
  'function mint(address to, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
  'function addBlackList(address account)',
  'function removeBlackList(address account)',
])

/** Far more than any call here needs, so that no estimate can fail. */
const GAS = 200_000n
const RECEIPT_TIMEOUT_MS = 20_000

export interface LocalNode {
  readonly client: PublicClient
  readonly url: string
}

/** The node behind a chain when it is a development node, else null. */
export async function localNode(
  chain: ActiveChain,
  client: PublicClient,
): Promise<LocalNode | null> {
  const [url] = chain.rpcUrls
  if (url === undefined) return null
  const version = await ask(url, 'web3_clientVersion', [])
  return String(version).toLowerCase().includes('anvil') ? { client, url } : null
}

/** Makes new money of a test token. Resolves when it is mined. */
export async function mintTokens(
  node: LocalNode,
  token: Address,
  to: Address,
  amount: BaseUnits,
): Promise<Hex> {
  const owner = await ownerOf(node, token)
  return mined(node, await write(node, owner, token, 'mint', [to, amount]))
}

/** Sends tokens as somebody who gets them first. Resolves when it is mined. */
export async function payAs(
  node: LocalNode,
  payer: Address,
  token: Address,
  to: Address,
  amount: BaseUnits,
): Promise<Hex> {
  await mintTokens(node, token, payer, amount)
  return mined(node, await write(node, payer, token, 'transfer', [to, amount]))
}

/** Has a test token refuse an account, or takes that back. */
export async function setBlocked(
  node: LocalNode,
  token: { readonly address: Address; readonly symbol: string },
  account: Address,
  isBlocked: boolean,
): Promise<Hex> {
  const owner = await ownerOf(node, token.address)
  const [block, unblock] =
    token.symbol === 'USDT'
      ? (['addBlackList', 'removeBlackList'] as const)
      : (['blacklist', 'unBlacklist'] as const)
  return mined(
    node,
    await write(node, owner, token.address, isBlocked ? block : unblock, [account]),
  )
}

/** Takes the newest blocks away, from the one with this transaction on, as if they had never been. */
export async function reorganise(node: LocalNode, txHash: Hex): Promise<void> {
  const [receipt, head] = await Promise.all([
    node.client.getTransactionReceipt({ hash: txHash }),
    node.client.getBlockNumber(),
  ])
  await ask(node.url, 'anvil_reorg', [Number(head - receipt.blockNumber) + 1, []])
}

async function ownerOf({ client }: LocalNode, token: Address): Promise<Address> {
  const read = { address: token, abi: TOKEN_ABI, functionName: 'owner' } as const
  return lowerCaseAddress(await client.readContract(read))
}

async function write(
  node: LocalNode,
  from: Address,
  token: Address,
  functionName:
    | 'mint'
    | 'transfer'
    | 'blacklist'
    | 'unBlacklist'
    | 'addBlackList'
    | 'removeBlackList',
  args: readonly [AnyAddress, bigint] | readonly [AnyAddress],
): Promise<Hex> {
  await ask(node.url, 'anvil_impersonateAccount', [from])
  const balance = await node.client.getBalance({ address: from })
  if (balance < parseEther('1')) {
    await ask(node.url, 'anvil_setBalance', [from, `0x${parseEther('10').toString(16)}`])
  }
  const wallet = createWalletClient({ account: from, transport: http(node.url) })
  const call = { chain: null, address: token, abi: TOKEN_ABI, gas: GAS }
  const [account, amount] = args
  if (functionName === 'mint' || functionName === 'transfer') {
    return wallet.writeContract({ ...call, functionName, args: [account, amount ?? 0n] })
  }
  return wallet.writeContract({ ...call, functionName, args: [account] })
}

async function mined({ client }: LocalNode, hash: Hex): Promise<Hex> {
  const receipt = await client.waitForTransactionReceipt({
    hash,
    pollingInterval: 100,
    timeout: RECEIPT_TIMEOUT_MS,
  })
  if (receipt.status !== 'success') throw new Error(`${hash} was reverted`)
  return hashFrom(hash)
}

function ask(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  return http(url)({ retryCount: 0 }).request({ method, params })
}
