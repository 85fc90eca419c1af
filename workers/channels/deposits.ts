import { blockHashAt } from '../../store/chain/state.ts'
import { ACTIONS, channelsBlock, lateDeposits, readActionWork } from '../../store/channels/work.ts'
import { advanceWithWork } from '../../store/relayer/transition.ts'
import { lockQueued } from '../../store/relayer/workItems.ts'
import { subjectOf } from '../relayer/kind.ts'
import { acceptEvidence } from '../relayer/transition.ts'
import type { LedgerContext, Progress } from '../turns/ledgerContext.ts'
import { channelKind, evidenceOf } from './kind.ts'
import { actionsShown } from './shownActions.ts'

/** As things that may be quarantined. */
const DEPOSIT = 'deposit of work item'
const LATE_PER_TURN = 50

/**
 * Ends deposits that are pending past the time that their payers gave them. Anyone may have carried one out
 * before, and then it is done: only events that are booked up to that time show that none was.
 */
export async function endDeposits(context: LedgerContext): Promise<Progress> {
  const { database, client, work } = context
  const { networkId } = client.chain
  const without = work.others.waiting(DEPOSIT)
  const itemIds = await lateDeposits(database, networkId, LATE_PER_TURN, without)
  const number = itemIds.length === 0 ? null : await channelsBlock(database, networkId)
  const hash = number === null ? null : await blockHashAt(database, networkId, number)
  if (number === null || hash === null) return { changed: 0, isFull: false }
  const rows = await readActionWork(database, itemIds)
  const ended = await work.others.together(
    DEPOSIT,
    rows,
    ({ itemId }) => String(itemId),
    async (some) => {
      const { done, open } = await actionsShown(database, client, some, { number, hash })
      const decided = some.filter(({ itemId }) => !open.has(itemId))
      return database.begin(async (sql) => {
        // A relayer may be examining them.
        const locked = await lockQueued(
          sql,
          decided.map(({ itemId }) => itemId),
        )
        for (const item of locked) {
          const shown = done.get(item.id)
          // Nothing is signed for it any more.
          const late = { id: subjectOf(item), reason: 'payment_expired' }
          if (shown === undefined) await advanceWithWork(sql, ACTIONS, 'failed', [late])
          else await acceptEvidence(context, sql, channelKind, evidenceOf(item, shown))
        }
        return locked.length
      })
    },
  )
  const changed = ended.reduce((all, one) => all + one, 0)
  return { changed, isFull: changed >= LATE_PER_TURN }
}
