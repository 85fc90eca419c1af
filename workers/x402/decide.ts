import type { Hex } from '../../core/chain/evm.ts'
import { isPayersFault } from '../../core/x402/wallets.ts'
import type { Transaction } from '../../store/database/database.ts'
import { holdItem, moveToWallets, pauseWallet } from '../../store/x402/wallets.ts'
import { readSettles, type SettleRow } from '../../store/x402/work.ts'
import {
  chainTime,
  type Fate,
  type Fates,
  idsOf,
  type JudgingContext,
  type Undone,
} from '../relayer/kind.ts'
import { errorIn } from '../relayer/outcomes.ts'
import { UNTIL_VALID_S } from './choosePayments.ts'
import type { VerifiedAuthorization } from './verdicts.ts'
import { verifyAuthorizations } from './verifyAuthorizations.ts'

/**
 * What becomes of authorizations that a transaction of ours was to carry out and did not. The chain knows: it
 * was carried out by another sender, or cancelled, or can't be, or still can and is sent again. Sending again
 * is safe at any time, because the token takes an authorization once.
 */

/** How often an authorization that should work may be sent before an operator has to decide. */
const TRIES_MAX = 3

interface UndoneRow extends Undone {
  readonly row: SettleRow
}

export async function judgeAuthorizations(
  context: JudgingContext,
  undone: readonly Undone[],
): Promise<Fates> {
  const { database, head, log } = context
  const rows = await readSettles(database, idsOf(undone.map(({ item }) => item)))
  const left = rows.flatMap((row): UndoneRow[] => {
    const one = undone.find(({ item }) => item.id === row.itemId)
    return one ? [{ ...one, row }] : []
  })
  // The block must be known to a node before its word on these items counts.
  const leastBlock = (i: number) => left[i]?.tx.minedBlock ?? 0n
  const sender = await context.sender()
  const verdicts = await verifyAuthorizations(context, rows, head, leastBlock, sender)
  const fates = new Map<bigint, Fate>()
  for (const [i, one] of left.entries()) {
    const verdict = verdicts[i]
    const fate = verdict && fateOf(context, one, verdict)
    if (!fate) continue
    fates.set(one.item.id, fate)
    log.warn(logFields(one, verdict), 'an authorization was not carried out')
  }
  return fates
}

/** Null while nothing is known. */
function fateOf(
  context: JudgingContext,
  one: UndoneRow,
  verdict: VerifiedAuthorization,
): Fate | null {
  const { row, item } = one
  const { codeHash } = verdict
  switch (verdict.type) {
    case 'unknown':
      return null
    case 'paid': {
      const { logIndex } = verdict.at
      const evidence = { item, at: verdict.at, logIndex, result: {} }
      return { type: 'done', evidence, otherwise: 'authorization_used' }
    }
    case 'impossible': {
      const { reason } = verdict
      if (!isWallet(row, codeHash) || !wasTried(one) || !isPayersFault(reason)) {
        return { type: 'failed', reason }
      }
      return { type: 'failed', reason, also: (sql) => pausePayer(context, sql, row, codeHash) }
    }
    case 'unclear': {
      const { txHash } = verdict
      // The money may have moved, or not.
      const reason = `its authorization was used in ${txHash}, and the token's logs do not show for what`
      return { type: 'review', reason }
    }
    case 'possible':
      return fateOfPossible(context, one, codeHash)
    default:
      return verdict satisfies never
  }
}

function fateOfPossible(context: JudgingContext, one: UndoneRow, codeHash: Hex | null): Fate {
  const { row, item, tx } = one
  const { itemId, paymentId } = row
  if (hasCode(one)) {
    return { type: 'other', also: (sql) => moveToWallets(sql, itemId, paymentId, codeHash) }
  }
  if (row.authorization.validAfter >= chainTime(context.head)) {
    // The chain's clock is behind ours: neither the payer nor the payment is to blame, and time alone helps.
    return { type: 'again', batchLimit: null, countTry: false, delayMs: UNTIL_VALID_S * 1000 }
  }
  const isCounted = tx.outcome === 'succeeded' || tx.itemCount === 1
  // A payer with code may have burnt the gas on purpose: it has one try.
  const isSpent = isWallet(row, codeHash) && wasTried(one)
  if (isSpent || (isCounted && item.tries + 1 >= TRIES_MAX)) {
    if (!isWallet(row, codeHash)) {
      return { type: 'review', reason: `it failed ${TRIES_MAX} times without a reason` }
    }
    // The authorization may still be carried out: by us when it is requested after the pause, or by anyone.
    const also = async (sql: Transaction) => {
      await holdItem(
        sql,
        itemId,
        'it failed on-chain without a reason: it is retried when requested again',
      )
      await pausePayer(context, sql, row, codeHash)
    }
    return { type: 'other', also }
  }
  // A batch that did not succeed would end the same way if it came back unchanged.
  const isSplit = tx.outcome !== 'succeeded' && tx.itemCount > 1
  const isLoneNext = row.isWallet && tx.outcome === 'reverted'
  const smaller = isLoneNext ? 1 : Math.max(1, Math.floor(tx.itemCount / 2))
  return { type: 'again', batchLimit: isSplit ? smaller : null, countTry: isCounted, delayMs: 0 }
}

/** The payer with code of a try that was paid for and paid nothing has nothing sent for a while. */
async function pausePayer(
  { client, log }: JudgingContext,
  sql: Transaction,
  { authorization: { from: payer } }: SettleRow,
  payerCode: Hex | null,
): Promise<void> {
  const { networkId } = client.chain
  const until = await pauseWallet(sql, { networkId, payer, payerCode })
  log.warn({ payer, payerCode, until }, 'a contract wallet pauses: its payment failed on-chain')
}

/** A payer may have got its code since it was claimed. */
function isWallet(row: SettleRow, codeHash: Hex | null): boolean {
  return row.isWallet || codeHash !== null
}

/** The hub refused it without a call, because its payer has code. */
function hasCode({ item: { result } }: Undone): boolean {
  const isRefused = typeof result === 'object' && result !== null && 'refused' in result
  return isRefused && result.refused === 'payer_has_code'
}

/** Whether gas was spent on this payment itself, by a transaction that was mined. */
function wasTried(one: Undone): boolean {
  const { outcome, itemCount } = one.tx
  return !hasCode(one) && (outcome === 'succeeded' || (outcome === 'reverted' && itemCount === 1))
}

function logFields({ row, item, tx }: UndoneRow, verdict: VerifiedAuthorization) {
  const why = verdict.type === 'impossible' ? { reason: verdict.reason } : { verdict: verdict.type }
  const { outcome } = tx
  return { item: item.id, payment: row.paymentId, ...why, outcome, error: errorIn(item) }
}
