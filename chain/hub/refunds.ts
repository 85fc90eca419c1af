import { encodeFunctionData, type PublicClient } from 'viem'
import type { MerchantId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { ChainGas } from '../../core/chain/gas.ts'
import { uuidToBytes16 } from '../../core/chain/words.ts'
import type { DepositTerms } from '../../core/hub/deposit.ts'
import { readInRanges } from '../blocks/ranges.ts'
import type { View } from '../rpc/view.ts'
import { type LogPlace, placeOf } from '../transactions/logs.ts'
import { HUB_ABI, HUB_DOMAIN } from './abi.ts'
import { depositStruct } from './contract.ts'

/** Refunds out of deposit addresses and forwarders: signing, the hub's call, and finding where one was carried out. */

const REFUND_TYPES = {
  Refund: [
    { name: 'refundId', type: 'uint256' },
    { name: 'source', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'feeLeft', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

export interface RefundOrder {
  /** The number under which the hub spends it, once on each chain. */
  readonly refundId: bigint
  /** The deposit address or forwarder that pays. */
  readonly source: Address
  readonly token: Address
  readonly to: Address
  readonly amount: BaseUnits
  /** What may still be charged on a deposit that this refund deploys, in the token's base units. */
  readonly feeLeft: BaseUnits
  /** Unix seconds after which the hub refuses. */
  readonly deadline: bigint
}

/** What is signed for a refund (EIP-712). The domain names the chain: it is good for one chain only. */
export function refundTypedData(hub: Address, chainId: number, message: RefundOrder) {
  const domain = { ...HUB_DOMAIN, chainId, verifyingContract: hub }
  return { domain, types: REFUND_TYPES, primaryType: 'Refund', message } as const
}

/** A signed order with the terms that its deposit address commits to. */
export interface RefundCall extends DepositTerms {
  readonly order: RefundOrder
  readonly signature: Hex
}

/** The call that carries orders out. */
export function encodeRefund(calls: readonly RefundCall[], gas: ChainGas): Hex {
  const items = calls.map((call) => ({
    ...depositStruct(call),
    refund: call.order,
    signature: call.signature,
  }))
  return encodeFunctionData({ abi: HUB_ABI, functionName: 'refund', args: [items, gas.refund] })
}

/** A signed order out of a merchant's forwarder. */
export interface RescueCall {
  readonly merchantId: MerchantId
  readonly order: RefundOrder
  readonly signature: Hex
}

/** The call that carries orders out of forwarders out. They can take as much gas as those out of deposits. */
export function encodeRescue(calls: readonly RescueCall[], gas: ChainGas): Hex {
  const items = calls.map(({ merchantId, order, signature }) => ({
    merchantId: uuidToBytes16(merchantId),
    refund: order,
    signature,
  }))
  return encodeFunctionData({ abi: HUB_ABI, functionName: 'rescue', args: [items, gas.refund] })
}

/** Whether the hub had paid a refund by the end of the view's block. It never becomes false again. */
export function isRefundSpent(
  client: PublicClient,
  hub: Address,
  refundId: bigint,
  view: View,
): Promise<boolean> {
  return client.readContract({
    address: hub,
    abi: HUB_ABI,
    functionName: 'isRefundSpent',
    args: [refundId],
    blockHash: view.hash,
  })
}

/** Where a refund was carried out; the amount in base units. */
export interface RefundedAt extends LogPlace {
  readonly logIndex: number
  readonly source: Address
  readonly token: Address
  readonly to: Address
  readonly amount: bigint
}

/** Where a refund was carried out, by any sender; null when the blocks don't hold it. */
export async function findRefunded(
  client: PublicClient,
  hub: Address,
  refundId: bigint,
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
      ...placeOf(log),
      logIndex: log.logIndex,
      source: lowerCaseAddress(log.args.source),
      token: lowerCaseAddress(log.args.token),
      to: lowerCaseAddress(log.args.to),
      amount: log.args.amount,
    }
  }
  return null
}
