import type { Logger } from 'pino'
import type { NotifierConfig } from '../../core/config/processes.ts'
import { type Database, isContention, isDatabaseDown } from '../../store/database.ts'
import { createSender } from '../notifier/sender.ts'
import { createNotifier } from '../notifier/turn.ts'
import { startLoop } from './loop.ts'

/** The notifier as an actor: driven by its tick and by rows; bells only make it sooner. */

export interface NotifierActor {
  wake(): void
  stop(): Promise<void>
}

export interface NotifierActorOptions {
  readonly config: NotifierConfig
  readonly database: Database
  readonly workerId: string
  readonly log: Logger
  /** Called when the actor has failed too often in a row and must not go on. */
  onFatal(error: unknown): void
}

const TICK_MS = 250
/** Replies that arrive together are recorded together. */
const REPLIES_TOGETHER_MS = 25
/** Failures in a row, other than of the database, before the actor gives up. */
const FAILURES_MAX = 20

export function startNotifier(options: NotifierActorOptions): NotifierActor {
  const { config, database, workerId, onFatal } = options
  const log = options.log.child({ actor: 'notifier' })
  const { environment, webhookAllowedNetworks } = config
  const notifier = createNotifier({
    database,
    environment,
    sender: createSender({ environment, allowed: webhookAllowedNetworks }),
    owner: workerId,
    log,
    onReply: wakeSoon,
  })
  let isAboutToWake = false
  function wakeSoon(): void {
    if (isAboutToWake) return
    isAboutToWake = true
    setTimeout(() => {
      isAboutToWake = false
      loop.wake()
    }, REPLIES_TOGETHER_MS)
  }
  const loop = startLoop({
    tickMs: () => TICK_MS,
    async turn() {
      if (await notifier.turn()) loop.wake()
    },
    onError(error, failures) {
      log.error({ err: error, failures }, 'a turn failed')
      const passes = isDatabaseDown(error) || isContention(error)
      if (failures >= FAILURES_MAX && !passes) onFatal(error)
      return Math.min(5_000, 100 * 2 ** Math.min(failures, 6))
    },
  })
  return {
    wake: () => loop.wake(),
    async stop() {
      await loop.stop()
      await notifier.stop()
    },
  }
}
