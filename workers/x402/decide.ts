import { type TrialSender, trialSender } from '../../chain/x402/trial.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { isPayersFault } from '../../core/x402/wallets.ts'
import type { Transaction } from '../../store/database/database.ts'
import { endItems, requeueItems } from '../../store/relayer/workItems.ts'
import { moveToWallets } from '../../store/x402/wallets.ts'
import {
  lockUndecided,
  readSettles,
  readUndecided,
  type SettleRow,
  type Undecided,
} from '../../store/x402/work.ts'
import type { RelayerTurn, SendingTurn } from '../relayer/context.ts'
import { priced } from '../relayer/fees.ts'
import { chainTime, kindOf } from '../relayer/kind.ts'
import { itemName, quarantinedItems } from '../relayer/stages.ts'
import { transact } from '../relayer/transact.ts'
import { pauseAndHold, pausePayer } from '../relayer/wallets.ts'
import { UNTIL_VALID_S } from './choosePayments.ts'
import { failRows, settleRow } from './ends.ts'
import type { VerifiedAuthorization } from './verdicts.ts'
import { verifyAuthorizations } from './verifyAuthorizations.ts'

/**
 * What becomes of authorizations that a transaction of ours was to carry out and did not. The chain knows: it
 * was carried out by another sender, or cancelled, or can't be, or still can and is sent again. Sending again
 * is safe at any time, because the token takes an authorization once.
 */

/** How often an authorization that should work may be sent before an operator has to decide. */
const TRIES_MAX = 3

interface Undone {
  readonly row: SettleRow
  readonly item: Undecided
  /** How many items its transaction was made for. */
  readonly batchSize: number
}

/** Decides the items of mined transactions whose logs don't prove them done. */
export async function decideUndone(turn: RelayerTurn): Promise<void> {
  const { database, unfinished } = turn
  const over = unfinished.filter((tx) => {
    return tx.hasOpenItems && tx.state !== 'signed' && kindOf(turn, tx.kind).isSingleUse
  })
  const txIds = over.map(({ id }) => id)
  const undecided = await readUndecided(database, txIds, quarantinedItems(turn.work, 'decide'))
  if (undecided.length === 0) return
  const rows = await readSettles(
    database,
    undecided.map(({ itemId }) => itemId),
  )
  const undone = rows.flatMap((row): Undone[] => {
    const item = undecided.find(({ itemId }) => itemId === row.itemId)
    const tx = over.find(({ id }) => id === item?.txId)
    return item && tx ? [{ row, item, batchSize: tx.itemCount }] : []
  })
  await turn.work.together(
    'decide',
    undone,
    ({ item }) => itemName(item.itemId),
    async (some) => decideSome(await priced(turn), some),
  )
}

async function decideSome(turn: SendingTurn, undone: readonly Undone[]): Promise<void> {
  const { log } = turn
  const rows = undone.map(({ row }) => row)
  const leastBlock = (i: number) => undone[i]?.item.block ?? 0n
  const verdicts = await verifyAuthorizations(turn, rows, turn.head, leastBlock, senderOf(turn))
  await transact(turn, async (sql) => {
    const open = await lockUndecided(
      sql,
      undone.map(({ item }) => item.itemId),
    )
    for (const [i, one] of undone.entries()) {
      const verdict = verdicts[i]
      if (verdict === undefined || !open.has(one.item.itemId)) continue
      await carryOut(turn, sql, one, verdict)
      await turn.step('deciding')
      if (verdict.type === 'unknown') continue
      log.warn(logFields(one, verdict), 'an authorization was not carried out')
    }
  })
}

/**
 * Transfers are tried in the name of a key that could have sent them; without one, in that of the zero address.
 */
function senderOf({ accounts, fees }: SendingTurn): TrialSender | null {
  const [address] = accounts.keys()
  return address === undefined ? null : trialSender(address, fees)
}

async function carryOut(
  turn: RelayerTurn,
  sql: Transaction,
  one: Undone,
  verdict: VerifiedAuthorization,
): Promise<void> {
  const { row } = one
  const { codeHash } = verdict
  switch (verdict.type) {
    case 'unknown':
      return
    case 'paid':
      if (!(await settleRow(sql, row, verdict.at))) {
        await failRows(sql, [{ row, reason: 'authorization_used' }])
      }
      return
    case 'impossible':
      await failRows(sql, [{ row, reason: verdict.reason }])
      if (isWallet(row, codeHash) && wasTried(one) && isPayersFault(verdict.reason)) {
        await pausePayer(turn, sql, row, codeHash)
      }
      return
    case 'unclear':
      return review(turn, sql, one, verdict.txHash)
    case 'possible':
      if (one.item.hasCode) return moveToWallets(sql, row.itemId, row.paymentId, codeHash)
      if (row.authorization.validAfter >= chainTime(turn.head)) return sendLater(sql, one)
      if (!hasTriesLeft(one, isWallet(row, codeHash))) return giveUp(turn, sql, one, codeHash)
      return sendAgain(sql, one)
    default:
      verdict satisfies never
  }
}

/** The money may have moved, or not: an operator checks the transaction. */
function review({ log }: RelayerTurn, sql: Transaction, { item }: Undone, txHash: string) {
  log.error(
    { item: item.itemId, txHash },
    'a payment needs an operator: nothing shows what it paid',
  )
  const reason = `its authorization was used in ${txHash}, and the token's logs do not show for what`
  return endItems(sql, [item.itemId], 'review', reason)
}

/** A payer may have got its code since it was claimed. */
function isWallet(row: SettleRow, codeHash: Hex | null): boolean {
  return row.isWallet || codeHash !== null
}

/** Whether gas was spent on this payment itself, by a transaction that was mined. */
function wasTried({ item: { outcome, hasCode }, batchSize }: Undone): boolean {
  if (hasCode) return false
  return outcome === 'succeeded' || (outcome === 'reverted' && batchSize === 1)
}

/** A payer with code may have burnt the gas on purpose: it has one try. */
function hasTriesLeft(one: Undone, isPayersCode: boolean): boolean {
  if (isPayersCode && wasTried(one)) return false
  return !isCounted(one) || one.item.tries + 1 < TRIES_MAX
}

function isCounted({ item, batchSize }: Undone): boolean {
  return item.outcome === 'succeeded' || batchSize === 1
}

async function giveUp(
  turn: RelayerTurn,
  sql: Transaction,
  { row, item }: Undone,
  codeHash: Hex | null,
): Promise<void> {
  if (isWallet(row, codeHash)) return pauseAndHold(turn, sql, row, codeHash)
  turn.log.error({ item: item.itemId }, 'a payment needs an operator: it fails and should not')
  await endItems(sql, [item.itemId], 'review', `it failed ${TRIES_MAX} times without a reason`)
}

async function sendAgain(sql: Transaction, one: Undone): Promise<void> {
  const { item, batchSize, row } = one
  // A batch that did not succeed would end the same way if it came back unchanged.
  const isSplit = item.outcome !== 'succeeded' && batchSize > 1
  const isLoneNext = row.isWallet && item.outcome === 'reverted'
  const smaller = isLoneNext ? 1 : Math.max(1, Math.floor(batchSize / 2))
  await requeueItems(sql, [item.itemId], {
    batchLimit: isSplit ? smaller : null,
    countTry: isCounted(one),
    delayMs: 0,
  })
}

/** The chain's clock is behind ours: neither the payer nor the payment is to blame, and time alone helps. */
function sendLater(sql: Transaction, { item }: Undone): Promise<void> {
  const delayMs = UNTIL_VALID_S * 1000
  return requeueItems(sql, [item.itemId], { batchLimit: null, countTry: false, delayMs })
}

function logFields({ row, item }: Undone, verdict: VerifiedAuthorization) {
  const { itemId, outcome, error } = item
  const why = verdict.type === 'impossible' ? { reason: verdict.reason } : { verdict: verdict.type }
  return { item: itemId, payment: row.paymentId, ...why, outcome, error }
}
