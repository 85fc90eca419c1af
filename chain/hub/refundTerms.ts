import { hashTypedData, type PublicClient } from 'viem'
import { baseUnits } from '../../core/base/money.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { RefundTerms } from '../../core/invoice/refundLimit.ts'
import type { View } from '../rpc/view.ts'
import { HUB_ABI } from './abi.ts'
import { type RefundOrder, refundTypedData } from './refunds.ts'
import { UNLIMITED } from './setup.ts'

/** What is read of the hub before a refund is signed: its limit, and what the owner has approved. */

/** What may be refunded of a token after the view's block. */
export async function readRefundTerms(
  client: PublicClient,
  hub: Address,
  token: Address,
  view: View,
): Promise<RefundTerms> {
  const read = { address: hub, abi: HUB_ABI, args: [token], blockHash: view.hash } as const
  const [[, , limit], room] = await Promise.all([
    client.readContract({ ...read, functionName: 'tokens' }),
    client.readContract({ ...read, functionName: 'refundRoom' }),
  ])
  if (limit === UNLIMITED) return { limit: null, room: null }
  return { limit: baseUnits(limit), room: baseUnits(room) }
}

/** What the owner approves of an order, and the refund key signs. */
export function refundDigest(hub: Address, chainId: number, order: RefundOrder): Hex {
  return hashTypedData(refundTypedData(hub, chainId, order))
}

/** Whether the owner had approved the order with this digest by the end of the view's block. */
export function isRefundApproved(
  client: PublicClient,
  hub: Address,
  digest: Hex,
  view: View,
): Promise<boolean> {
  return client.readContract({
    address: hub,
    abi: HUB_ABI,
    functionName: 'isRefundApproved',
    args: [digest],
    blockHash: view.hash,
  })
}
