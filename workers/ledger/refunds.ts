import type { InvoiceId } from '../../core/ids.ts'
import { advanceLocked } from '../../store/invoice/advance.ts'
import { lockInvoiceRow } from '../../store/invoice/locking.ts'
import {
  overdueRefunds,
  type RefundOrderRow,
  refundsConfirmed,
  refundsFailed,
  refundsMined,
} from '../../store/refund/work.ts'
import { endItems } from '../../store/relayer/workItems.ts'
import { carriedOut } from '../evidence/refunds.ts'
import { confirmedBlock, type LedgerContext, type Progress } from './context.ts'

const ROWS_PER_TURN = 200

/**
 * Ends refunds whose time is over. One fails only when a confirmed block is past its deadline and the
 * hub had not spent it by then: no later block can carry it out. One that somebody else carried is
 * booked where that happened.
 */
export async function endOverdueRefunds(context: LedgerContext, now: Date): Promise<Progress> {
  const { database, client, work } = context
  const block = await confirmedBlock(context)
  const aside = work.putAside(now)
  const rows = await overdueRefunds(database, client.chain.networkId, aside, ROWS_PER_TURN)
  let changed = 0
  await work.eachOf(rows, async (_invoiceId, refunds) => {
    for (const row of refunds) if (await endOverdue(context, row, block, now)) changed += 1
  })
  return { changed, isFull: rows.length === ROWS_PER_TURN && changed > 0 }
}

async function endOverdue(
  { database, config, client }: LedgerContext,
  row: RefundOrderRow,
  block: bigint,
  now: Date,
): Promise<boolean> {
  const { refundId, invoiceId, itemId, itemState } = row
  const { registry } = config
  const at = await carriedOut(database, client, row, block)
  // The relayer that holds the item books what its own transaction did.
  if (at !== null && itemState === 'assigned') return false
  return database.begin(async (sql) => {
    const invoice = await lockInvoiceRow(sql, invoiceId)
    if (!invoice) throw new Error(`there is no invoice ${invoiceId}`)
    const invoices: InvoiceId[] = []
    if (at === null) {
      const reason = 'it was not carried out in time'
      invoices.push(...(await refundsFailed(sql, [refundId], reason, registry)))
    } else {
      invoices.push(...(await refundsMined(sql, [refundId], at)))
      invoices.push(...(await refundsConfirmed(sql, [refundId], registry)))
    }
    if (invoices.length === 0) return false
    if (at === null && itemState === 'queued') {
      await endItems(sql, [itemId], 'failed', 'its time ran out')
    }
    await advanceLocked(sql, config, invoice, now)
    return true
  })
}
