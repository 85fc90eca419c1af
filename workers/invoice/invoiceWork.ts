import type { Logger } from 'pino'
import type { InvoiceId } from '../../core/base/ids.ts'
import { min } from '../../core/base/integers.ts'
import { OtherWork } from '../turns/otherWork.ts'
import { Quarantine, type Setback } from '../turns/quarantine.ts'
import { NO_PROBE, type Probe, Steps } from '../turns/steps.ts'

/** Invoices worked on at the same time, each in a transaction of its own. */
const CONCURRENCY = 8
const PAUSES = { firstMs: 5_000, longestMs: 600_000 }
/** A whole step covers many items: it is retried soon. */
const STEP_PAUSES = { firstMs: 1_000, longestMs: 30_000 }

/**
 * Work on many invoices at once, each alone: one whose rows can't be processed is quarantined for a while and
 * logged, and delays no other.
 */
export class InvoiceWork {
  readonly quarantine = new Quarantine<InvoiceId>(PAUSES)
  private readonly runner: Steps<InvoiceId>
  private readonly unread = new Map<InvoiceId, bigint>()
  /** The last invoice of the walk over failed settlements; null to start with the first. */
  failedAfter: InvoiceId | null = null

  /** What the ledger works on besides. */
  readonly others: OtherWork

  /** The steps of a turn themselves, for what goes wrong with none of their things. */
  readonly steps: OtherWork

  constructor(
    private readonly log: Logger,
    probe: Probe = NO_PROBE,
  ) {
    this.others = new OtherWork(log, probe)
    this.steps = new OtherWork(log, probe, STEP_PAUSES)
    this.runner = new Steps({
      quarantine: this.quarantine,
      probe,
      isAlwaysTried: true,
      onQuarantined: (invoiceId, err, { failures, pauseMs }) =>
        log.error({ err, invoiceId, failures, pauseMs }, 'an invoice was quarantined'),
    })
  }

  /** The invoices in quarantine now; queries leave them out, so that they fill no page. */
  quarantined(now: Date): InvoiceId[] {
    return this.quarantine.waiting(now.getTime())
  }

  /** Reports an invoice with wrong rows to the operator. */
  report(invoiceId: InvoiceId, details: object, message: string): void {
    this.log.error({ invoiceId, ...details }, message)
  }

  /** What failed and has not succeeded since, except what was long untouched. */
  setbacks(now: Date): (readonly [InvoiceId, Setback])[] {
    const earliest = now.getTime() - PAUSES.longestMs
    return [...this.quarantine.all()].filter(([, { until }]) => until > earliest)
  }

  /** Notes from which block on the transfers of an invoice must be read again once it works. */
  readAgain(invoiceId: InvoiceId, block: bigint): void {
    if (!this.quarantine.isKnown(invoiceId)) return
    this.unread.set(invoiceId, min(this.unread.get(invoiceId) ?? block, block))
  }

  /**
   * True when every invoice with transfers that are not read yet is stored as quarantined, so that no leader of
   * any chain reports that it has expired.
   */
  isUnreadStored(): boolean {
    const failed = this.quarantine.all()
    return (
      this.quarantine.unstored().size === 0 && [...this.unread.keys()].every((id) => failed.has(id))
    )
  }

  /** The lowest block with transfers of an invoice that is or was just quarantined. */
  lowestUnread(): bigint | null {
    return [...this.unread.values()].reduce<bigint | null>((a, b) => min(a ?? b, b), null)
  }

  /** Runs the work of all invoices, a few at a time. Any fault of one quarantines it. */
  async each(
    invoiceIds: readonly InvoiceId[],
    work: (invoiceId: InvoiceId) => Promise<void>,
  ): Promise<void> {
    await this.runner.each(
      invoiceIds,
      (invoiceId) => invoiceId,
      async (invoiceId) => {
        await work(invoiceId)
        this.unread.delete(invoiceId)
      },
      CONCURRENCY,
    )
  }

  /** The same for rows, those of one invoice together. */
  async eachOf<R extends { readonly invoiceId: InvoiceId }>(
    rows: readonly R[],
    work: (invoiceId: InvoiceId, rows: readonly R[]) => Promise<void>,
  ): Promise<void> {
    const byInvoice = Map.groupBy(rows, ({ invoiceId }) => invoiceId)
    await this.each([...byInvoice.keys()], (id) => work(id, byInvoice.get(id) ?? []))
  }
}
