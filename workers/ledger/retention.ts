import type { Logger } from 'pino'
import { keptSince } from '../../core/base/retention.ts'
import { SHOWN_DAYS_AFTER } from '../../core/checkout/session.ts'
import { removeOldKeys } from '../../store/access/idempotency.ts'
import { forgetBytes, RETENTION_BATCH, removeEndedWork } from '../../store/books/retention.ts'
import { removeUnpaidChannels } from '../../store/channels/retention.ts'
import { removeUnusedSessions } from '../../store/checkout/retention.ts'
import { removeOldOwnerEmails } from '../../store/events/ownerEmails.ts'
import type { LedgerContext } from '../turns/ledgerContext.ts'

/** How long after a pass that found nothing more the next one begins, in ms. */
const PASS_EVERY_MS = 10 * 60_000
/** How long after a batch the next one may begin, in ms, so that payments come first. */
const BATCH_EVERY_MS = 1_000
/** How long after a batch that failed. */
const RETRY_MS = 60_000
/** As things that may be quarantined, each kind of rows alone. */
const OLD = 'old rows'

/**
 * Removes, as the chain's leader, what has served its purpose: a batch of each kind at a time, between
 * two turns. `turn` does nothing until its time has come.
 */
export class Retention {
  private dueAt = 0
  private after = 0n

  constructor(
    private readonly context: LedgerContext,
    private readonly log: Logger,
  ) {}

  /** Never throws: rows that stay are no reason to leave payments unseen. */
  async turn(now: Date): Promise<void> {
    if (now.getTime() < this.dueAt) return
    try {
      this.dueAt = now.getTime() + (await this.batch(now))
    } catch (error) {
      this.dueAt = now.getTime() + RETRY_MS
      this.log.error({ err: error }, 'rows that are no longer kept could not be removed')
    }
  }

  /** Removes a batch of each kind. Returns how long the next one has time, in ms. */
  private async batch(now: Date): Promise<number> {
    const { database, client, config, work } = this.context
    const { networkId } = client.chain
    const { workDays, bytesDays } = config.retention
    const [bytesBefore, workBefore] = [keptSince(now, bytesDays), keptSince(now, workDays)]
    const sessionsBefore = keptSince(now, SHOWN_DAYS_AFTER)
    const kinds: Record<string, () => Promise<number>> = {
      bytes: () => forgetBytes(database, networkId, bytesBefore),
      keys: () => removeOldKeys(database, RETENTION_BATCH),
      sessions: () => removeUnusedSessions(database, sessionsBefore, RETENTION_BATCH),
      mails: () => removeOldOwnerEmails(database),
      channels: () => removeUnpaidChannels(database, networkId, workBefore, RETENTION_BATCH),
    }
    const counts: Record<string, number | null> = {}
    for (const [kind, remove] of Object.entries(kinds)) {
      counts[kind] = await work.others.alone(OLD, kind, remove)
    }
    const pass = await work.others.alone(OLD, 'work', () => {
      return removeEndedWork(database, networkId, workBefore, this.after)
    })
    counts.work = pass?.removed ?? null
    const numbers = Object.values(counts)
    if (numbers.some((count) => count !== null && count > 0)) {
      this.log.info(counts, 'rows that are no longer kept were removed')
    }
    this.after = pass?.next ?? 0n
    const isFull = numbers.includes(RETENTION_BATCH) || this.after > 0n
    if (isFull) return BATCH_EVERY_MS
    if (!numbers.includes(null)) return PASS_EVERY_MS
    this.log.error(counts, 'rows that are no longer kept could not be removed')
    return RETRY_MS
  }
}
