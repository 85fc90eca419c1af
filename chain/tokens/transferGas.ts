import { encodeFunctionData, erc20Abi, type PublicClient } from 'viem'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import { isRefusal } from '../rpc/faults.ts'
import { estimatedDataGas } from '../transactions/arbitrum.ts'

/** Money that is to leave an address; the amount in base units. */
export interface Outflow {
  readonly token: Address
  readonly from: Address
  readonly amount: bigint
}

/** An unused address, which holds nothing: a first transfer to an address costs most. */
const NEWCOMER = lowerCaseAddress('0x72656d697420676173206d6561737572656d656e')

/**
 * What a transfer of this money would cost in a transaction of its own, in gas that is used; null when the
 * token refuses it for now. Throws a fault of the node.
 */
export async function transferGas(
  client: PublicClient,
  { token, from, amount }: Outflow,
): Promise<bigint | null> {
  const args = [NEWCOMER, amount] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  try {
    const [gas, forData] = await Promise.all([
      client.estimateGas({ account: from, to: token, data }),
      estimatedDataGas(client, token, data),
    ])
    return gas - forData
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}
