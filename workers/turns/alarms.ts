import type { Database } from '../../store/database/database.ts'
import { type Alarm, type AlarmKind, replaceAlarms } from '../../store/turns/alarms.ts'

/** An alarm that was not raised again for so long is over, in ms. */
const LASTS_MS = 60_000
/** How often what lasts is stored again, and how long it is heard, in ms. */
const REPEAT_MS = 15_000
const HEARD_FOR_MS = 60_000
const ALARMS_MAX = 100

/** What an operator must know of, and what only this process sees: stored for /ready. */
export class Alarms {
  private readonly raised = new Map<string, Alarm & { readonly at: number }>()
  private published = { names: '', at: 0 }

  constructor(
    private readonly database: Database,
    private readonly source: { readonly networkId: string; readonly workerId: string },
  ) {}

  /** Raises an alarm. What lasts is raised again at every turn. */
  raise(kind: AlarmKind, subject: string, detail: string): void {
    const name = `${kind} ${subject}`
    const at = Date.now()
    const since = this.raised.get(name)?.since ?? new Date(at)
    this.raised.set(name, { kind, subject, detail, since, at })
  }

  /** Stores what was raised and these others, when that has changed and now and then. */
  async publish(others: readonly Alarm[]): Promise<void> {
    const now = Date.now()
    for (const [name, { at }] of this.raised) if (now - at > LASTS_MS) this.raised.delete(name)
    const alarms = [...this.raised.values(), ...others].slice(0, ALARMS_MAX)
    const names = alarms.map(({ kind, subject }) => `${kind} ${subject}`).join('\n')
    const { published } = this
    const isPublished = published.names === names && now - published.at < REPEAT_MS
    // A worker that has never had an alarm publishes nothing.
    if (isPublished || (names === '' && published.names === '')) return
    await replaceAlarms(this.database, { ...this.source, forMs: HEARD_FOR_MS }, alarms)
    this.published = { names, at: now }
  }
}
