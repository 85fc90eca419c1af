import type { View } from '../../chain/rpc/view.ts'
import {
  advanceWithWork,
  type Given,
  type Ledger,
  settleByOthers,
} from '../../store/relayer/transition.ts'
import { lockItems } from '../../store/relayer/workItems.ts'
import { expiredPayments } from '../../store/x402/byOthers.ts'
import { AUTHORIZATIONS, PAYMENTS } from '../../store/x402/settles.ts'
import { readSettles, type SettleRow } from '../../store/x402/work.ts'
import { type LedgerContext, viewOf } from '../turns/ledgerContext.ts'
import type { Searches } from '../turns/searches.ts'
import { verifyAuthorizations } from './verifyAuthorizations.ts'

/** What becomes of payments whose time has run out. */

export const EXPIRED_PER_TURN = 200
/** As things that may be quarantined. */
const EXPIRED = 'expired payment of work item'

/**
 * A payment that is pending past its validBefore, by the time of a confirmed block, can't be carried
 * out any more: unless it was, it has failed. A transaction of ours that is still on its way will fail.
 */
export async function expirePayments(
  context: LedgerContext,
  searches: Searches,
  head: bigint,
  block: bigint,
): Promise<number> {
  const { database, client, work } = context
  const without = work.others.waiting(EXPIRED)
  const { networkId } = client.chain
  const itemIds = await expiredPayments(database, networkId, block, EXPIRED_PER_TURN, without)
  if (itemIds.length === 0) return 0
  const rows = await readSettles(database, itemIds)
  const view = await viewOf(context, block)
  const ended = await work.others.together(
    EXPIRED,
    rows,
    ({ itemId }) => String(itemId),
    (some) => endExpired(context, searches, some, view, head),
  )
  return ended.reduce((all, one) => all + one, 0)
}

/** Ends those of these that the chain decides about. Returns how many. */
async function endExpired(
  { database, client, work }: LedgerContext,
  searches: Searches,
  rows: readonly SettleRow[],
  view: View,
  head: bigint,
): Promise<number> {
  const chain = { client, searches, head: { number: head } }
  const verdicts = await verifyAuthorizations(chain, rows, view, () => view.number, null)
  let ended = 0
  await database.begin(async (sql) => {
    const itemIds = rows.map(({ itemId }) => itemId)
    await lockItems(sql, itemIds)
    const failures: (Given & { readonly ledger: Ledger })[] = []
    for (const [i, row] of rows.entries()) {
      const verdict = verdicts[i]
      const { paymentId: id, invoiceId } = row
      const ledger = invoiceId === null ? PAYMENTS : AUTHORIZATIONS
      if (verdict?.type === 'impossible') failures.push({ id, ledger, reason: verdict.reason })
      if (verdict?.type !== 'paid') continue
      if (await settleByOthers(sql, ledger, id, verdict.at)) ended += 1
      else failures.push({ id, ledger, reason: 'authorization_used' })
    }
    for (const [ledger, some] of Map.groupBy(failures, (one) => one.ledger)) {
      ended += (await advanceWithWork(sql, ledger, 'failed', some)).length
    }
  })
  for (const [i, { itemId }] of rows.entries()) {
    const verdict = verdicts[i]
    // Nothing shows what it has paid: an operator decides, and it is checked again ever less often.
    if (verdict?.type !== 'unclear') continue
    const error = new Error(`used in ${verdict.txHash}, and no log shows for what`)
    work.others.put(EXPIRED, String(itemId), error)
  }
  return ended
}
