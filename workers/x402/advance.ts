import type { Logger } from 'pino'
import { headerAt } from '../../chain/blocks/blocks.ts'
import { bloomOf, mayHold } from '../../chain/blocks/bloom.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import { isCallFault } from '../../chain/rpc/faults.ts'
import { type MinedReceipt, receiptsOf } from '../../chain/transactions/receipts.ts'
import {
  type PaidAuthorization,
  paidAuthorizations,
  paidInBlock,
} from '../../chain/x402/authorizationUse.ts'
import {
  type DistributedEvent,
  distributionEvents,
  distributionsIn,
  PAYOUT_TOPICS,
} from '../../chain/x402/distributions.ts'
import { asX402PaymentId, type DistributionId } from '../../core/base/ids.ts'
import { max, min } from '../../core/base/integers.ts'
import { sum } from '../../core/base/money.ts'
import { newestFinal } from '../../core/chain/depth.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { forwarderAddress } from '../../core/hub/deposit.ts'
import { shareDistributionFee } from '../../core/x402/feeShares.ts'
import { PAYOUT_BLOCKS_PER_STRIDE } from '../../core/x402/payoutStride.ts'
import { noteBlocks } from '../../store/chain/state.ts'
import type { Database, Transaction } from '../../store/database/database.ts'
import { forwarderHubs } from '../../store/hub/forwarders.ts'
import { advance } from '../../store/relayer/transition.ts'
import {
  deepPaidByOthers,
  followBlocks,
  type PaidByOthers,
  revertUnshown,
  unseenBlocksOfOthers,
} from '../../store/x402/byOthers.ts'
import { duePayees, queueDistributions } from '../../store/x402/duePayouts.ts'
import {
  awaitsPayouts,
  type Binding,
  bindRefunds,
  bookDistributions,
  distributionsBlock,
  findUnbound,
} from '../../store/x402/payouts.ts'
import { PAYMENTS } from '../../store/x402/settles.ts'
import { readShares, saveShares } from '../../store/x402/shares.ts'
import { eventsAfter } from '../blocks/newEvents.ts'
import type { LedgerContext, Progress } from '../turns/ledgerContext.ts'
import { isPermitShown } from './shownPermits.ts'

/**
 * What the leader of a chain books for x402: payments that others have submitted, and how forwarders were paid
 * out, by any caller.
 */

/** As things that may be quarantined. */
const BY_OTHERS = 'payment by others'
const PAYOUT = 'payout of merchant'
/** Blocks that one turn reads after a long outage. */
const UNSEEN_PER_TURN = 50
/** Payments by others that one turn reads, at one request each. */
const CONFIRMED_PER_TURN = 50
const READS_AT_ONCE = 10

/**
 * Payments that no relayer of ours submitted are reverted or confirmed here. Their rows are written by the API,
 * so that they are compared with the chain before any merchant is notified.
 */
export async function followSubmittedByOthers(
  { database, client, work: { others } }: LedgerContext,
  confirmed: bigint,
  log: Logger,
): Promise<Progress> {
  const { networkId } = client.chain
  const unseen = await unseenBlocksOfOthers(database, networkId, confirmed, UNSEEN_PER_TURN)
  const headers = await others.each(
    'block',
    unseen,
    String,
    (block) => headerAt(client.rpc, block),
    READS_AT_ONCE,
  )
  const found = headers.filter((header) => header !== null)
  await noteBlocks(database, networkId, found)
  const taken = await others.alone('displaced rows', networkId, () => {
    return database.begin((sql) => followBlocks(sql, networkId, confirmed))
  })
  const without = others.waiting(BY_OTHERS).map(asX402PaymentId)
  const deep = await deepPaidByOthers(database, networkId, confirmed, without, CONFIRMED_PER_TURN)
  const decided = await others.each(
    BY_OTHERS,
    deep,
    ({ paymentId }) => paymentId,
    async (payment) => {
      const { paymentId } = payment
      const verdict = await isShown(client, payment)
      // It makes room for others, and is checked again ever less often.
      if (verdict === null) others.put(BY_OTHERS, paymentId, new Error('no node knows its block'))
      return verdict === null ? 0 : endByOthers(database, payment, verdict, log)
    },
    READS_AT_ONCE,
  )
  const changed = (taken ?? 0) + total(decided)
  return { changed, isFull: deep.length === CONFIRMED_PER_TURN && changed > 0 }
}

/** Confirms what its block shows, and reverts what it doesn't. Returns how many rows changed. */
async function endByOthers(
  database: Database,
  payment: PaidByOthers,
  isThere: boolean,
  log: Logger,
): Promise<number> {
  const { paymentId: id, blockHash } = payment
  if (!isThere) {
    log.error(
      { paymentId: id },
      'the chain does not show a payment at its recorded position; it is submitted again',
    )
    return database.begin((sql) => revertUnshown(sql, { id, blockHash }))
  }
  const confirmed = await database.begin((sql) => {
    return advance(sql, PAYMENTS, 'confirmed', [{ id, blockHash }], null, 'others')
  })
  return confirmed.length
}

/** Whether the block of a payment shows it as recorded; null while the node doesn't know the block. */
async function isShown({ rpc }: ChainClient, payment: PaidByOthers): Promise<boolean | null> {
  const { token, payer, nonce, payTo, amount, txHash, logIndex, blockHash } = payment
  // A forged row could name any address: payments elsewhere don't count.
  const isTheirs = payment.isDirect || payTo === forwarderAddress(payment.hub, payment.merchantId)
  if (!isTheirs) return false
  if (payment.permitNonce !== null) return isPermitShown(rpc, payment)
  const isIt = (one: PaidAuthorization) =>
    one.logIndex === logIndex && one.nonce === nonce && one.to === payTo && one.value === amount
  const paid = await paidInBlock(rpc, token, payer, blockHash)
  if (paid === null) return null
  if (paid.some((one) => one.txHash === txHash && isIt(one))) return true
  if (paid.length > 0) return false
  // A node that lags shows nothing of a block either.
  const bloom = await bloomOf(rpc, blockHash)
  if (bloom === null) return null
  if (!mayHold(bloom, { addresses: [token], topics: [nonce] })) return false
  const receipt = await receiptOf(rpc, txHash)
  if (receipt === null) return null
  if (receipt.blockHash !== blockHash) return false
  return paidAuthorizations(token, receipt.logs).some(isIt)
}

/** Null without one, and for one that is too large to be read: neither proves anything. */
async function receiptOf(rpc: ChainClient['rpc'], txHash: Hex): Promise<MinedReceipt | null> {
  try {
    const [receipt] = await receiptsOf(rpc, [txHash])
    return receipt ?? null
  } catch (error) {
    if (isCallFault(error)) return null
    throw error
  }
}

/** Books how forwarders were paid out, and queues what is due. */
export async function bookPayouts(
  context: LedgerContext,
  head: bigint,
  confirmed: bigint,
): Promise<{ queued: number; isBehind: boolean }> {
  const { config, database, client } = context
  const { networkId, finalityDepth } = client.chain
  const last = await distributionsBlock(database, networkId)
  if (last === null) return { queued: 0, isBehind: false }
  const deep = min(newestFinal(head, finalityDepth), confirmed)
  // A payout that is not awaited has time: it is read with many blocks at once.
  const blocks = { last, sentAfter: last - BigInt(finalityDepth) }
  const isAwaited = await awaitsPayouts(database, networkId, blocks, config.x402)
  if (!isAwaited && deep < last + PAYOUT_BLOCKS_PER_STRIDE) return { queued: 0, isBehind: false }
  const hubs = await forwarderHubs(database)
  const { rpc } = client
  const source = {
    between: (from: bigint, to: bigint) => distributionEvents(rpc, hubs, from, to),
    in: (blockHash: Hex, view = rpc) => distributionsIn(view, hubs, blockHash),
    marks: { name: 'payouts', addresses: hubs, topics: PAYOUT_TOPICS },
  }
  const { events, end } = await eventsAfter(context, source, last, deep, confirmed)
  const { isBehind, isComplete } = await database.begin(async (sql) => {
    // Noted from the first time on, so that it goes back with blocks that are replaced.
    const fresh = await bookDistributions(sql, networkId, ofKnownTokens(client, events), last, end)
    const { bindings, isComplete } = await findUnbound(sql, networkId)
    const refunded = await bindRefunds(sql, networkId)
    const changed = [...fresh, ...refunded, ...bindings.map((one) => one.distributionId)]
    await shareFees(sql, [...new Set(changed)], bindings)
    const isBehind = end < confirmed
    return { isBehind, isComplete }
  })
  // What was paid out in blocks that are not booked yet must not be paid out again.
  const queued = isBehind ? 0 : await queuePayouts(context, confirmed)
  return { queued, isBehind: isBehind || !isComplete }
}

/** Queues what is due, all at once, and where that fails merchant by merchant. Returns how much was queued. */
async function queuePayouts(
  { config, database, client, work }: LedgerContext,
  confirmed: bigint,
): Promise<number> {
  const { networkId } = client.chain
  const due = await duePayees(database, networkId, confirmed, config.x402)
  const queued = await work.others.together(PAYOUT, due, String, (merchantIds) =>
    database.begin((sql) => {
      return queueDistributions(sql, networkId, confirmed, config.x402, merchantIds)
    }),
  )
  return total(queued)
}

function total(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0)
}

/**
 * The hub pays out any contract that it is given as a token. One that calls the hub back can make its events
 * contradict each other, so only tokens of the registry are booked.
 */
function ofKnownTokens(
  { chain }: ChainClient,
  events: readonly DistributedEvent[],
): DistributedEvent[] {
  const tokens = new Set(chain.tokens.map(({ address }) => address))
  return events.filter(({ token }) => tokens.has(token))
}

/**
 * Divides each distribution's fee among the payments that it paid out, and binds them to it; the rest belongs
 * to none.
 */
async function shareFees(
  sql: Transaction,
  distributionIds: readonly DistributionId[],
  bindings: readonly Binding[],
): Promise<void> {
  if (distributionIds.length === 0) return
  for (const { id, amount, fee, isFirst, refunded, payments } of await readShares(
    sql,
    distributionIds,
    bindings,
  )) {
    const received = amount + refunded + (isFirst ? 1n : 0n)
    const unattributed = received - sum(payments.map((payment) => payment.amount))
    const kept = payments.map((payment) => payment.amount - payment.refunded)
    const fees = shareDistributionFee(fee, kept, max(unattributed, 0n))
    const shares = payments.map((payment, i) => ({ paymentId: payment.id, fee: fees[i] ?? 0n }))
    await saveShares(sql, id, unattributed, shares)
  }
}
