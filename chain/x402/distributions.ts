import {
  type GetLogsReturnType,
  getAbiItem,
  type Log,
  type PublicClient,
  toEventSelector,
} from 'viem'
import { asMerchantId, type MerchantId } from '../../core/base/ids.ts'
import { type BaseUnits, baseUnits } from '../../core/base/money.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../core/chain/evm.ts'
import { bytes16ToUuid } from '../../core/chain/words.ts'
import { forwarderAddress } from '../../core/hub/deposit.ts'
import type { HubWait } from '../../core/hub/stops.ts'
import { readInRanges } from '../blocks/ranges.ts'
import { HUB_ABI } from '../hub/abi.ts'
import { hubEvents } from '../hub/contract.ts'
import { explainRevert, hubWaitIn } from '../hub/errors.ts'
import { rpcErrorIn } from '../rpc/faults.ts'
import { type LogPlace, placeOf } from '../transactions/logs.ts'

/** The hub's events about paying forwarders out. */

/** One payout of a merchant's forwarder, by any caller. Amounts in base units. */
export interface DistributedEvent extends LogPlace {
  readonly hub: Address
  readonly merchantId: MerchantId
  readonly token: Address
  readonly treasury: Address
  readonly remitted: BaseUnits
  /** What the collector received, fees held from earlier distributions included. */
  readonly fee: BaseUnits
  /** This distribution's fee, if the token would not move it and the forwarder still holds it. */
  readonly feeHeld: BaseUnits
  readonly logIndex: number
}

const DISTRIBUTED = getAbiItem({ abi: HUB_ABI, name: 'Distributed' })
const FEE_OWED = getAbiItem({ abi: HUB_ABI, name: 'FeeOwed' })
/** One of them is in each block with a distribution. */
export const PAYOUT_TOPICS: readonly Hex[] = [toEventSelector(DISTRIBUTED)]

/** Every distribution of these hubs within the blocks, both ends included, in the chain's order. */
export async function distributionEvents(
  client: PublicClient,
  hubs: readonly Address[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<DistributedEvent[]> {
  const read = async (from: bigint, to: bigint) =>
    eventsIn(await client.getLogs({ ...eventsOf(hubs), fromBlock: from, toBlock: to }))
  return (await Array.fromAsync(readInRanges(fromBlock, toBlock, read))).flat()
}

/**
 * Every distribution of these hubs in one block. Null when the node has no such block; of a range, a node
 * that lags behind would silently leave it out.
 */
export async function distributionsIn(
  client: PublicClient,
  hubs: readonly Address[],
  blockHash: Hex,
): Promise<DistributedEvent[] | null> {
  try {
    return eventsIn(await client.getLogs({ ...eventsOf(hubs), blockHash }))
  } catch (error) {
    if (rpcErrorIn(error) === null) throw error
    return null
  }
}

function eventsOf(hubs: readonly Address[]) {
  const events = [DISTRIBUTED, FEE_OWED] as const
  return { address: [...hubs], events, strict: true as const }
}

type HubLog = GetLogsReturnType<undefined, [typeof DISTRIBUTED, typeof FEE_OWED], true>[number]

function eventsIn(logs: readonly HubLog[]): DistributedEvent[] {
  // The hub logs a fee that stays behind directly before its distribution. Deposits have such fees, too.
  const owed = new Map<string, bigint>()
  for (const log of logs) {
    if (log.eventName !== 'FeeOwed') continue
    const { deposit, token, amount } = log.args
    owed.set(logKey(log.blockHash, log.logIndex, deposit, token), amount)
  }
  const events: DistributedEvent[] = []
  for (const log of logs) {
    if (log.eventName !== 'Distributed') continue
    const { treasury, remitted, fee, token } = log.args
    const hub = lowerCaseAddress(log.address)
    const merchantId = asMerchantId(bytes16ToUuid(log.args.merchantId))
    const forwarder = forwarderAddress(hub, merchantId)
    const held = owed.get(logKey(log.blockHash, log.logIndex - 1, forwarder, token)) ?? 0n
    events.push({
      hub,
      merchantId,
      token: lowerCaseAddress(token),
      treasury: lowerCaseAddress(treasury),
      remitted: baseUnits(remitted),
      fee: baseUnits(fee),
      feeHeld: baseUnits(held),
      logIndex: log.logIndex,
      ...placeOf(log),
    })
  }
  return events.sort((a, b) => Number(a.block - b.block) || a.logIndex - b.logIndex)
}

/** A log's position in the chain, and its merchant and token. */
function logKey(blockHash: Hex, logIndex: number, holder: string, token: string): string {
  return `${blockHash} ${logIndex} ${holder} ${token}`.toLowerCase()
}

/** A forwarder that was not paid out, and why, as text. */
export interface DistributeFailure {
  readonly merchantId: MerchantId
  readonly token: Address
  readonly reason: string
  /** What it waits for; null when it has failed. */
  readonly wait: HubWait | null
}

/** The distributions that this hub reports as failed in one receipt. */
export function distributeFailures(hub: Address, logs: readonly Log[]): DistributeFailure[] {
  return hubEvents(hub, logs).flatMap((event) => {
    if (event.eventName !== 'DistributeFailed') return []
    const { merchantId, token, reason } = event.args
    return [
      {
        merchantId: asMerchantId(bytes16ToUuid(merchantId)),
        token: lowerCaseAddress(token),
        reason: explainRevert(reason),
        wait: hubWaitIn(reason),
      },
    ]
  })
}
