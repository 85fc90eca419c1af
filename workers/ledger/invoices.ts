import type { Logger } from 'pino'
import type { InvoiceId } from '../../core/ids.ts'
import { min } from '../../core/integers.ts'
import { isContention } from '../../store/database.ts'
import { Aside, isOwnFault, type Setback } from '../aside.ts'
import { OtherWork } from './otherWork.ts'

/** Invoices worked on at the same time, each in a transaction of its own. */
const CONCURRENCY = 8
const PAUSES = { firstMs: 5_000, longestMs: 600_000 }

/**
 * Work on many invoices at once, each by itself: one whose rows can't be processed is put aside for a
 * while and logged, and delays no other.
 */
export class InvoiceWork {
  private readonly aside = new Aside<InvoiceId>(PAUSES)
  private readonly unread = new Map<InvoiceId, bigint>()
  /** After which invoice the walk over failed settlements goes on; null to begin with the first. */
  failedAfter: InvoiceId | null = null

  /** What the ledger works on besides. */
  readonly others: OtherWork

  constructor(private readonly log: Logger) {
    this.others = new OtherWork(log)
  }

  /** The invoices that are put aside now; queries leave them out, so that they fill no page. */
  putAside(now: Date): InvoiceId[] {
    return this.aside.waiting(now.getTime())
  }

  /** Tells the operator of an invoice whose rows are not what they should be. */
  report(invoiceId: InvoiceId, details: object, message: string): void {
    this.log.error({ invoiceId, ...details }, message)
  }

  /** What failed and has not worked since, but for what nobody has worked on for long. */
  setbacks(now: Date): (readonly [InvoiceId, Setback])[] {
    const earliest = now.getTime() - PAUSES.longestMs
    return [...this.aside.all()].filter(([, { until }]) => until > earliest)
  }

  /** Notes from which block on the transfers of an invoice must be read again once it works. */
  readAgain(invoiceId: InvoiceId, block: bigint): void {
    if (!this.aside.isKnown(invoiceId)) return
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
          this.aside.forget(invoiceId)
          this.unread.delete(invoiceId)
        } catch (error) {
          if (isOwnFault(error)) this.setAside(invoiceId, error)
          else if (!isContention(error)) throw error
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
    const { failures, pauseMs } = this.aside.put(invoiceId, error)
    this.log.error({ err: error, invoiceId, failures, pauseMs }, 'an invoice was put aside')
  }
}
