import type { Logger } from 'pino'
import { asInvoiceId, type InvoiceId } from '../../core/base/ids.ts'
import { min } from '../../core/base/integers.ts'
import type { Alarm } from '../../store/turns/alarms.ts'
import { Isolation, NO_PROBE, type Probe } from './isolation.ts'

/** Invoices worked on at the same time, each in a transaction of its own. */
const CONCURRENCY = 8
/** Invoices that share a transaction at most: others wait that long for the locks of all of them. */
export const TOGETHER = 32
const PAUSES = { firstMs: 5_000, longestMs: 600_000 }
/** An invoice that is due again is tried in the next turns, unless others have done what there was to do. */
const UNTRIED_MS = 60_000
/** A whole step covers many items: it is retried soon. */
const STEP_PAUSES = { firstMs: 1_000, longestMs: 30_000 }
const INVOICE = 'invoice'

/** What a chain's leader works on, each thing alone: invoices, other things, and the steps of its turns. */
export class LedgerWork {
  readonly invoices: Isolation
  readonly others: Isolation
  /** For what goes wrong with none of a step's things. */
  readonly steps: Isolation
  private readonly unread = new Map<InvoiceId, bigint>()
  /** The last invoice of the walk over failed settlements; null to start with the first. */
  failedAfter: InvoiceId | null = null

  constructor(
    private readonly log: Logger,
    probe: Probe = NO_PROBE,
  ) {
    const nameOf = (_kind: string, id: string) => id
    this.invoices = new Isolation(log, {
      ...{ probe, pauses: PAUSES, nameOf },
      ...{ isAlwaysTried: true, untriedMs: UNTRIED_MS, concurrency: CONCURRENCY },
    })
    this.others = new Isolation(log, { probe })
    this.steps = new Isolation(log, { probe, pauses: STEP_PAUSES })
  }

  /** The invoices in quarantine now; queries leave them out, so that they fill no page. */
  quarantined(now: Date): InvoiceId[] {
    return this.invoices.waiting(INVOICE, now).map(asInvoiceId)
  }

  /** What is quarantined, for the operator. */
  alarms(now: Date): Alarm[] {
    const invoices = this.invoices.alarms(now).map((alarm) => {
      return { ...alarm, subject: `${INVOICE} ${alarm.subject}` }
    })
    return [...invoices, ...this.steps.alarms(now), ...this.others.alarms(now)]
  }

  /** Reports an invoice with wrong rows to the operator. */
  report(invoiceId: InvoiceId, details: object, message: string): void {
    this.log.error({ invoiceId, ...details }, message)
  }

  /** Notes from which block on the transfers of an invoice must be read again once it works. */
  readAgain(invoiceId: InvoiceId, block: bigint): void {
    if (!this.invoices.quarantine.isKnown(invoiceId)) return
    this.unread.set(invoiceId, min(this.unread.get(invoiceId) ?? block, block))
  }

  /**
   * True when every invoice with transfers that are not read yet is stored as quarantined, so that no leader of
   * any chain reports that it has expired.
   */
  isUnreadStored(): boolean {
    const { quarantine } = this.invoices
    const failed = quarantine.all()
    return quarantine.unstored().size === 0 && [...this.unread.keys()].every((id) => failed.has(id))
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
    const read = async (invoiceId: InvoiceId) => {
      await work(invoiceId)
      this.unread.delete(invoiceId)
    }
    await this.invoices.each(INVOICE, invoiceIds, String, read)
  }

  /**
   * Runs work that many invoices share, which costs least; when that fails, on halves of them, down to the one that makes
   * it fail. What has failed before is tried alone.
   */
  async together(
    invoiceIds: readonly InvoiceId[],
    work: (invoiceIds: readonly InvoiceId[]) => Promise<void>,
  ): Promise<void> {
    for (let at = 0; at < invoiceIds.length; at += TOGETHER) {
      const some = invoiceIds.slice(at, at + TOGETHER)
      await this.invoices.together(INVOICE, some, String, async (ids) => {
        await work(ids)
        for (const id of ids) this.unread.delete(id)
      })
    }
  }

  /** The same for rows, those of one invoice together. */
  async togetherOf<R extends { readonly invoiceId: InvoiceId }>(
    rows: readonly R[],
    work: (rows: readonly R[]) => Promise<void>,
  ): Promise<void> {
    const byInvoice = Map.groupBy(rows, ({ invoiceId }) => invoiceId)
    await this.together([...byInvoice.keys()], (ids) => {
      return work(ids.flatMap((id) => byInvoice.get(id) ?? []))
    })
  }

  /** Whether an invoice has failed and not worked since. */
  isSuspect(invoiceId: InvoiceId): boolean {
    return this.invoices.quarantine.isKnown(invoiceId)
  }

  /** `each` for rows, those of one invoice together. */
  async eachOf<R extends { readonly invoiceId: InvoiceId }>(
    rows: readonly R[],
    work: (invoiceId: InvoiceId, rows: readonly R[]) => Promise<void>,
  ): Promise<void> {
    const byInvoice = Map.groupBy(rows, ({ invoiceId }) => invoiceId)
    await this.each([...byInvoice.keys()], (id) => work(id, byInvoice.get(id) ?? []))
  }
}
