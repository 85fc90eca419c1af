import type { Reason } from '../../core/x402/reasons.ts'
import type { Transaction } from '../../store/database.ts'
import { endItems, requeueItems } from '../../store/relayer/workItems.ts'
import { insertPaymentEvents } from '../../store/x402/events.ts'
import { settleByEvidence, settlesFailed } from '../../store/x402/settles.ts'
import {
  lockUndecided,
  readSettles,
  readUndecided,
  type SettleRow,
  type Undecided,
} from '../../store/x402/work.ts'
import { type AuthorizationVerdict, judgeAuthorizations } from '../evidence/authorizations.ts'
import type { RelayerTurn } from './context.ts'
import { kindOf } from './kinds/table.ts'
import { transact } from './transact.ts'

/**
 * What becomes of authorizations that a transaction of ours was to carry out and did not. The chain
 * knows: it was carried out by somebody else, or cancelled, or can't be, or still can and is sent again.
 * Sending again is safe at any time, because the token takes an authorization once.
 */

/** How often an authorization that should work may be sent before a person has to look. */
const TRIES_MAX = 3

interface Undone {
  readonly row: SettleRow
  readonly item: Undecided
}

/** Decides the items of mined transactions whose logs don't prove them done. */
export async function decideUndone(turn: RelayerTurn): Promise<void> {
  const { database, client, log, unfinished } = turn
  const over = unfinished.filter((tx) => tx.state !== 'signed' && kindOf(tx.kind).isSingleUse)
  const txIds = over.map(({ id }) => id)
  const undecided = await readUndecided(database, txIds)
  if (undecided.length === 0) return
  const undecidedIds = undecided.map(({ itemId }) => itemId)
  const rows = await readSettles(database, undecidedIds)
  const undone = rows.flatMap((row): Undone[] => {
    const item = undecided.find(({ itemId }) => itemId === row.itemId)
    return item ? [{ row, item }] : []
  })
  const leastBlock = (i: number) => undone[i]?.item.block ?? 0n
  const verdicts = await judgeAuthorizations(client.rpc, rows, leastBlock)
  await transact(turn, async (sql) => {
    const open = await lockUndecided(sql, undecidedIds)
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

async function carryOut(
  turn: RelayerTurn,
  sql: Transaction,
  { row, item }: Undone,
  verdict: AuthorizationVerdict,
): Promise<void> {
  switch (verdict.type) {
    case 'unknown':
      return
    case 'paid':
      if (!(await settleByEvidence(sql, row.paymentId, verdict.at))) {
        await fail(sql, row, 'authorization_used')
      }
      return
    case 'impossible':
      return fail(sql, row, verdict.reason)
    case 'possible':
      return sendAgain(turn, sql, item)
    default:
      verdict satisfies never
  }
}

async function fail(sql: Transaction, row: SettleRow, reason: Reason): Promise<void> {
  const failed = await settlesFailed(sql, [{ paymentId: row.paymentId, reason }])
  await insertPaymentEvents(sql, 'x402.payment.failed', failed)
}

async function sendAgain({ log }: RelayerTurn, sql: Transaction, item: Undecided): Promise<void> {
  const { itemId, outcome, batchSize, tries } = item
  const countTry = outcome === 'succeeded' || batchSize === 1
  if (countTry && tries + 1 >= TRIES_MAX) {
    log.error({ item: itemId }, 'a payment needs a person: it fails and should not')
    return endItems(sql, [itemId], 'review', `it failed ${TRIES_MAX} times without a reason`)
  }
  // A batch that did not succeed would end the same way if it came back unchanged.
  const isSplit = outcome !== 'succeeded' && batchSize > 1
  const batchLimit = isSplit ? Math.max(1, Math.floor(batchSize / 2)) : null
  await requeueItems(sql, [itemId], { batchLimit, countTry, delayMs: 0 })
}

function logFields({ row, item }: Undone, verdict: AuthorizationVerdict) {
  const { itemId, outcome, error } = item
  const why = verdict.type === 'impossible' ? { reason: verdict.reason } : { verdict: verdict.type }
  return { item: itemId, payment: row.paymentId, ...why, outcome, error }
}
