import { encodeFunctionData, erc20Abi, keccak256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Address, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Process } from '../kernel.ts'
import type { World } from '../world.ts'

/** How payers send transactions, outside of the product. */

interface Call {
  readonly to: Address
  readonly data: Hex
  readonly gas: bigint
}

export function sendTokens(
  world: World,
  actor: Process,
  payer: PrivateKeyAccount,
  to: Address,
  amount: bigint,
): Promise<Hex> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  return sendCall(world, actor, payer, { to: world.chain.hub.usdc.address, data, gas: 120_000n })
}

export function sendCall(
  world: World,
  actor: Process,
  payer: PrivateKeyAccount,
  call: Call,
): Promise<Hex> {
  return world.outside(actor, async () => {
    const asked = { method: 'eth_getTransactionCount', params: [payer.address, 'latest'] }
    const { result: mined } = await world.chain.ask(asked)
    const nonce = Math.max(Number(mined), world.nonces.get(payer.address) ?? 0)
    world.nonces.set(payer.address, nonce + 1)
    return sendWith(world, payer, nonce, call)
  })
}

async function sendWith(
  world: World,
  payer: PrivateKeyAccount,
  nonce: number,
  call: Call,
): Promise<Hex> {
  const raw = await payer.signTransaction({
    ...{ type: 'eip1559', chainId: world.chain.hub.node.chainId, nonce, ...call },
    ...{ maxFeePerGas: 50_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
  })
  const hash = keccak256(raw)
  world.sent.set(hash, { payer, nonce, raw })
  await world.chain.ask({ method: 'eth_sendRawTransaction', params: [raw] })
  return hash
}

/** Wallets send again what no block has. */
export async function sendAgain({ chain, sent }: World): Promise<void> {
  for (const [hash, { raw }] of sent) {
    const { result } = await chain.ask({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (result === null) await chain.ask({ method: 'eth_sendRawTransaction', params: [raw] })
  }
}

/** The payer of what a reorganisation has lost sends nothing to itself instead: the payment never comes back. */
export async function spendElsewhere(world: World, hash: string): Promise<void> {
  const lost = world.sent.get(hash)
  if (lost === undefined) return
  const { payer, nonce } = lost
  world.sent.delete(hash)
  world.kernel.note(`the payer of ${hash} spends its account nonce elsewhere`)
  world.count('payments taken back')
  await sendWith(world, payer, nonce, {
    to: lowerCaseAddress(payer.address),
    data: '0x',
    gas: 21_000n,
  })
}
