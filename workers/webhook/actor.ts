import type { NotifierConfig } from '../../core/config/processes.ts'
import { Isolation } from '../turns/isolation.ts'
import { type Actor, type ActorOptions, reportFailure, startLoop } from '../turns/loop.ts'
import { databaseProbe } from '../turns/probe.ts'
import { writeRequestedSamples } from './samples.ts'
import { createSender } from './sender.ts'
import { createNotifier } from './turn.ts'

/** The notifier as an actor: driven by its tick and by rows; being woken only makes it sooner. */
export interface NotifierActorOptions extends ActorOptions {
  readonly config: NotifierConfig
  /** How often it polls its rows without being woken, in ms. */
  readonly tickMs?: number
}

/** Events and samples wake it; what is due by time is a second late at most. */
const TICK_MS = 1_000
/** The tick while nothing is due, now or later, in ms. */
const RESTING_TICK_MS = 2_000
/** Replies that are received together are recorded together. */
const REPLIES_TOGETHER_MS = 25

export function startNotifier(given: NotifierActorOptions): Actor {
  const { config, database, workerId } = given
  const log = given.log.child({ actor: 'notifier' })
  const { environment, webhookAllowedNetworks, answersDays, secretKeys } = config
  const work = new Isolation(log, { probe: databaseProbe(database) })
  const notifier = createNotifier({
    database,
    environment,
    sender: createSender({ environment, allowed: webhookAllowedNetworks }),
    owner: workerId,
    answersDays,
    secretKeys,
    log,
    tracer: given.tracer,
    onReply: wakeSoon,
  })
  let isAboutToWake = false
  function wakeSoon(): void {
    if (isAboutToWake) return
    isAboutToWake = true
    setTimeout(() => {
      isAboutToWake = false
      mayRest = false
      loop.wake()
    }, REPLIES_TOGETHER_MS)
  }
  // True while nothing but ticks has woken it since its last turn.
  let mayRest = false
  let isResting = false
  // When it looks for events and samples again that others have stored without waking it.
  let lookAt = 0
  function wake(): void {
    mayRest = false
    lookAt = 0
    loop.wake()
  }
  const tickMs = given.tickMs ?? TICK_MS
  const loop = startLoop({
    tickMs: () => (isResting ? Math.max(tickMs, RESTING_TICK_MS) : tickMs),
    watch: { ...given, log },
    async turn(at) {
      const rests = mayRest
      mayRest = true
      at('open work')
      isResting = rests && (await notifier.rests())
      if (isResting) return
      const looks = performance.now() >= lookAt
      if (looks) lookAt = performance.now() + tickMs
      at('samples')
      if (looks) await writeRequestedSamples(database, config, work)
      at('deliveries')
      if (await notifier.turn(looks)) wake()
    },
    onTurn: (isFailed, seconds) =>
      given.onTurn?.({ loop: 'notifier', chain: '', isFailed, seconds }),
    onError(error, failures) {
      mayRest = false
      lookAt = 0
      reportFailure({ ...given, log }, error, failures)
      return Math.min(5_000, 100 * 2 ** Math.min(failures, 6))
    },
  })
  return {
    ready: loop.ready,
    wake,
    async stop() {
      await loop.stop()
      await notifier.stop()
    },
  }
}
