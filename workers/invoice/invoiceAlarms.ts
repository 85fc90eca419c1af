import type { Database } from '../../store/database/database.ts'
import { replaceAlarms } from '../../store/relayer/alarms.ts'
import type { InvoiceWork } from './invoiceWork.ts'

/** Reports to the operator which invoices, and what else, the ledger has quarantined. */

/** How often what lasts is stored again, and how long it is heard, in ms. */
const REPEAT_MS = 15_000
const HEARD_FOR_MS = 60_000
const ALARMS_MAX = 100

export class InvoiceAlarms {
  private published = 0
  private at = 0

  constructor(
    private readonly database: Database,
    private readonly source: { readonly networkId: string; readonly workerId: string },
    private readonly work: InvoiceWork,
  ) {}

  /** Stores what is quarantined now, when the count changes and periodically. */
  async publish(now: Date): Promise<void> {
    const invoices = this.work.setbacks(now).map(([id, one]) => [`invoice ${id}`, one] as const)
    const { others, steps } = this.work
    const setbacks = [...invoices, ...steps.setbacks(now), ...others.setbacks(now)]
    const isPublished = setbacks.length === this.published && now.getTime() - this.at < REPEAT_MS
    if (isPublished || (setbacks.length === 0 && this.published === 0)) return
    const { networkId, workerId } = this.source
    const alarms = setbacks.slice(0, ALARMS_MAX).map(([subject, { reason, since }]) => {
      return { kind: 'aside' as const, subject, detail: reason, since: new Date(since) }
    })
    // Apart from the relayer's of the same process, which knows nothing of these.
    const source = { networkId, workerId: `${workerId} ledger`, forMs: HEARD_FOR_MS }
    await replaceAlarms(this.database, source, alarms)
    this.published = setbacks.length
    this.at = now.getTime()
  }
}
