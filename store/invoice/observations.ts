import type { InvoiceId } from '../../core/base/ids.ts'
import { tokenOn } from '../../core/chain/registry.ts'
import type { Config } from '../../core/config/processes.ts'
import type { PaymentChange } from '../../core/invoice/events.ts'
import { classifyPayment } from '../../core/invoice/state.ts'
import type { Database } from '../database/database.ts'
import { advanceLocked } from './advance.ts'
import { lockInvoiceRow } from './locking.ts'
import { type ObservedTransfer, recordTransfer, revertFormerBlocks } from './payments.ts'

/** What was seen on-chain becomes the ledger's, whoever saw it. */

/** Records transfers to one invoice and advances it, in one transaction. */
export async function recordTransfers(
  { database, config }: { readonly database: Database; readonly config: Config },
  invoiceId: InvoiceId,
  transfers: readonly ObservedTransfer[],
  now: Date,
): Promise<void> {
  await database.begin(async (sql) => {
    const invoice = await lockInvoiceRow(sql, invoiceId)
    if (!invoice)
      throw new Error(`a watched address names invoice ${invoiceId}, which is not there`)
    const changes: PaymentChange[] = []
    for (const transfer of transfers) {
      const chain = config.chains.find((c) => c.networkId === transfer.networkId)
      const token = chain && tokenOn(chain, invoice.tokenSymbol)?.address
      const kind = classifyPayment(invoice, token, transfer)
      changes.push(...(await recordTransfer(sql, invoiceId, transfer, kind)))
    }
    changes.push(...(await revertFormerBlocks(sql, invoiceId, transfers, now)))
    await advanceLocked(sql, config, invoice, now, changes)
  })
}
