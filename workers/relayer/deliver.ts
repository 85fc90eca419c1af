import { type BroadcastAnswer, broadcast } from '../../chain/transactions/broadcast.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import {
  noteTipFloor,
  readRaw,
  recordBroadcast,
  TIP_TOO_LOW,
  UNDERPRICED,
} from '../../store/relayer/attempts.ts'
import { changeKeyStatus } from '../../store/relayer/keys.ts'
import { requestCancel } from '../../store/relayer/transactions.ts'
import { attemptsOf, isNews, openOf, type RelayerContext, type RelayerTurn } from './context.ts'
import { txName } from './stages.ts'

/** An alarm reports what was refused so often in a row, and the pause before it is sent again is never longer. */
const REFUSALS_TO_REPORT = 3
const LONGEST_PAUSE_MS = 30_000

/** Sending what is stored. Within a key, an attempt is sent when all before it have been taken. */

interface Sendable {
  readonly txId: bigint
  readonly address: Address
  readonly hash: Hex
  /** Whether a node has ever taken it, by its row. */
  readonly wasAccepted: boolean
}

/**
 * Sends the newest attempts of a key's open transactions that are new, or that no node may have received,
 * or that have waited long enough to be sent again; ascending. False when one of them was not
 * taken: then nothing after it may be sent either.
 */
export async function deliverOpen(turn: RelayerTurn, address: Address): Promise<boolean> {
  const mined = turn.accountNonces.get(address)
  if (mined === undefined) return false
  const open = openOf(turn, address)
  const last = open.at(-1)
  if (last !== undefined) await turn.guard?.raise(address, last.accountNonce + 1n)
  await resendLost(turn, address, mined)
  for (const { id: txId, accountNonce } of open) {
    if (accountNonce < mined) continue
    const attempt = attemptsOf(turn, txId).at(-1)
    if (attempt === undefined) throw new Error(`transaction ${txId} has no attempt`)
    const { hash, acceptedForMs } = attempt
    const sendable = { address, txId, hash, wasAccepted: acceptedForMs !== null }
    if (isDue(turn, sendable)) {
      if (!(await sendStored(turn, sendable))) return false
    } else if (turn.memory.sent.get(hash)?.accepted === false) return false
  }
  return true
}

async function sendStored(turn: RelayerTurn, what: Sendable): Promise<boolean> {
  return send(turn, what, await readRaw(turn.database, turn.networkId, what.hash))
}

/** Sends bytes once and notes the answer. True when a node has them, or has ever taken them. */
export async function send(context: RelayerContext, what: Sendable, raw: Hex): Promise<boolean> {
  const { client, memory } = context
  // What was taken once and isn't mined may be known to one node only: send it to all.
  const [first, ...others] = what.wasAccepted ? client.each : [client.rpc]
  const answers = await Promise.all([first ?? client.rpc, ...others].map((c) => broadcast(c, raw)))
  const answer = answers.find(({ type }) => type === 'accepted') ?? answers[0]
  if (answer === undefined) return false
  const isTakenNow = answer.type === 'accepted' || answer.type === 'nonce_too_low'
  // What one node has accepted is in flight, despite the answers of others.
  const isInFlight = isTakenNow || what.wasAccepted
  const refusals = countRefusals(context, what, answer)
  memory.sent.set(what.hash, { at: performance.now(), accepted: isInFlight, refusals })
  await context.step('broadcast_sent')
  if (isTakenNow || !isInFlight || answer.type === 'underpriced') await note(context, what, answer)
  else if (isNews(context, `in flight ${what.hash}`, 60_000)) {
    context.log.warn(
      { tx: what.txId, answer: answer.message },
      'a node does not take what another has',
    )
  }
  return isInFlight
}

/** How often in a row this attempt was refused; reports a transaction whose attempts nodes keep refusing. */
function countRefusals(context: RelayerContext, what: Sendable, answer: BroadcastAnswer): number {
  const { refusals, sent } = context.memory
  const { txId, hash } = what
  if (!isRefused(answer)) {
    if (answer.type === 'accepted' || answer.type === 'nonce_too_low') refusals.delete(txId)
    return sent.get(hash)?.refusals ?? 0
  }
  const count = (refusals.get(txId) ?? 0) + 1
  refusals.set(txId, count)
  if (count >= REFUSALS_TO_REPORT) {
    context.alarms.raise('refused', txName({ id: txId }), answer.message.slice(0, 200))
  }
  return (sent.get(hash)?.refusals ?? 0) + 1
}

/** True when a node has answered and not taken it. A key without money is paused, and reported separately. */
function isRefused(
  answer: BroadcastAnswer,
): answer is Extract<BroadcastAnswer, { type: 'underpriced' | 'refused' | 'unknown' }> {
  if (answer.type === 'unknown') return answer.isRefusal
  return answer.type === 'underpriced' || answer.type === 'refused'
}

async function note(
  context: RelayerContext,
  { address, txId: tx, hash, wasAccepted }: Sendable,
  answer: BroadcastAnswer,
): Promise<void> {
  const { database, networkId, log } = context
  // The nonce is used: the next turn finds our receipt, or another sender's use.
  if (answer.type === 'nonce_too_low') return
  if (answer.type === 'accepted') {
    if (!wasAccepted) await recordBroadcast(database, networkId, hash, null)
    return
  }
  const about = { address, tx, hash, answer: answer.message }
  if (answer.type === 'no_funds') await pauseForFunds(context, address, answer.message)
  else if (answer.type === 'refused') {
    log.error(about, 'the node will never take this transaction')
    await requestCancel(database, tx)
  } else {
    const floor = answer.type === 'underpriced' ? (answer.tip?.floor ?? null) : null
    if (floor !== null) await adoptFloor(context, floor, answer.message)
    if (isNews(context, `${answer.type} ${hash}`, 10_000)) {
      log.warn(about, 'a transaction was not taken; trying again')
    }
  }
  await recordBroadcast(database, networkId, hash, errorOf(answer))
}

/** What the row of an attempt keeps of an answer: of one that pays too little, what the next one must do. */
function errorOf(answer: Exclude<BroadcastAnswer, { type: 'accepted' }>): string {
  if (answer.type !== 'underpriced') return answer.message.slice(0, 500)
  return answer.tip?.floor === null ? TIP_TOO_LOW : UNDERPRICED
}

/** The least tip that a node names holds for the whole chain, and the next attempt offers it. */
async function adoptFloor(
  { database, networkId, memory, log }: RelayerContext,
  floor: bigint,
  words: string,
): Promise<void> {
  await noteTipFloor(database, networkId, { tip: floor, words: words.slice(0, 500) })
  memory.tip = null
  memory.prices = null
  log.warn({ networkId, floor }, 'a node takes no tip below this')
}

/** The key is paused and keeps its nonce; it resumes as soon as it has the money. */
export async function pauseForFunds(
  { database, networkId, log }: RelayerContext,
  address: Address,
  reason: string,
): Promise<void> {
  const key = { networkId, address }
  if (await changeKeyStatus(database, key, ['active'], 'no_funds', reason.slice(0, 500))) {
    log.error({ address, reason }, 'a relayer key has no money for gas: send it native coin')
  }
}

/**
 * A view without the block of a transaction that was mined, in which its account nonce is open: a
 * reorganisation took it, and the chain is shorter now, or the node lags. The same bytes do no harm in
 * either case. A nonce that contradicts a block of the view is the node's mistake, and what is final is
 * never sent again.
 */
async function resendLost(turn: RelayerTurn, address: Address, mined: bigint): Promise<void> {
  const { unfinished, memory, config } = turn
  let left = config.relayer.inFlightMax
  for (const tx of unfinished) {
    const { id: txId, minedHash: hash, minedBlock } = tx
    if (tx.address !== address || tx.state !== 'mined' || tx.accountNonce < mined) continue
    if (hash === null || minedBlock === null || left === 0) continue
    if ((await memory.canonical.hashAt(minedBlock)) === tx.minedBlockHash) continue
    const sendable = { txId, address, hash, wasAccepted: true }
    if (!isDue(turn, sendable)) continue
    left -= 1
    await sendStored(turn, sendable)
  }
}

function isDue({ memory, limits }: RelayerContext, what: Sendable): boolean {
  const before = memory.sent.get(what.hash)
  // What an earlier process sent is sent again: it may not have been received.
  if (before === undefined || (!what.wasAccepted && before.accepted)) return true
  const pause = before.accepted ? limits.rebroadcastMs : limits.retryMs
  return performance.now() - before.at >= pauseAfter(before.refusals, pause)
}

/** The pause before bytes are sent again that were refused so often in a row, in ms: twice as long each time. */
export function pauseAfter(refusals: number, pauseMs: number): number {
  const longer = pauseMs * 2 ** Math.min(Math.max(refusals - 1, 0), 20)
  return Math.max(pauseMs, Math.min(longer, LONGEST_PAUSE_MS))
}
