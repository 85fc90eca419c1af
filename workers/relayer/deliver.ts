import { type BroadcastAnswer, broadcast } from '../../chain/broadcast.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { readRaw, recordBroadcast } from '../../store/relayer/attempts.ts'
import { changeKeyStatus } from '../../store/relayer/keys.ts'
import { readMinedFrom, requestCancel } from '../../store/relayer/transactions.ts'
import { attemptsOf, isNews, openOf, type RelayerContext, type RelayerTurn } from './context.ts'

/** Sending what is stored. Within a key, an attempt is sent when all before it have been taken. */

interface Sendable {
  readonly txId: bigint
  readonly address: Address
  readonly hash: Hex
  /** Whether a node has ever taken it, by its row. */
  readonly wasAccepted: boolean
}

/**
 * Sends the newest attempts of a key's open transactions that are new, or that may not have arrived,
 * or that have waited long enough to be sent once more; ascending. False when one of them was not
 * taken: then nothing after it may be sent either.
 */
export async function deliverOpen(turn: RelayerTurn, address: Address): Promise<boolean> {
  const mined = turn.accountNonces.get(address)
  if (mined === undefined) return false
  const open = openOf(turn, address)
  await resendLost(turn, address, mined, open.length)
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

/** Sends bytes once and notes the answer. True when a node has them now, or had them before. */
export async function send(context: RelayerContext, what: Sendable, raw: Hex): Promise<boolean> {
  const { client, memory } = context
  // What was taken once and isn't mined may be known to one node only: send it to all.
  const [first, ...others] = what.wasAccepted ? client.each : [client.rpc]
  const answers = await Promise.all([first ?? client.rpc, ...others].map((c) => broadcast(c, raw)))
  const answer = answers.find(({ type }) => type === 'accepted') ?? answers[0]
  if (answer === undefined) return false
  const isTakenNow = answer.type === 'accepted' || answer.type === 'nonce_too_low'
  memory.sent.set(what.hash, { at: performance.now(), accepted: isTakenNow })
  await context.step('broadcast_sent')
  await note(context, what, answer)
  return isTakenNow
}

async function note(
  context: RelayerContext,
  what: Sendable,
  answer: BroadcastAnswer,
): Promise<void> {
  const { database, networkId, log } = context
  const about = { address: what.address, tx: what.txId, hash: what.hash }
  switch (answer.type) {
    case 'accepted':
      if (!what.wasAccepted) {
        await recordBroadcast(database, networkId, what.hash, { accepted: true, error: null })
      }
      return
    case 'nonce_too_low':
      // The nonce is used: the next turn finds our receipt, or that somebody else used it.
      return
    case 'no_funds':
      await pauseForFunds(context, what.address, answer.message)
      break
    case 'refused':
      log.error({ ...about, answer: answer.message }, 'the node will never take this transaction')
      await requestCancel(database, what.txId)
      break
    case 'underpriced':
    case 'unknown':
      if (isNews(context, `${answer.type} ${what.hash}`, 10_000)) {
        log.warn({ ...about, answer: answer.message }, 'a transaction was not taken; trying again')
      }
      break
    default:
      answer satisfies never
  }
  const error = answer.type === 'underpriced' ? 'underpriced' : answer.message.slice(0, 500)
  await recordBroadcast(database, networkId, what.hash, { accepted: false, error })
}

/** The key is paused and keeps its nonce; it goes on by itself as soon as it has the money. */
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
 * A node on which the account nonce is below one that we have seen mined has lost that transaction
 * to a reorganisation, or lags. The same bytes do no harm in either case.
 */
async function resendLost(
  turn: RelayerTurn,
  address: Address,
  mined: bigint,
  open: number,
): Promise<void> {
  const { database, keys, networkId } = turn
  const next = keys.get(address)?.nextNonce
  if (next === undefined || next - mined <= BigInt(open)) return
  for (const lost of await readMinedFrom(database, { networkId, address }, mined)) {
    const sendable = { ...lost, address, wasAccepted: true }
    if (isDue(turn, sendable)) await sendStored(turn, sendable)
  }
}

function isDue({ memory, limits }: RelayerContext, what: Sendable): boolean {
  const before = memory.sent.get(what.hash)
  // Whatever an earlier process sent is sent again: nobody knows whether it arrived.
  if (before === undefined || (!what.wasAccepted && before.accepted)) return true
  const pause = before.accepted ? limits.rebroadcastMs : limits.retryMs
  return performance.now() - before.at >= pause
}
