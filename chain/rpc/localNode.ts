import {
  encodeFunctionData,
  http,
  numberToHex,
  type PublicClient,
  parseAbi,
  parseEther,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { BaseUnits } from '../../core/base/money.ts'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import { authorizationDigest, type TokenDomain } from '../../core/x402/digest.ts'
import type { Authorization } from '../../core/x402/terms.ts'

/**
 * What only a development node lets one do: spend for any account without its key. A real chain's node
 * refuses the first of these calls, so that nothing here can touch one.
 */

const TOKEN_ABI = parseAbi([
  'function owner() view returns (address)',
  'function balanceOf(address account) view returns (uint256)',
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
  const version = await callNode(url, 'web3_clientVersion', [])
  return String(version).toLowerCase().includes('anvil') ? { client, url } : null
}

/** Makes new money of a test token. Resolves when it is mined. */
export async function mintTokens(
  node: LocalNode,
  token: Address,
  to: Address,
  amount: BaseUnits,
): Promise<Hex> {
  const call = { abi: TOKEN_ABI, functionName: 'mint', args: [to, amount] } as const
  return send(node, await ownerOf(node, token), token, encodeFunctionData(call))
}

/** Mints tokens to an account and sends them from it. Resolves when it is mined. */
export async function payAs(
  node: LocalNode,
  payer: Address,
  token: Address,
  to: Address,
  amount: BaseUnits,
): Promise<Hex> {
  await mintTokens(node, token, payer, amount)
  const call = { abi: TOKEN_ABI, functionName: 'transfer', args: [to, amount] } as const
  return send(node, payer, token, encodeFunctionData(call))
}

/** What a new payer with just this amount signs to pay it (EIP-3009), valid until a second of Unix time. */
export async function signAsNewPayer(
  node: LocalNode,
  domain: TokenDomain,
  to: Address,
  amount: BaseUnits,
  validBefore: bigint,
): Promise<{ readonly authorization: Authorization; readonly signature: Hex }> {
  const payer = privateKeyToAccount(generatePrivateKey())
  const from = lowerCaseAddress(payer.address)
  await mintTokens(node, domain.verifyingContract, from, amount)
  const nonce: Hex = `0x${crypto.getRandomValues(new Uint8Array(32)).toHex()}`
  const authorization = { from, to, value: amount, validAfter: 0n, validBefore, nonce }
  const hash: Hex = `0x${authorizationDigest(domain, authorization).toHex()}`
  return { authorization, signature: await payer.sign({ hash }) }
}

/** Blocks or unblocks an account at a test token. Resolves when it is mined. */
export async function setBlocked(
  node: LocalNode,
  { address: token, symbol }: { readonly address: Address; readonly symbol: string },
  account: Address,
  isBlocked: boolean,
): Promise<Hex> {
  const [block, unblock] =
    symbol === 'USDT'
      ? (['addBlackList', 'removeBlackList'] as const)
      : (['blacklist', 'unBlacklist'] as const)
  const functionName = isBlocked ? block : unblock
  const data = encodeFunctionData({ abi: TOKEN_ABI, functionName, args: [account] })
  return send(node, await ownerOf(node, token), token, data)
}

/** Whether an account has ever sent anything, or holds this token. */
export async function hasHistory(
  { client }: LocalNode,
  token: Address,
  account: Address,
): Promise<boolean> {
  const balance = { address: token, abi: TOKEN_ABI, functionName: 'balanceOf' } as const
  const [sent, held] = await Promise.all([
    client.getTransactionCount({ address: account }),
    client.readContract({ ...balance, args: [account] }),
  ])
  return sent > 0 || held > 0n
}

/** Replaces the newest blocks, from the one with this transaction on, by empty ones. */
export async function reorganise(node: LocalNode, txHash: Hex): Promise<void> {
  const [receipt, head] = await Promise.all([
    node.client.getTransactionReceipt({ hash: txHash }),
    node.client.getBlockNumber(),
  ])
  await callNode(node.url, 'anvil_reorg', [Number(head - receipt.blockNumber) + 1, []])
}

/** The time of the newest block, in seconds of the epoch, and its number. */
export async function timeOf({ client }: LocalNode): Promise<{ time: bigint; block: bigint }> {
  const { timestamp, number } = await client.getBlock({ blockTag: 'latest' })
  return { time: timestamp, block: number }
}

/** Has the chain's clock be ahead by so many seconds more, from a block on that is mined now. */
export async function advanceTime(node: LocalNode, seconds: number): Promise<void> {
  await callNode(node.url, 'evm_increaseTime', [numberToHex(seconds)])
  await callNode(node.url, 'evm_mine', [])
}

async function ownerOf({ client }: LocalNode, token: Address): Promise<Address> {
  const read = { address: token, abi: TOKEN_ABI, functionName: 'owner' } as const
  return lowerCaseAddress(await client.readContract(read))
}

/** Sends a call for an account, with money for gas if it lacks it. Resolves when it is mined. */
async function send(node: LocalNode, from: Address, to: Address, data: Hex): Promise<Hex> {
  const { client, url } = node
  await callNode(url, 'anvil_impersonateAccount', [from])
  if ((await client.getBalance({ address: from })) < parseEther('1')) {
    await callNode(url, 'anvil_setBalance', [from, numberToHex(parseEther('10'))])
  }
  const call = { from, to, data, gas: numberToHex(GAS) }
  const hash = hashFrom(String(await callNode(url, 'eth_sendTransaction', [call])))
  const receipt = await client.waitForTransactionReceipt({
    hash,
    pollingInterval: 100,
    timeout: RECEIPT_TIMEOUT_MS,
  })
  if (receipt.status !== 'success') throw new Error(`${hash} was reverted`)
  return hash
}

function callNode(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  return http(url)({ retryCount: 0 }).request({ method, params })
}
