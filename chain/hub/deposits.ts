import type { PublicClient } from 'viem'
import { baseUnits } from '../../core/base/money.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { FoundDeposit } from '../../core/invoice/depositBooks.ts'
import { hasCode } from '../blocks/accounts.ts'
import type { View } from '../rpc/view.ts'
import { HUB_ABI } from './abi.ts'

/** Whether a deposit's contract is there after the view's block, and what may still be charged on it. */
export async function readDepositState(
  client: PublicClient,
  hub: Address,
  deposit: Address,
  view: View,
): Promise<FoundDeposit> {
  const [isDeployed, feeLeft] = await Promise.all([
    hasCode(client, deposit, view),
    client.readContract({
      address: hub,
      abi: HUB_ABI,
      functionName: 'feeLeft',
      args: [deposit],
      blockHash: view.hash,
    }),
  ])
  return { block: view.number, isDeployed, feeLeft: baseUnits(feeLeft) }
}
