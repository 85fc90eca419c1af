import { getAbiItem, type PublicClient } from 'viem'
import { type BaseUnits, baseUnits } from '../../core/base/money.ts'
import { type Address, type Hex, hashFrom, lowerCaseAddress } from '../../core/chain/evm.ts'
import { HUB_ABI } from './abi.ts'

/** Money that the hub moved out of a clone. Amounts in base units. */
export interface HubMovement {
  readonly type: 'swept' | 'fee_owed' | 'refunded'
  readonly hub: Address
  /** The deposit address or forwarder. */
  readonly source: Address
  readonly token: Address
  /** Who was refunded; the source itself for a fee that stayed there, null for a sweep, whose event doesn't have it. */
  readonly recipient: Address | null
  /** What the recipient got; for `fee_owed` what stayed behind. */
  readonly amount: BaseUnits
  /** What the collector got; only sweeps have it. */
  readonly fee: BaseUnits
  readonly txHash: Hex
  readonly logIndex: number
  readonly blockNumber: bigint
  readonly blockHash: Hex
  /** The number under which the hub spent it; only refunds have one. */
  readonly refundId: bigint | null
}

const EVENTS = [
  getAbiItem({ abi: HUB_ABI, name: 'Swept' }),
  getAbiItem({ abi: HUB_ABI, name: 'FeeOwed' }),
  getAbiItem({ abi: HUB_ABI, name: 'Refunded' }),
] as const

/** Every Swept, FeeOwed and Refunded of these hubs within the blocks, both ends included. */
export async function hubMovements(
  client: PublicClient,
  hubs: readonly Address[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<HubMovement[]> {
  const logs = await client.getLogs({
    address: [...hubs],
    events: EVENTS,
    fromBlock,
    toBlock,
    strict: true,
  })
  return logs.map((log): HubMovement => {
    const place = {
      hub: lowerCaseAddress(log.address),
      token: lowerCaseAddress(log.args.token),
      txHash: hashFrom(log.transactionHash),
      logIndex: log.logIndex,
      blockNumber: log.blockNumber,
      blockHash: hashFrom(log.blockHash),
      refundId: null,
    }
    const fee = baseUnits(0n)
    if (log.eventName === 'Refunded') {
      const source = lowerCaseAddress(log.args.source)
      const recipient = lowerCaseAddress(log.args.to)
      return {
        ...place,
        type: 'refunded',
        source,
        recipient,
        amount: baseUnits(log.args.amount),
        fee,
        refundId: log.args.refundId,
      }
    }
    const source = lowerCaseAddress(log.args.deposit)
    if (log.eventName === 'FeeOwed') {
      const amount = baseUnits(log.args.amount)
      return { ...place, type: 'fee_owed', source, recipient: source, amount, fee }
    }
    return {
      ...place,
      type: 'swept',
      source,
      recipient: null,
      amount: baseUnits(log.args.remitted),
      fee: baseUnits(log.args.fee),
    }
  })
}
