import {
  type ContractFunctionArgs,
  type ContractFunctionName,
  createWalletClient,
  encodeFunctionData,
  http,
  keccak256,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { HUB_ABI } from '../../../chain/hub/abi.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import type { HubChain } from '../servers/chain.ts'

/** What owner and guardian do on a test chain, each in a block of its own. */

type Name = ContractFunctionName<typeof HUB_ABI, 'nonpayable'>
type HubCall = {
  [N in Name]: {
    readonly functionName: N
    readonly args: ContractFunctionArgs<typeof HUB_ABI, 'nonpayable', N>
  }
}[Name]

export function calldata(call: HubCall): Hex {
  return encodeFunctionData({ abi: HUB_ABI, ...call })
}

/** Sends the hub a call and mines it. Throws when it reverts. */
export async function send(
  chain: Pick<HubChain, 'node' | 'client' | 'hub'>,
  key: Hex,
  call: HubCall,
): Promise<Hex> {
  return sendData(chain, key, calldata(call))
}

/** The same with calldata as it is. */
export async function sendData(
  { node, client, hub }: Pick<HubChain, 'node' | 'client' | 'hub'>,
  key: Hex,
  data: Hex,
): Promise<Hex> {
  const account = privateKeyToAccount(key)
  await node.rpc('anvil_setBalance', [account.address, '0xde0b6b3a7640000'])
  const wallet = createWalletClient({ account, transport: http(node.url) })
  const hash = await wallet.sendTransaction({ to: hub, data, gas: 1_000_000n, chain: null })
  await node.rpc('evm_mine')
  const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
  if (receipt.status !== 'success') throw new Error(`the hub refused ${data}`)
  return hash
}

/** Appoints a guardian of the test's own. */
export async function appointGuardian(
  chain: HubChain,
): Promise<{ readonly key: Hex; readonly address: Address }> {
  const key = generatePrivateKey()
  const address = addressOf(key)
  await send(chain, chain.ownerKey, { functionName: 'setGuardian', args: [address] })
  return { key, address }
}

/** The owner proposes a call; the answer is its id. */
export async function propose(chain: HubChain, call: HubCall): Promise<Hex> {
  const data = calldata(call)
  await send(chain, chain.ownerKey, { functionName: 'propose', args: [data] })
  return keccak256(data)
}

/** Lets the chain's clock run on, and mines a block. */
export async function wait({ node }: Pick<HubChain, 'node'>, seconds: number): Promise<void> {
  await node.rpc('evm_increaseTime', [seconds])
  await node.rpc('evm_mine')
}
