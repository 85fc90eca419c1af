import type { Log } from 'viem'
import { type ChannelEvent, channelEvents, depositIn } from '../../chain/channels/events.ts'
import type { ChainClient } from '../../chain/client.ts'
import { receiptsOf } from '../../chain/transactions/receipts.ts'
import type { View } from '../../chain/view.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { Database } from '../../store/database.ts'
import type { MinedIn } from '../../store/relayer/transactions.ts'
import {
  type ActionWork,
  type BookedEvent,
  channelsBlock,
  eventsSince,
} from '../../store/x402/channels/work.ts'

/** What has become of actions of channels, by the contract's events alone. */

export interface ShownAction {
  readonly at: MinedIn
  /** What its event says was moved, in base units. */
  readonly moved: bigint
}

export interface ShownActions {
  /** By the ids of work items. Of those in neither list it is certain that nobody has done them by the view. */
  readonly done: ReadonlyMap<bigint, ShownAction>
  readonly open: ReadonlySet<bigint>
}

/** Which of these actions are done by the view's block, by whomever. */
export async function actionsShown(
  database: Database,
  { chain, rpc }: Pick<ChainClient, 'chain' | 'rpc'>,
  rows: readonly ActionWork[],
  view: View,
): Promise<ShownActions> {
  const booked = await channelsBlock(database, chain.networkId)
  // The ledger books events at the chain's confirmations, as far as it has come.
  if (booked === null || booked < view.number) {
    return { done: new Map(), open: new Set(rows.map(({ itemId }) => itemId)) }
  }
  const events = await eventsSince(database, chain.networkId, rows)
  const receipts = await receiptsOf(rpc, [...new Set(events.map(({ txHash }) => txHash))])
  const places = new Set(receipts.map(placeOf))
  // Booked events whose receipts a node doesn't show: what they prove is unknown, and not undone.
  const unshown = events.filter((event) => !places.has(placeOf({ ...event, hash: event.txHash })))
  const done = new Map<bigint, ShownAction>()
  const open = new Set<bigint>()
  for (const row of rows) {
    // What was done before an action was asked for, for the sake of another one, is not it.
    const since = receipts.filter(({ block }) => block > row.claimedBlock)
    const isClaimed = row.kind !== 'claim' || areAllClaimed(row, events)
    const [shown] = isClaimed ? since.flatMap((receipt) => shownBy(row, receipt)) : []
    if (shown !== undefined) done.set(row.itemId, shown)
    else if (unshown.some((event) => isAbout(event, row))) open.add(row.itemId)
  }
  return { done, open }
}

function shownBy(
  row: ActionWork,
  { hash: txHash, block, blockHash, logs }: Awaited<ReturnType<typeof receiptsOf>>[number],
): ShownAction[] {
  const done = doneIn(row, logs)
  return done === null ? [] : [{ at: { txHash, block, blockHash }, moved: done.moved }]
}

function placeOf({ hash, blockHash }: { readonly hash: Hex; readonly blockHash: Hex }): string {
  return `${hash} ${blockHash}`
}

/** Whether an event could show an action done. */
function isAbout(event: BookedEvent, row: ActionWork): boolean {
  const { kind, receiver, token, channels, claimedBlock } = row
  if (event.block <= claimedBlock) return false
  if (kind === 'settle') return event.receiver === receiver && event.token === token
  return channels.some(({ channelId }) => channelId === event.channelId)
}

/** The event by which an action was carried out, and what it moved, in base units. */
export interface Done {
  readonly logIndex: number
  readonly moved: bigint
}

/** Whether these logs, of one transaction, show an action done. */
export function doneIn(row: ActionWork, logs: readonly Log[]): Done | null {
  switch (row.kind) {
    case 'deposit':
      return depositOf(row, logs)
    case 'claim':
      return claimsOf(row, channelEvents(logs))
    case 'settle':
      return doneBy(
        channelEvents(logs).filter(
          (event) =>
            event.name === 'Settled' &&
            event.receiver === row.receiver &&
            event.token === row.token,
        ),
      )
    case 'refund':
      return doneBy(
        channelEvents(logs).filter(
          (event) => event.name === 'Refunded' && event.channelId === row.channels[0]?.channelId,
        ),
      )
    default:
      return row.kind satisfies never
  }
}

function depositOf(row: ActionWork, logs: readonly Log[]): Done | null {
  const { token, payer, authorizationNonce: nonce, amount, channels } = row
  const [channel] = channels
  if (payer === null || nonce === null || channel === undefined) return null
  const { channelId } = channel
  const found = depositIn(logs, { token, payer, nonce, amount, channelId })
  return found && { logIndex: found.logIndex, moved: found.amount }
}

/** Whether booked events show as much claimed of every channel. */
function areAllClaimed(row: ActionWork, events: readonly BookedEvent[]): boolean {
  return row.channels.every(({ channelId, totalClaimed }) =>
    events.some(
      (event) =>
        event.name === 'Claimed' &&
        event.channelId === channelId &&
        (event.total ?? 0n) >= BigInt(totalClaimed ?? 0),
    ),
  )
}

/** Claims are done when one of them has moved something: those that moved nothing had been claimed before. */
function claimsOf(row: ActionWork, events: readonly ChannelEvent[]): Done | null {
  const totals = new Map(row.channels.map((one) => [one.channelId, BigInt(one.totalClaimed ?? 0)]))
  return doneBy(
    events.filter(
      (event) => event.name === 'Claimed' && event.total === totals.get(event.channelId),
    ),
  )
}

function doneBy(events: readonly ChannelEvent[]): Done | null {
  const [first] = events
  if (first === undefined) return null
  const moved = events.reduce((sum, event) => ('amount' in event ? sum + event.amount : sum), 0n)
  return { logIndex: first.logIndex, moved }
}
