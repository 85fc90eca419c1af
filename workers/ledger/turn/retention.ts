import type { Logger } from 'pino'
import { SHOWN_DAYS_AFTER } from '../../../core/checkout/session.ts'
import { keptSince } from '../../../core/retention/retention.ts'
import { forgetBytes, RETENTION_BATCH, removeEndedWork } from '../../../store/books/retention.ts'
import { removeUnusedSessions } from '../../../store/checkout/retention.ts'
import { removeOldKeys } from '../../../store/merchant/idempotency.ts'
import { removeUnpaidChannels } from '../../../store/x402/channels/retention.ts'
import type { LedgerContext } from '../context.ts'

/** How long after a pass that found nothing more the next one begins, in ms. */
const PASS_EVERY_MS = 10 * 60_000
/** How long after a batch the next one may begin, in ms, so that payments come first. */
const BATCH_EVERY_MS = 1_000
/** How long after a batch that failed. */
const RETRY_MS = 60_000

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
    const { database, client, config } = this.context
    const { networkId } = client.chain
    const { workDays, bytesDays } = config.retention
    const forgotten = await forgetBytes(database, networkId, keptSince(now, bytesDays))
    const keys = await removeOldKeys(database, RETENTION_BATCH)
    const past = keptSince(now, SHOWN_DAYS_AFTER)
    const sessions = await removeUnusedSessions(database, past, RETENTION_BATCH)
    const before = keptSince(now, workDays)
    const channels = await removeUnpaidChannels(database, networkId, before, RETENTION_BATCH)
    const { removed, next } = await removeEndedWork(database, networkId, before, this.after)
    if (forgotten + removed + keys + sessions + channels > 0) {
      this.log.info(
        { forgotten, removed, keys, sessions, channels },
        'rows that are no longer kept were removed',
      )
    }
    this.after = next ?? 0n
    const isFull = [forgotten, keys, sessions, channels].includes(RETENTION_BATCH)
    return isFull || next !== null ? BATCH_EVERY_MS : PASS_EVERY_MS
  }
}
