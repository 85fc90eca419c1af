import type { PublicClient } from 'viem'
import type { Address } from '../../../core/chain/evm.ts'
import type { FoundDeposit } from '../../../core/invoice/deposit/books.ts'
import { baseUnits } from '../../../core/money.ts'
import { hasCode } from '../../accounts/accounts.ts'
import type { View } from '../../view.ts'
import { HUB_ABI } from '../abi.ts'

/** Whether a deposit's contract is there after the view's block, and what may still be charged on it. */
export async function lookAtDeposit(
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
