import { encodeFunctionData, type PublicClient } from 'viem'
import {
  type Address,
  type Hex,
  hashFrom,
  lowerCaseAddress,
  ZERO_ADDRESS,
} from '../../core/chain/evm.ts'
import type { InvoiceId, MerchantId } from '../../core/ids.ts'
import { uuidToBytes16 } from '../../core/invoice/deposit.ts'
import type { BaseUnits } from '../../core/money.ts'
import { readInRanges } from '../reconcile.ts'
import { HUB_ABI, type RefundOrder } from './contract.ts'

/** Refunds out of deposit addresses: the hub's call, and what it says became of each. */

/** A signed order with the terms that its deposit address commits to. */
export interface RefundCall {
  readonly merchantId: MerchantId
  readonly invoiceId: InvoiceId
  /** The recipient that the deposit address commits to; null for the registry's treasury. */
  readonly recipient: Address | null
  readonly feeCap: BaseUnits
  readonly order: RefundOrder
  readonly signature: Hex
}

export function encodeRefund(calls: readonly RefundCall[]): Hex {
  const items = calls.map((call) => ({
    merchantId: uuidToBytes16(call.merchantId),
    invoiceId: uuidToBytes16(call.invoiceId),
    recipient: call.recipient ?? ZERO_ADDRESS,
    maxFee: call.feeCap,
    refund: call.order,
    signature: call.signature,
  }))
  return encodeFunctionData({ abi: HUB_ABI, functionName: 'refund', args: [items] })
}

/** Whether the hub had paid a refund by the end of a block. It never becomes false again. */
export function isRefundSpent(
  client: PublicClient,
  hub: Address,
  refundId: Hex,
  blockNumber: bigint,
): Promise<boolean> {
  return client.readContract({
    address: hub,
    abi: HUB_ABI,
    functionName: 'isRefundSpent',
    args: [refundId],
    blockNumber,
  })
}

export interface RefundedAt {
  readonly txHash: Hex
  readonly block: bigint
  readonly blockHash: Hex
  readonly source: Address
  readonly to: Address
  readonly amount: bigint
}

/** Where a refund was carried out, whoever carried it; null when the blocks don't hold it. */
export async function findRefunded(
  client: PublicClient,
  hub: Address,
  refundId: Hex,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<RefundedAt | null> {
  const pieces = readInRanges(fromBlock, toBlock, (from, to) =>
    client.getContractEvents({
      address: hub,
      abi: HUB_ABI,
      eventName: 'Refunded',
      args: { refundId },
      fromBlock: from,
      toBlock: to,
      strict: true,
    }),
  )
  for await (const [log] of pieces) {
    if (log === undefined) continue
    return {
      txHash: hashFrom(log.transactionHash),
      block: log.blockNumber,
      blockHash: hashFrom(log.blockHash),
      source: lowerCaseAddress(log.args.source),
      to: lowerCaseAddress(log.args.to),
      amount: log.args.amount,
    }
  }
  return null
}
