import { blockHashAt } from '../../store/chain/state.ts'
import {
  ACTIONS,
  type ActionWork,
  channelsBlock,
  lateDeposits,
  readActionWork,
} from '../../store/channels/work.ts'
import type { Transaction } from '../../store/database/database.ts'
import { advance, failWithWork } from '../../store/relayer/transition.ts'
import { lockQueued, recordResults } from '../../store/relayer/workItems.ts'
import type { LedgerContext, Progress } from '../turns/ledgerContext.ts'
import { actionsShown, type ShownAction } from './shownActions.ts'

/** As things that may be quarantined. */
const DEPOSIT = 'deposit of work item'
const LATE_PER_TURN = 50

/**
 * Ends deposits that are pending past the time that their payers gave them. Anyone may have carried one out
 * before, and then it is done: only events that are booked up to that time show that none was.
 */
export async function endDeposits({ database, client, work }: LedgerContext): Promise<Progress> {
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
        const free = decided.filter(({ itemId }) => locked.some(({ id }) => id === itemId))
        for (const row of free) {
          const shown = done.get(row.itemId)
          if (shown !== undefined) await settle(sql, row, shown)
          // Nothing is signed for it any more.
          else await failWithWork(sql, ACTIONS, [{ id: row.id, reason: 'payment_expired' }])
        }
        return free.length
      })
    },
  )
  const changed = ended.reduce((all, one) => all + one, 0)
  return { changed, isFull: changed >= LATE_PER_TURN }
}

/** Another sender's transaction has made the deposit. */
async function settle(
  sql: Transaction,
  { itemId, id }: ActionWork,
  { at, moved }: ShownAction,
): Promise<void> {
  const result = { moved: moved.toString() }
  await recordResults(sql, 'settled', [{ id: itemId, logIndex: null, result }])
  await advance(sql, ACTIONS, 'mined', [{ id, details: result }], at)
  await advance(sql, ACTIONS, 'confirmed', [{ id }])
}
