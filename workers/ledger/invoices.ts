import type { Logger } from 'pino'
import { isRpcFault } from '../../chain/faults.ts'
import type { InvoiceId } from '../../core/ids.ts'
import { min } from '../../core/integers.ts'
import { isContention, isDatabaseDown } from '../../store/database.ts'

/** Invoices worked on at the same time, each in a transaction of its own. */
const CONCURRENCY = 8
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 600_000

/**
 * Work on many invoices at once, each by itself: one whose rows can't be processed is put aside for a
 * while and logged, and delays no other.
 */
export class InvoiceWork {
  private readonly aside = new Map<InvoiceId, { until: number; failures: number }>()
  private readonly unread = new Map<InvoiceId, bigint>()

  constructor(private readonly log: Logger) {}

  /** The invoices that are put aside now; queries leave them out, so that they fill no page. */
  putAside(now: Date): InvoiceId[] {
    const waiting = [...this.aside].filter(([, { until }]) => until > now.getTime())
    return waiting.map(([invoiceId]) => invoiceId)
  }

  /** Notes from which block on the transfers of an invoice must be read again once it works. */
  readAgain(invoiceId: InvoiceId, block: bigint): void {
    if (!this.aside.has(invoiceId)) return
    this.unread.set(invoiceId, min(this.unread.get(invoiceId) ?? block, block))
  }

  /** The lowest block that has transfers of an invoice that is or was just put aside. */
  lowestUnread(): bigint | null {
    return [...this.unread.values()].reduce<bigint | null>((a, b) => min(a ?? b, b), null)
  }

  /**
   * Runs the work of all invoices, a few at a time. Faults of the node or the database concern
   * everyone and are thrown; contention is left to the next turn; any other fault puts its invoice
   * aside.
   */
  async each(
    invoiceIds: readonly InvoiceId[],
    work: (invoiceId: InvoiceId) => Promise<void>,
  ): Promise<void> {
    const queue = invoiceIds.values()
    const worker = async () => {
      for (const invoiceId of queue) {
        try {
          await work(invoiceId)
          this.aside.delete(invoiceId)
          this.unread.delete(invoiceId)
        } catch (error) {
          if (isRpcFault(error) || isDatabaseDown(error)) throw error
          if (!isContention(error)) this.setAside(invoiceId, error)
        }
      }
    }
    const workers = Array.from({ length: Math.min(CONCURRENCY, invoiceIds.length) }, worker)
    const failed = (await Promise.allSettled(workers)).find((end) => end.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** The same for rows, those of one invoice together. */
  async eachOf<R extends { readonly invoiceId: InvoiceId }>(
    rows: readonly R[],
    work: (invoiceId: InvoiceId, rows: readonly R[]) => Promise<void>,
  ): Promise<void> {
    const byInvoice = Map.groupBy(rows, ({ invoiceId }) => invoiceId)
    await this.each([...byInvoice.keys()], (id) => work(id, byInvoice.get(id) ?? []))
  }

  private setAside(invoiceId: InvoiceId, error: unknown): void {
    const failures = (this.aside.get(invoiceId)?.failures ?? 0) + 1
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
    this.aside.set(invoiceId, { until: Date.now() + pauseMs, failures })
    this.log.error({ err: error, invoiceId, failures, pauseMs }, 'an invoice was put aside')
  }
}
