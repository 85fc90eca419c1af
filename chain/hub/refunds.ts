import { encodeFunctionData, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import type { DepositTerms } from '../../core/invoice/deposit.ts'
import type { BaseUnits } from '../../core/money.ts'
import { type LogPlace, placeOf } from '../logs.ts'
import { readInRanges } from '../ranges.ts'
import { depositStruct, HUB_ABI } from './contract.ts'

/** Refunds out of deposit addresses: signing, the hub's call, and finding where one was carried out. */

const REFUND_TYPES = {
  Refund: [
    { name: 'refundId', type: 'bytes32' },
    { name: 'source', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

export interface RefundOrder {
  readonly refundId: Hex
  /** The deposit address or forwarder that pays. */
  readonly source: Address
  readonly token: Address
  readonly to: Address
  readonly amount: BaseUnits
  /** Unix seconds after which the hub refuses. */
  readonly deadline: bigint
}

/** EIP-712. The domain names the chain: a refund is good for one chain only. */
export function signRefund(
  signerKey: Hex,
  hub: Address,
  chainId: number,
  refund: RefundOrder,
): Promise<Hex> {
  return privateKeyToAccount(signerKey).signTypedData({
    domain: { name: 'Remit Hub', version: '1', chainId, verifyingContract: hub },
    types: REFUND_TYPES,
    primaryType: 'Refund',
    message: refund,
  })
}

/** A signed order with the terms that its deposit address commits to. */
export interface RefundCall extends DepositTerms {
  readonly order: RefundOrder
  readonly signature: Hex
}

export function encodeRefund(calls: readonly RefundCall[]): Hex {
  const items = calls.map((call) => ({
    ...depositStruct(call),
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

/** Where a refund was carried out; the amount in base units. */
export interface RefundedAt extends LogPlace {
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
      ...placeOf(log),
      source: lowerCaseAddress(log.args.source),
      to: lowerCaseAddress(log.args.to),
      amount: log.args.amount,
    }
  }
  return null
}
