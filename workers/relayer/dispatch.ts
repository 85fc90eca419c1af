import { dataGas } from '../../chain/transactions/arbitrum.ts'
import { clampFees } from '../../chain/transactions/fees.ts'
import { min } from '../../core/base/integers.ts'
import type { Address } from '../../core/chain/evm.ts'
import { type BatchGas, batchGas } from '../../core/chain/gas.ts'
import type { Lease } from '../../store/relayer/keys.ts'
import { type Backlog, readBacklog } from '../../store/relayer/workItems.ts'
import { assignBatch, batchSize } from './assign.ts'
import {
  attemptsOf,
  isNews,
  openOf,
  type RelayerContext,
  type RelayerTurn,
  type SendingTurn,
} from './context.ts'
import { pauseForFunds, send } from './deliver.ts'
import { kindOf } from './kind.ts'
import { mostPerGas } from './signing.ts'
import { quarantinedItems } from './stages.ts'
import { lanesOf, slotsFor } from './wallets.ts'

/** Turning waiting items into transactions, as many as the keys have room for. */

const LOG_TOO_POOR_MS = 60_000
/** A kind that has waited so long and has nothing in flight gets one transaction before all others. */
const FLOOR_MS = 20_000

/** What a key has on its way, and what it could still pay for. */
interface Slot {
  readonly lease: Lease
  inFlight: number
  /** Wei that the open transactions leave. */
  budget: bigint
}

/**
 * Fills the free slots of the keys in `clear`, the most urgent kind first: at once when nothing is in
 * flight, else when a batch is full or its oldest item has waited long enough to be batched. True when
 * something was sent.
 */
export async function dispatchWork(
  turn: SendingTurn,
  clear: ReadonlySet<Address>,
): Promise<boolean> {
  const slots = freeSlots(turn, clear)
  if (slots.length === 0) return false
  const { backlog } = turn
  let isSent = false
  for (const work of backlog.filter((work) => isStarved(turn, work))) {
    isSent = (await dispatchKind(turn, slots, work, 1)) || isSent
  }
  for (const work of backlog) isSent = (await dispatchKind(turn, slots, work)) || isSent
  return isSent
}

/** What waits to be sent, the most urgent first. */
export function waitingWork(context: RelayerContext): Promise<Backlog[]> {
  const { database, networkId, kinds, work } = context
  const without = quarantinedItems(work, 'assign')
  return readBacklog(database, networkId, Object.keys(kinds), without)
}

function isStarved({ unfinished }: SendingTurn, { kind, waitedMs }: Backlog): boolean {
  return waitedMs >= FLOOR_MS && !unfinished.some((tx) => tx.kind === kind && tx.state === 'signed')
}

/** Sends items of one kind, in at most so many transactions. */
async function dispatchKind(
  turn: SendingTurn,
  slots: readonly Slot[],
  work: Backlog,
  most = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const { config, client, head, limits, log } = turn
  const { gas } = client.chain
  const kind = kindOf(turn, work.kind)
  const batch = kind.gas(gas)
  const { base, perItem } = withData(turn, batch)
  const one = base + perItem
  const fees = clampFees(turn.fees, head.baseFeePerGas, mostPerGas(turn, one))
  if (fees === null) {
    turn.alarms.raise('fee_ceiling', work.kind, 'one item costs more than a transaction may offer')
    return false
  }
  const { batchMax, flushMs } = kind.batching?.(config) ?? {
    batchMax: config.relayer.batchMax,
    flushMs: limits.flushMs,
  }
  const room = { items: batchMax, gas: min(gas.largest, head.gasLimit) }
  const limit = batchSize(batch, room)
  const places = slotsFor(turn, work.kind)
  let waiting = work.count
  let left = most
  let isSent = false
  const serve = async (slot: Slot) => {
    while (waiting > 0 && left > 0 && slot.inFlight < places) {
      const isWaiting = waiting < limit && work.waitedMs < flushMs
      if (isWaiting && slots.some(({ inFlight }) => inFlight > 0)) return
      const own = { ...room, gas: min(room.gas, affordable({ ...turn, fees }, slot, batch)) }
      const size = batchSize(batch, own)
      if (size === 0) return pauseIfPoor(turn, slot, work)
      // Claimed before anything is awaited, so that the keys don't count the same items twice.
      waiting -= size
      left -= 1
      slot.inFlight += 1
      const assigned = await assignBatch({ ...turn, fees }, slot.lease, work.kind, own)
      if (assigned === null) {
        slot.inFlight -= 1
        return
      }
      waiting += Math.max(0, size - assigned.items.length)
      isSent = true
      slot.budget -= assigned.gasLimit * fees.maxFeePerGas
      const { txId, hash, raw, items } = assigned
      const { address } = slot.lease
      log.info({ address, tx: txId, hash, kind: work.kind, items: items.length }, 'sending')
      // What comes after waits until this one has been taken.
      const sendable = { txId, address, hash, wasAccepted: false }
      if (!(await turn.work.alone('deliver', address, () => send(turn, sendable, raw)))) return
    }
  }
  await Promise.all(lanesOf(turn, slots, work.kind).map(serve))
  return isSent
}

function freeSlots(turn: SendingTurn, clear: ReadonlySet<Address>): Slot[] {
  const { config, keys, memory, accountNonces } = turn
  const slots: Slot[] = []
  for (const [address, lease] of memory.leases) {
    const key = keys.get(address)
    const isReady = clear.has(address) && key?.status === 'active'
    if (!isReady || !memory.operators.get(address)?.isOperator) continue
    // Another sender has used it, and for what is yet to be found out.
    if ((accountNonces.get(address) ?? 0n) > key.nextNonce) continue
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
export function leastCost(turn: SendingTurn): bigint {
  const { base, perItem } = withData(turn, batchGas(turn.client.chain.gas.sweep.item))
  return (base + perItem) * turn.fees.maxFeePerGas
}

/**
 * The gas limit that the key can pay for and nodes let through: both check the whole of it. What the data
 * takes of that is left out.
 */
function affordable(turn: SendingTurn, { budget }: Slot, batch: BatchGas): bigint {
  const gas = min(budget, turn.client.chain.txFeeMax) / turn.fees.maxFeePerGas
  if (turn.dataGasPerByte === 0n) return gas
  const { base, perItem } = withData(turn, batch)
  return gas < base ? 0n : batch.base + batch.perItem * ((gas - base) / perItem)
}

/** More than most items take in the calldata. */
const ITEM_BYTES = 1_024n

/** A batch's gas with that of its data. */
function withData({ dataGasPerByte }: SendingTurn, { base, perItem }: BatchGas): BatchGas {
  const item = ITEM_BYTES * dataGasPerByte
  return { base: base + dataGas(dataGasPerByte, 0), perItem: perItem + item }
}

/**
 * With nothing on its way that could free money, a key that can't pay for one sweep is paused. One that lacks
 * money for a costlier item continues with all others: it would count as funded at once.
 */
async function pauseIfPoor(
  turn: SendingTurn,
  { lease, inFlight, budget }: Slot,
  { kind }: Backlog,
): Promise<void> {
  if (inFlight > 0) return
  const { address } = lease
  if (budget < leastCost(turn)) {
    await pauseForFunds(turn, address, 'its balance does not cover one transaction')
  } else if (isNews(turn, `too poor for ${kind} ${address}`, LOG_TOO_POOR_MS)) {
    turn.log.error(
      { address, kind },
      'a relayer key lacks money for this work: send it native coin',
    )
  }
}
