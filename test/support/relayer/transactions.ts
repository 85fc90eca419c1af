import { encodeFunctionData, parseAbi, type TransactionReceipt } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { HUB_ABI } from '../../../chain/hub/abi.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { HubChain } from '../servers/chain.ts'

/** Transactions of anyone's, and what the hub's owner and the token's issuer do with them. */

interface Sending {
  readonly gas?: bigint
  /** Offers more than a relayer does, so as to come before its transactions in a block. */
  readonly isFirst?: boolean
}

const GWEI = 1_000_000_000n
const USUAL = { maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: GWEI }
const ABOVE_RELAYERS = { maxFeePerGas: 500n * GWEI, maxPriorityFeePerGas: 100n * GWEI }

/** Sends one transaction of this key and mines nothing. The answer is its hash. */
export async function send(
  chain: HubChain,
  key: Hex,
  to: Address,
  data: Hex,
  { gas = 2_000_000n, isFirst = false }: Sending = {},
): Promise<Hex> {
  const account = privateKeyToAccount(key)
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: chain.node.chainId,
    nonce: await chain.client.getTransactionCount({ address: account.address }),
    to,
    data,
    gas,
    ...(isFirst ? ABOVE_RELAYERS : USUAL),
  })
  return chain.client.request({ method: 'eth_sendRawTransaction', params: [raw] })
}

/** Sends one transaction of this key, mines a block, and answers its receipt, reverted or not. */
export async function transact(
  chain: HubChain,
  key: Hex,
  to: Address,
  data: Hex,
  sending?: Sending,
): Promise<TransactionReceipt> {
  const hash = await send(chain, key, to, data, sending)
  await chain.mine()
  return chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
}

/** The hub's owner, who has all the token's roles on a local chain as well, goes before relayers. */
async function ownerDoes(chain: HubChain, to: Address, data: Hex): Promise<void> {
  const sending = { gas: 200_000n, isFirst: true }
  const { status } = await transact(chain, chain.ownerKey, to, data, sending)
  if (status !== 'success') throw new Error('the owner was refused')
}

/** Lets an account send sweeps, or not. */
export function setOperator(chain: HubChain, operator: Address, isAllowed: boolean): Promise<void> {
  const args = [operator, isAllowed] as const
  const call = { abi: HUB_ABI, functionName: 'setOperator', args } as const
  return ownerDoes(chain, chain.hub, encodeFunctionData(call))
}

/** Has USDC refuse an account, or take it again. */
export function setBlacklisted(
  chain: HubChain,
  account: Address,
  isListed: boolean,
): Promise<void> {
  const data = tokenCall(isListed ? 'blacklist' : 'unBlacklist', [account])
  return ownerDoes(chain, chain.usdc.address, data)
}

const TOKEN_ABI = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
  'function pause()',
  'function unpause()',
])

/** Calls to the token that change it. */
export function tokenCall(
  ...call:
    | ['transfer', readonly [Address, bigint]]
    | ['cancelAuthorization', readonly [Address, Hex, Hex]]
    | ['blacklist' | 'unBlacklist', readonly [Address]]
    | ['pause' | 'unpause', readonly []]
): Hex {
  const [functionName, args] = call
  switch (functionName) {
    case 'transfer':
      return encodeFunctionData({ abi: TOKEN_ABI, functionName, args })
    case 'cancelAuthorization':
      return encodeFunctionData({ abi: TOKEN_ABI, functionName, args })
    case 'blacklist':
    case 'unBlacklist':
      return encodeFunctionData({ abi: TOKEN_ABI, functionName, args })
    default:
      return encodeFunctionData({ abi: TOKEN_ABI, functionName })
  }
}
