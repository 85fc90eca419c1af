import type { Fees } from '../../chain/fees.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Lease } from '../../store/relayer/keys.ts'
import { type Backlog, readBacklog } from '../../store/relayer/workItems.ts'
import { assignBatch, batchLimit } from './assign.ts'
import { isNews, lastAttempt, type RelayerContext, type TurnView } from './context.ts'
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
 * is full or its oldest item has waited long enough for company. True when something was sent.
 */
export async function dispatchWork(
  context: RelayerContext,
  view: TurnView,
  clear: ReadonlySet<Address>,
  fees: Fees,
): Promise<boolean> {
  const slots = freeSlots(context, view, clear)
  if (slots.length === 0) return false
  const backlog = (await readBacklog(context.database, context.networkId)).filter(({ kind }) =>
    isKnownKind(kind),
  )
  let isSent = false
  for (const work of backlog) {
    const isSome = await dispatchKind(context, view, slots, work, fees)
    isSent = isSent || isSome
  }
  return isSent
}

async function dispatchKind(
  context: RelayerContext,
  view: TurnView,
  slots: readonly Slot[],
  work: Backlog,
  fees: Fees,
): Promise<boolean> {
  const { inFlightMax } = context.config.relayer
  const { batchMax, flushMs } = batching(context.config, context.limits.flushMs, work.kind)
  let waiting = work.count
  let isSent = false
  const serve = async (slot: Slot) => {
    while (waiting > 0 && slot.inFlight < inFlightMax) {
      const limit = batchLimit(work.kind, batchMax, view.head.gasLimit)
      const isWaiting = waiting < limit && work.waitedMs < flushMs
      if (isWaiting && slots.some(({ inFlight }) => inFlight > 0)) return
      const size = affordable(context, work, slot, fees, limit)
      if (size === 0) return pauseIfPoor(context, slot, work, fees)
      // Claimed before anything is awaited, so that the keys don't count the same items twice.
      waiting -= size
      slot.inFlight += 1
      const assigned = await assignBatch(context, slot.lease, work.kind, size, fees, view.head)
      if (assigned === null) {
        slot.inFlight -= 1
        return
      }
      waiting += Math.max(0, size - assigned.items)
      isSent = true
      slot.budget -= assigned.gasLimit * fees.maxFeePerGas
      const { txId, hash, raw } = assigned
      const { address } = slot.lease
      context.log.info(
        { address, tx: txId, hash, kind: work.kind, items: assigned.items },
        'sending',
      )
      // What comes after waits until this one has been taken.
      if (!(await send(context, { txId, address, hash, wasAccepted: false }, raw))) return
    }
  }
  await Promise.all(slots.map(serve))
  return isSent
}

function freeSlots(context: RelayerContext, view: TurnView, clear: ReadonlySet<Address>): Slot[] {
  const slots: Slot[] = []
  for (const [address, lease] of context.memory.leases) {
    const isReady = clear.has(address) && view.keys.get(address)?.status === 'active'
    if (!isReady || !context.memory.operators.get(address)?.isOperator) continue
    const open = view.unfinished.filter((tx) => tx.address === address && tx.state === 'signed')
    if (open.length >= context.config.relayer.inFlightMax) continue
    const budget = (context.memory.balances.get(address)?.wei ?? 0n) - openCost(view, address)
    slots.push({ lease, inFlight: open.length, budget })
  }
  return slots
}

/** The most that a key's open transactions can still cost, in wei. */
export function openCost(view: TurnView, address: Address): bigint {
  let cost = 0n
  for (const tx of view.unfinished) {
    if (tx.address !== address || tx.state !== 'signed') continue
    cost += tx.gasLimit * (lastAttempt(view, tx.id)?.maxFeePerGas ?? 0n)
  }
  return cost
}

/** What a transaction with one item costs at most, in wei. */
export function leastCost(fees: Fees): bigint {
  const { base, perItem } = kindOf('sweep').gas
  return (base + perItem) * fees.maxFeePerGas
}

/**
 * How many items the key can pay for and nodes let through, up to `limit`. Nodes look at the whole gas
 * limit for both.
 */
function affordable(
  { client }: RelayerContext,
  work: Backlog,
  slot: Slot,
  fees: Fees,
  limit: number,
): number {
  const { base, perItem } = kindOf(work.kind).gas
  const { txFeeMax } = client.chain
  const offer = slot.budget < txFeeMax ? slot.budget : txFeeMax
  const gas = offer / fees.maxFeePerGas - base
  if (gas < perItem) return 0
  const most = Number(gas / perItem)
  return most < limit ? most : limit
}

/**
 * With nothing on its way that could free money, a key that can't pay for one sweep is paused. One that
 * lacks money for a costlier item only goes on with the rest: it would be taken for funded at once.
 */
async function pauseIfPoor(
  context: RelayerContext,
  { lease, inFlight, budget }: Slot,
  { kind }: Backlog,
  fees: Fees,
): Promise<void> {
  if (inFlight > 0) return
  const { address } = lease
  if (budget < leastCost(fees)) {
    return pauseForFunds(context, address, 'its balance does not cover one transaction')
  }
  if (!isNews(context, `too poor for ${kind} ${address}`, SAY_TOO_POOR_MS)) return
  const { base, perItem } = kindOf(kind).gas
  if ((base + perItem) * fees.maxFeePerGas > context.client.chain.txFeeMax) {
    context.log.warn(
      { address, kind },
      'fees are above what nodes let through; waiting for lower ones',
    )
    return
  }
  context.log.error(
    { address, kind },
    'a relayer key lacks money for this work: send it native coin',
  )
}
