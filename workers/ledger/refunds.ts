import { newestConfirmed } from '../../core/chain/depth.ts'
import { readChainState } from '../../store/chain/state.ts'
import { advanceInvoice } from '../../store/invoice/advance.ts'
import { lockInvoice } from '../../store/invoice/ledger.ts'
import {
  overdueRefunds,
  type RefundOrderRow,
  refundsConfirmed,
  refundsFailed,
  refundsMined,
} from '../../store/refund/work.ts'
import { endItems } from '../../store/relayer/workItems.ts'
import { carriedOut } from '../evidence/refunds.ts'
import type { Progress, Projection } from './projector.ts'

const ROWS_PER_TURN = 200

/**
 * Ends refunds whose time is over. One fails only when a confirmed block is past its deadline and the
 * hub had not spent it by then: no later block can carry it out. One that somebody else carried is
 * booked where that happened.
 */
export async function endOverdueRefunds(context: Projection, now: Date): Promise<Progress> {
  const { database, client, work } = context
  const { networkId, confirmations } = client.chain
  const state = await readChainState(database, networkId)
  if (!state) return { changed: 0, isFull: false }
  const block = newestConfirmed(state.head, confirmations)
  const aside = work.putAside(now)
  const rows = await overdueRefunds(database, networkId, aside, ROWS_PER_TURN)
  let changed = 0
  const byInvoice = [...Map.groupBy(rows, (row) => row.invoiceId)]
  await work.each(
    byInvoice,
    ([invoiceId]) => invoiceId,
    async ([, refunds]) => {
      for (const row of refunds) if (await endOverdue(context, row, block, now)) changed += 1
    },
  )
  return { changed, isFull: rows.length === ROWS_PER_TURN && changed > 0 }
}

async function endOverdue(
  { database, config, client }: Projection,
  row: RefundOrderRow,
  block: bigint,
  now: Date,
): Promise<boolean> {
  const at = await carriedOut(database, client, row, block)
  // The relayer that holds the item books what its own transaction did.
  if (at !== null && row.itemState === 'assigned') return false
  return database.begin(async (sql) => {
    await lockInvoice(sql, row.invoiceId)
    const invoices =
      at === null
        ? await refundsFailed(
            sql,
            [row.refundId],
            'it was not carried out in time',
            config.registry,
          )
        : await refundsMined(sql, [row.refundId], at)
    if (at !== null)
      invoices.push(...(await refundsConfirmed(sql, [row.refundId], config.registry)))
    if (invoices.length === 0) return false
    if (at === null && row.itemState === 'queued') {
      await endItems(sql, [row.itemId], 'failed', 'its time ran out')
    }
    await advanceInvoice(sql, config, row.invoiceId, now)
    return true
  })
}
