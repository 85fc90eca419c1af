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
import { judge, type Verdict } from '../evidence/authorizations.ts'
import type { RelayerContext, TurnView } from './context.ts'
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

/** Decides the items of mined transactions that their logs say nothing good about. */
export async function decideUndone(context: RelayerContext, view: TurnView): Promise<void> {
  const { database, client, log } = context
  const over = view.unfinished.filter((tx) => tx.state !== 'signed' && kindOf(tx.kind).isSingleUse)
  const undecided = await readUndecided(
    database,
    over.map(({ id }) => id),
  )
  if (undecided.length === 0) return
  const rows = await readSettles(
    database,
    undecided.map(({ itemId }) => itemId),
  )
  const undone = rows.flatMap((row): Undone[] => {
    const item = undecided.find(({ itemId }) => itemId === row.itemId)
    return item ? [{ row, item }] : []
  })
  const least = (i: number) => undone[i]?.item.block ?? 0n
  const verdicts = await judge(
    client.rpc,
    undone.map(({ row }) => row),
    least,
  )
  await transact(context, async (sql) => {
    const open = await lockUndecided(
      sql,
      undone.map(({ item }) => item.itemId),
    )
    for (const [i, one] of undone.entries()) {
      const verdict = verdicts[i]
      if (verdict === undefined || !open.has(one.item.itemId)) continue
      await carryOut(context, sql, one, verdict)
      await context.step('deciding')
      if (verdict.type === 'unknown') continue
      log.warn(
        {
          item: one.item.itemId,
          payment: one.row.paymentId,
          ...told(verdict),
          outcome: one.item.outcome,
          error: one.item.error,
        },
        'an authorization was not carried out',
      )
    }
  })
}

async function carryOut(
  context: RelayerContext,
  sql: Transaction,
  { row, item }: Undone,
  verdict: Verdict,
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
      return sendAgain(context, sql, item)
    default:
      verdict satisfies never
  }
}

async function fail(sql: Transaction, row: SettleRow, reason: Reason): Promise<void> {
  const failed = await settlesFailed(sql, [{ paymentId: row.paymentId, reason }])
  await insertPaymentEvents(sql, 'x402.payment.failed', failed)
}

async function sendAgain(
  context: RelayerContext,
  sql: Transaction,
  item: Undecided,
): Promise<void> {
  const countTry = item.outcome === 'succeeded' || item.batchSize === 1
  if (countTry && item.tries + 1 >= TRIES_MAX) {
    context.log.error({ item: item.itemId }, 'a payment needs a person: it fails and should not')
    return endItems(sql, [item.itemId], 'review', `it failed ${TRIES_MAX} times without a reason`)
  }
  // A batch that did not succeed would end the same way if it came back unchanged.
  const isSplit = item.outcome !== 'succeeded' && item.batchSize > 1
  await requeueItems(sql, [item.itemId], {
    batchLimit: isSplit ? Math.max(1, Math.floor(item.batchSize / 2)) : null,
    countTry,
    delayMs: 0,
  })
}

function told(verdict: Verdict) {
  return verdict.type === 'impossible' ? { reason: verdict.reason } : { verdict: verdict.type }
}
