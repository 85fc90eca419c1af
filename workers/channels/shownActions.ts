import type { Log } from 'viem'
import { type ChannelEvent, channelEvents, depositIn } from '../../chain/channels/events.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import type { View } from '../../chain/rpc/view.ts'
import { logsOfTransactions } from '../../chain/transactions/logs.ts'
import { paymentsBy } from '../../chain/x402/authorizationUse.ts'
import { CHANNELS } from '../../core/channels/channel.ts'
import {
  type ActionWork,
  type BookedEvent,
  channelsBlock,
  eventsSince,
} from '../../store/channels/work.ts'
import type { Database } from '../../store/database/database.ts'
import type { MinedIn } from '../../store/relayer/transactions.ts'

/** What has become of actions of channels, by the contract's events alone. */

export interface ShownAction {
  readonly at: MinedIn
  /** The amount moved by its event, in base units. */
  readonly moved: bigint
}

export interface ShownActions {
  /** By the ids of work items. Those in neither list were certainly not done by the view. */
  readonly done: ReadonlyMap<bigint, ShownAction>
  readonly open: ReadonlySet<bigint>
}

/** Which of these actions are done by the view's block, by any sender. */
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
  const payers = rows.flatMap(({ payer }) => payer ?? [])
  const tokens = [...new Set(rows.map(({ token }) => token))]
  // Deposits are distinguished by the token's logs beside the event.
  const deposits = payers.length === 0 ? [] : [paymentsBy(tokens, [...new Set(payers)])]
  const shown = await logsOfTransactions(rpc, events, [{ address: CHANNELS }, ...deposits])
  const places = new Set(shown.flatMap(({ logs }) => logs.map(keyOf)))
  // Booked events that a node doesn't show: what they prove is unknown, and not undone.
  const unshown = events.filter(
    ({ txHash: transactionHash, ...event }) => !places.has(keyOf({ ...event, transactionHash })),
  )
  const done = new Map<bigint, ShownAction>()
  const open = new Set<bigint>()
  for (const row of rows) {
    // An event before the action was requested belongs to another one.
    const since = shown.filter(({ block }) => block > row.claimedBlock)
    const isClaimed = row.kind !== 'claim' || areAllClaimed(row, events)
    const [action] = isClaimed ? since.flatMap((one) => shownBy(row, one)) : []
    if (action !== undefined) done.set(row.itemId, action)
    else if (unshown.some((event) => isAbout(event, row))) open.add(row.itemId)
  }
  return { done, open }
}

function shownBy(
  row: ActionWork,
  { txHash, block, blockHash, logs }: BookedEvent & { readonly logs: readonly Log[] },
): ShownAction[] {
  const done = doneIn(row, logs)
  return done === null ? [] : [{ at: { txHash, block, blockHash }, moved: done.moved }]
}

function keyOf({
  transactionHash,
  blockHash,
  logIndex,
}: Pick<Log, 'transactionHash' | 'blockHash' | 'logIndex'>): string {
  return `${transactionHash} ${blockHash} ${logIndex}`
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
