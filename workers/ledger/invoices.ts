import type { Logger } from 'pino'
import { isRpcFault } from '../../chain/faults.ts'
import type { InvoiceId } from '../../core/ids.ts'
import { isContention, isDatabaseDown } from '../../store/database.ts'

/**
 * Work on many invoices at once, each by itself: one whose rows can't be processed is put aside for a
 * while and reported, and holds up no other.
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
    const before = this.unread.get(invoiceId) ?? block
    this.unread.set(invoiceId, before < block ? before : block)
  }

  /** The lowest block that has transfers of an invoice that is or was just put aside. */
  lowestUnread(): bigint | null {
    let lowest: bigint | null = null
    for (const block of this.unread.values()) if (lowest === null || block < lowest) lowest = block
    return lowest
  }

  /**
   * Runs the work of all entries, a few at a time. Faults of the node or the database concern
   * everyone and are thrown; contention is left to the next turn; any other fault puts its invoice aside.
   */
  async each<T>(
    entries: readonly T[],
    invoiceOf: (entry: T) => InvoiceId,
    work: (entry: T) => Promise<void>,
  ): Promise<void> {
    const queue = entries.values()
    const lane = async () => {
      for (const entry of queue) {
        const invoiceId = invoiceOf(entry)
        try {
          await work(entry)
          this.aside.delete(invoiceId)
          this.unread.delete(invoiceId)
        } catch (error) {
          if (isRpcFault(error) || isDatabaseDown(error)) throw error
          if (!isContention(error)) this.setAside(invoiceId, error)
        }
      }
    }
    const lanes = Array.from({ length: Math.min(CONCURRENCY, entries.length) }, lane)
    const failed = (await Promise.allSettled(lanes)).find((end) => end.status === 'rejected')
    if (failed) throw failed.reason
  }

  private setAside(invoiceId: InvoiceId, error: unknown): void {
    const failures = (this.aside.get(invoiceId)?.failures ?? 0) + 1
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
    this.aside.set(invoiceId, { until: Date.now() + pauseMs, failures })
    this.log.error({ err: error, invoiceId, failures, pauseMs }, 'an invoice was put aside')
  }
}

/** Invoices worked on at the same time, each in a transaction of its own. */
const CONCURRENCY = 8
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 600_000
