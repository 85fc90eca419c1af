import { headerAt } from '../../chain/blocks.ts'
import type { ChainClient } from '../../chain/client.ts'
import {
  type DistributedEvent,
  distributionEvents,
  distributionsIn,
} from '../../chain/hub/distributions.ts'
import { newestConfirmed, newestFinal } from '../../core/chain/depth.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { DistributionId, X402PaymentId } from '../../core/ids.ts'
import { max, min } from '../../core/integers.ts'
import { sum } from '../../core/money.ts'
import type { Reason } from '../../core/x402/reasons.ts'
import { shareDistributionFee } from '../../core/x402/split.ts'
import { blocksBetween, noteBlocks } from '../../store/chain/state.ts'
import type { Transaction } from '../../store/database.ts'
import { lockItems } from '../../store/relayer/workItems.ts'
import {
  confirmPaidByOthers,
  expiredPayments,
  takeBackDisplaced,
  unseenBlocksOfOthers,
} from '../../store/x402/byOthers.ts'
import { queueDistributions } from '../../store/x402/duePayouts.ts'
import { insertPaymentEvents } from '../../store/x402/events.ts'
import { forwarderHubs } from '../../store/x402/forwarders.ts'
import {
  bindPayments,
  bookDistributions,
  distributionsBlock,
  readShares,
  saveShares,
} from '../../store/x402/payouts.ts'
import { settleByEvidence, settlesFailed } from '../../store/x402/settles.ts'
import { readSettles } from '../../store/x402/work.ts'
import { judgeAuthorizations } from '../evidence/authorizations.ts'
import { chainState, type LedgerContext, type Progress } from './context.ts'

/**
 * What the leader of a chain does for x402: it follows payments that others have submitted, ends those
 * that have expired, and books how forwarders were paid out, whoever asked for it.
 */

const EXPIRED_PER_TURN = 200
/** Blocks that one turn asks for after nobody has watched for a long time. */
const UNSEEN_PER_TURN = 50
/** Blocks whose distributions one turn reads. */
const BLOCKS_PER_TURN = 5_000n

export async function advanceX402(context: LedgerContext): Promise<Progress> {
  const { head } = await chainState(context)
  const confirmed = newestConfirmed(head, context.client.chain.confirmations)
  if (confirmed < 0n) return { changed: 0, isFull: false }
  const watched = await followSubmittedByOthers(context, confirmed)
  const expired = await expirePayments(context, confirmed)
  const booked = await bookPayouts(context, head, confirmed)
  return {
    changed: watched + expired + booked.queued,
    isFull: expired >= EXPIRED_PER_TURN || booked.isBehind,
  }
}

/** Payments that no relayer of ours submitted are taken back or confirmed here. */
async function followSubmittedByOthers(
  { database, client }: LedgerContext,
  confirmed: bigint,
): Promise<number> {
  const { networkId } = client.chain
  const unseen = await unseenBlocksOfOthers(database, networkId, confirmed, UNSEEN_PER_TURN)
  const headers = await Promise.all(unseen.map((block) => headerAt(client.rpc, block)))
  const found = headers.filter((header) => header !== null)
  await noteBlocks(database, networkId, found)
  return database.begin(async (sql) => {
    const taken = await takeBackDisplaced(sql, networkId)
    const ids = await confirmPaidByOthers(sql, networkId, confirmed)
    await insertPaymentEvents(sql, 'x402.payment.settled', ids)
    return taken + ids.length
  })
}

/**
 * A payment that is pending past its validBefore, by the time of a confirmed block, can't be carried
 * out any more: unless it was, it has failed. A transaction of ours that is still on its way will fail.
 */
async function expirePayments({ database, client }: LedgerContext, block: bigint): Promise<number> {
  const { networkId } = client.chain
  const expired = await expiredPayments(database, networkId, block, EXPIRED_PER_TURN)
  if (expired.length === 0) return 0
  const itemIds = expired.map(({ itemId }) => itemId)
  const rows = await readSettles(database, itemIds)
  const verdicts = await judgeAuthorizations(client.rpc, rows, () => block)
  let ended = 0
  await database.begin(async (sql) => {
    await lockItems(sql, itemIds)
    const failures: { paymentId: X402PaymentId; reason: Reason }[] = []
    for (const [i, { paymentId }] of rows.entries()) {
      const verdict = verdicts[i]
      if (verdict?.type === 'impossible') failures.push({ paymentId, reason: verdict.reason })
      if (verdict?.type !== 'paid') continue
      if (await settleByEvidence(sql, paymentId, verdict.at)) ended += 1
      else failures.push({ paymentId, reason: 'authorization_used' })
    }
    const failed = await settlesFailed(sql, failures)
    await insertPaymentEvents(sql, 'x402.payment.failed', failed)
    ended += failed.length
  })
  return ended
}

async function bookPayouts(
  context: LedgerContext,
  head: bigint,
  confirmed: bigint,
): Promise<{ queued: number; isBehind: boolean }> {
  const { config, database, client } = context
  const { networkId, finalityDepth } = client.chain
  const last = await distributionsBlock(database, networkId)
  if (last === null) return { queued: 0, isBehind: false }
  const hubs = await forwarderHubs(database)
  const deep = min(newestFinal(head, finalityDepth), confirmed)
  const { events, end } =
    last < deep
      ? await deepPayouts(client, hubs, last, deep)
      : await recentPayouts(context, hubs, last, confirmed)
  return database.begin(async (sql) => {
    // Noted from the first time on, so that it goes back with blocks that are replaced.
    const fresh = await bookDistributions(sql, networkId, events, last, end)
    const { distributionIds, isComplete } = await bindPayments(sql, networkId)
    await shareFees(sql, [...new Set([...fresh, ...distributionIds])])
    const isBehind = end < confirmed
    // What was paid out in blocks that are not booked yet must not be paid out again.
    const queued = isBehind ? 0 : await queueDistributions(sql, networkId, confirmed, config.x402)
    return { queued, isBehind: isBehind || !isComplete }
  })
}

/** What was paid out up to a block. */
interface Payouts {
  readonly events: readonly DistributedEvent[]
  readonly end: bigint
}

/** Blocks that every node has had for long are read many at a time. */
async function deepPayouts(
  client: ChainClient,
  hubs: readonly Address[],
  last: bigint,
  to: bigint,
): Promise<Payouts> {
  const end = min(last + BLOCKS_PER_TURN, to)
  const events = await distributionEvents(client.rpc, hubs, last + 1n, end)
  return { events: ofKnownTokens(client, events), end }
}

/** Newer ones are read one by one, by their hashes, as far as the node has them. */
async function recentPayouts(
  { database, client }: LedgerContext,
  hubs: readonly Address[],
  last: bigint,
  to: bigint,
): Promise<Payouts> {
  const blocks = await blocksBetween(database, client.chain.networkId, last + 1n, to)
  const found = await Promise.all(
    blocks.map(async ({ number, hash }) => {
      return { number, events: await distributionsIn(client.rpc, hubs, hash) }
    }),
  )
  const events: DistributedEvent[] = []
  let end = last
  for (const block of found) {
    if (block.number !== end + 1n || block.events === null) break
    events.push(...ofKnownTokens(client, block.events))
    end = block.number
  }
  return { events, end }
}

/**
 * The hub pays out whatever contract it is told to take for a token. One that calls the hub back can
 * make its events contradict each other, so only tokens of the registry are booked.
 */
function ofKnownTokens(
  { chain }: ChainClient,
  events: readonly DistributedEvent[],
): DistributedEvent[] {
  const tokens = new Set(chain.tokens.map(({ address }) => address))
  return events.filter(({ token }) => tokens.has(token))
}

/** Divides each distribution's fee among the payments that it paid out; the rest belongs to none. */
async function shareFees(
  sql: Transaction,
  distributionIds: readonly DistributionId[],
): Promise<void> {
  if (distributionIds.length === 0) return
  for (const { id, amount, fee, isFirst, payments } of await readShares(sql, distributionIds)) {
    const arrived = amount + (isFirst ? 1n : 0n)
    const amounts = payments.map((payment) => payment.amount)
    const unattributed = arrived - sum(amounts)
    const fees = shareDistributionFee(fee, amounts, max(unattributed, 0n))
    const shares = payments.map((payment, i) => ({ paymentId: payment.id, fee: fees[i] ?? 0n }))
    await saveShares(sql, id, unattributed, shares)
  }
}
