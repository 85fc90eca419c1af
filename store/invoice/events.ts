import type { Config } from '../../core/config/processes.ts'
import type { InvoiceEventType } from '../../core/events/eventTypes.ts'
import { type InvoiceRows, presentInvoice } from '../../core/invoice/present.ts'
import type { NewEvent } from '../events/outbox.ts'

/** What merchants are told of an invoice. */

/** The newest rows of each sort that an event shows; the API lists all of them. */
const EVENT_ROWS_MAX = 100

/** Events about one invoice, each with a version of its own: the last has the one that the invoice has now. */
export function eventsOf(
  config: Config,
  rows: InvoiceRows,
  types: readonly InvoiceEventType[],
  now: Date,
): NewEvent[] {
  if (types.length === 0) return []
  const invoice = presentInvoice(rows, config.registry, now)
  // Thousands of dust payments or failed sweeps must not make every event a megabyte.
  const data = {
    ...invoice,
    transactionCount: invoice.transactions.length,
    transactions: invoice.transactions.slice(-EVENT_ROWS_MAX),
    settlements: invoice.settlements.slice(-EVENT_ROWS_MAX),
    refunds: invoice.refunds.slice(-EVENT_ROWS_MAX),
    otherDeposits: invoice.otherDeposits.slice(-EVENT_ROWS_MAX),
  }
  const { id: objectId, merchantId } = rows.invoice
  const before = rows.invoice.version - types.length
  return types.map((type, index) => {
    const version = before + index + 1
    return {
      ...{ merchantId, type, objectId, version },
      data: { ...data, environment: config.environment, version },
    }
  })
}
