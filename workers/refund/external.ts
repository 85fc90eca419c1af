import { readSent } from '../../chain/tokens/sent.ts'
import { tokenOn } from '../../core/chain/registry.ts'
import {
  type ChainTransfer,
  type ExternalRefund,
  SEARCHED_FOR_MS,
} from '../../core/invoice/externalRefund.ts'
import { blockHashAt } from '../../store/chain/state.ts'
import { readInvoice } from '../../store/invoice/locking.ts'
import {
  endDoubt,
  mayBeRefund,
  type Proof,
  reopenDisplaced,
  scheduleSearch,
  unprovenRefunds,
} from '../../store/refund/externalProof.ts'
import { confirmedBlock, type LedgerContext, type Progress } from '../turns/ledgerContext.ts'

const ROWS_PER_TURN = 100
const OTHER: Proof = { status: 'failed', error: 'the chain shows another transfer' }

/**
 * Verifies refunds that merchants report: the transaction's own logs must show the transfer
 * in a canonical block with the chain's confirmations. What no node shows may be mined again after a
 * reorganisation, and is searched for ever less often, for a week.
 */
export async function proveExternalRefunds(context: LedgerContext, now: Date): Promise<Progress> {
  const { database, client, config, work } = context
  const { networkId } = client.chain
  const reopened = await reopenDisplaced(database, networkId, now)
  const deepest = await confirmedBlock(context)
  const without = work.quarantined(now)
  const refunds = await unprovenRefunds(database, networkId, deepest, without, now, ROWS_PER_TURN)
  let changed = reopened
  await work.eachOf(refunds, async (_invoiceId, doubtful) => {
    for (const refund of doubtful) {
      const proof = await proofOf(context, refund, deepest, now)
      if (proof !== null && (await endDoubt(database, refund, proof, now, config.registry))) {
        changed += 1
      }
    }
  })
  return { changed, isFull: refunds.length === ROWS_PER_TURN && changed > 0 }
}

/** The chain's proof of a refund; null while it is unknown. */
async function proofOf(
  { database, client }: LedgerContext,
  refund: ExternalRefund,
  deepest: bigint,
  now: Date,
): Promise<Proof | null> {
  const { networkId } = client.chain
  const { tokenSymbol } = await readInvoice(database, refund.invoiceId)
  const token = tokenOn(client.chain, tokenSymbol)?.address
  // A stolen role may have written the row, and named a contract that is not one of our tokens.
  if (token === undefined) return OTHER
  const sought = { token, recipients: [refund.recipient] }
  const sent = await readSent(client.rpc, refund.txHash, sought)
  if (sent.type === 'unknown' || sent.type === 'unshown') {
    if (now.getTime() - refund.minedAt.getTime() > SEARCHED_FOR_MS) {
      return { status: 'failed', error: 'no node has shown the transaction for a week' }
    }
    await scheduleSearch(database, refund, refund, now)
    return null
  }
  const { blockNumber } = sent
  if (sent.type === 'reverted') {
    if (blockNumber > deepest)
      await scheduleSearch(database, refund, { ...refund, blockNumber }, now)
    return blockNumber > deepest ? null : { status: 'failed', error: 'the transaction reverted' }
  }
  const followed = await blockHashAt(database, networkId, blockNumber)
  const isCanonical = followed === null || followed === sent.blockHash
  if (blockNumber > deepest || !isCanonical) {
    await scheduleSearch(database, refund, isCanonical ? sent : refund, now)
    return null
  }
  const isShown = sent.transfers.some(
    (shown) => shown.token === token && isAsRecorded(refund, shown),
  )
  return isShown && (await mayBeRefund(database, refund))
    ? { status: 'confirmed', blockNumber, blockHash: sent.blockHash }
    : OTHER
}

function isAsRecorded(refund: ExternalRefund, shown: ChainTransfer): boolean {
  return (
    shown.place === refund.alikePlace &&
    shown.token === refund.token &&
    shown.from === refund.sender &&
    shown.to === refund.recipient &&
    shown.amount === refund.amount
  )
}
