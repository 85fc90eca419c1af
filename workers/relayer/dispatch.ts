import type { Fees } from '../../chain/fees.ts'
import type { Address } from '../../core/chain/evm.ts'
import { min } from '../../core/integers.ts'
import type { Lease } from '../../store/relayer/keys.ts'
import { type Backlog, readBacklog, type WorkKindName } from '../../store/relayer/workItems.ts'
import { assignBatch, batchLimit } from './assign.ts'
import { attemptsOf, isNews, openOf, type RelayerTurn, type SendingTurn } from './context.ts'
import { pauseForFunds, send } from './deliver.ts'
import { batching, isKnownKind, kindOf } from './kinds/table.ts'

/** Turning waiting items into transactions, as many as the keys have room for. */

const SAY_TOO_POOR_MS = 60_000

/** What a key has on its way, and what it could still pay for. */
interface Slot {
  readonly lease: Lease
  inFlight: number
  /** Wei that the open transactions leave. */
  budget: bigint
}

/**
 * Fills the free places of the keys in `clear`: at once when nothing is in flight, else when a batch
 * is full or its oldest item has waited long enough to be batched. True when something was sent.
 */
export async function dispatchWork(
  turn: SendingTurn,
  clear: ReadonlySet<Address>,
): Promise<boolean> {
  const slots = freeSlots(turn, clear)
  if (slots.length === 0) return false
  let isSent = false
  for (const work of await readBacklog(turn.database, turn.networkId)) {
    if (isKnownKind(work.kind)) isSent = (await dispatchKind(turn, slots, work)) || isSent
  }
  return isSent
}

async function dispatchKind(
  turn: SendingTurn,
  slots: readonly Slot[],
  work: Backlog,
): Promise<boolean> {
  const { config, fees, head, limits, log } = turn
  const { batchMax, flushMs } = batching(config, limits.flushMs, work.kind)
  const limit = batchLimit(work.kind, batchMax, head.gasLimit)
  let waiting = work.count
  let isSent = false
  const serve = async (slot: Slot) => {
    while (waiting > 0 && slot.inFlight < config.relayer.inFlightMax) {
      const isWaiting = waiting < limit && work.waitedMs < flushMs
      if (isWaiting && slots.some(({ inFlight }) => inFlight > 0)) return
      const size = affordable(turn, work, slot, limit)
      if (size === 0) return pauseIfPoor(turn, slot, work)
      // Claimed before anything is awaited, so that the keys don't count the same items twice.
      waiting -= size
      slot.inFlight += 1
      const assigned = await assignBatch(turn, slot.lease, work.kind, size)
      if (assigned === null) {
        slot.inFlight -= 1
        return
      }
      waiting += Math.max(0, size - assigned.items)
      isSent = true
      slot.budget -= assigned.gasLimit * fees.maxFeePerGas
      const { txId, hash, raw, items } = assigned
      const { address } = slot.lease
      log.info({ address, tx: txId, hash, kind: work.kind, items }, 'sending')
      // What comes after waits until this one has been taken.
      if (!(await send(turn, { txId, address, hash, wasAccepted: false }, raw))) return
    }
  }
  await Promise.all(slots.map(serve))
  return isSent
}

function freeSlots(turn: SendingTurn, clear: ReadonlySet<Address>): Slot[] {
  const { config, keys, memory } = turn
  const slots: Slot[] = []
  for (const [address, lease] of memory.leases) {
    const isReady = clear.has(address) && keys.get(address)?.status === 'active'
    if (!isReady || !memory.operators.get(address)?.isOperator) continue
    const inFlight = openOf(turn, address).length
    if (inFlight >= config.relayer.inFlightMax) continue
    const budget = (memory.balances.get(address)?.wei ?? 0n) - openCost(turn, address)
    slots.push({ lease, inFlight, budget })
  }
  return slots
}

/** The most that a key's open transactions can still cost, in wei. */
export function openCost(turn: RelayerTurn, address: Address): bigint {
  let cost = 0n
  for (const { id, gasLimit } of openOf(turn, address)) {
    cost += gasLimit * (attemptsOf(turn, id).at(-1)?.maxFeePerGas ?? 0n)
  }
  return cost
}

/** What a transaction with one sweep costs at most, in wei. */
export function leastCost({ fees }: SendingTurn): bigint {
  return costOfOne('sweep', fees)
}

function costOfOne(kind: WorkKindName, fees: Fees): bigint {
  const { base, perItem } = kindOf(kind).gas
  return (base + perItem) * fees.maxFeePerGas
}

/**
 * How many items the key can pay for and nodes let through, up to `limit`. Nodes look at the whole gas
 * limit for both.
 */
function affordable(
  { client, fees }: SendingTurn,
  { kind }: Backlog,
  { budget }: Slot,
  limit: number,
): number {
  const { base, perItem } = kindOf(kind).gas
  const gas = min(budget, client.chain.txFeeMax) / fees.maxFeePerGas - base
  return gas < perItem ? 0 : Math.min(Number(gas / perItem), limit)
}

/**
 * With nothing on its way that could free money, a key that can't pay for one sweep is paused. One that
 * lacks money for a costlier item goes on with all others: it would be taken for funded at once.
 */
async function pauseIfPoor(
  turn: SendingTurn,
  { lease, inFlight, budget }: Slot,
  { kind }: Backlog,
): Promise<void> {
  if (inFlight > 0) return
  const { address } = lease
  const { client, fees, log } = turn
  if (budget < leastCost(turn)) {
    return pauseForFunds(turn, address, 'its balance does not cover one transaction')
  }
  if (!isNews(turn, `too poor for ${kind} ${address}`, SAY_TOO_POOR_MS)) return
  if (costOfOne(kind, fees) > client.chain.txFeeMax) {
    log.warn({ address, kind }, 'fees are above what nodes let through; waiting for lower ones')
    return
  }
  log.error({ address, kind }, 'a relayer key lacks money for this work: send it native coin')
}
