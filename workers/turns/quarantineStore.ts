import type { Database } from '../../store/database/database.ts'
import { deleteQuarantined, readQuarantine, saveQuarantined } from '../../store/turns/quarantine.ts'
import type { Quarantine } from './quarantine.ts'

/** Keeps what is quarantined in the database, so that it outlives processes and is shown and released. */

/** How often what is stored is read, in ms: an operator may have released it. */
const READ_EVERY_MS = 2_000

/** Whose things these are: `part` distinguishes things of the same name. */
export interface StoredPart {
  readonly part: string
  readonly quarantine: Quarantine<string>
}

export class QuarantineStore {
  private readAt: number | null = null

  constructor(
    private readonly database: Database,
    private readonly networkId: string,
    private readonly parts: readonly StoredPart[],
  ) {}

  /** Stores what has changed, and now and then reads what others have changed. */
  async sync(): Promise<void> {
    for (const { part, quarantine } of this.parts) await this.store(part, quarantine)
    const now = performance.now()
    if (this.readAt !== null && now - this.readAt < READ_EVERY_MS) return
    const rows = await readQuarantine(this.database, this.networkId)
    for (const { part, quarantine } of this.parts) {
      const own = rows.filter((row) => row.part === part)
      const stored = own.map(({ subject, reason, fault, times, firstAt, retryAt }) => {
        const [since, until] = [firstAt.getTime(), retryAt.getTime()]
        return [subject, { reason, fault, failures: times, since, until }] as const
      })
      quarantine.adopt(new Map(stored), this.readAt === null)
    }
    this.readAt = now
  }

  private async store(part: string, quarantine: Quarantine<string>): Promise<void> {
    const changes = quarantine.unstored()
    if (changes.size === 0) return
    const { database, networkId } = this
    for (const [subject, setback] of changes) {
      if (setback === null) await deleteQuarantined(database, networkId, part, subject)
      else await saveQuarantined(database, networkId, part, subject, setback)
    }
    quarantine.hasStored(changes)
  }
}
