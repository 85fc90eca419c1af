import type { Logger } from 'pino'
import type { Tracer } from '../../metrics/process/tracing.ts'
import type { ObserveTurn } from '../../metrics/process/turns.ts'
import { type Database, isContention, isDatabaseDown } from '../../store/database/database.ts'

/** What every actor is started with. */
export interface ActorOptions {
  readonly database: Database
  readonly workerId: string
  readonly log: Logger
  /** Absent where no spans are sent. */
  readonly tracer?: Tracer | undefined
  /** Called after each turn; absent where they are not counted. */
  readonly onTurn?: ObserveTurn
  /** Called when the actor has failed too often in a row and must not continue. */
  onFatal(error: unknown): void
}

export interface Actor {
  /** Resolves after the first turns that did not fail: connections are open, and everything was read once. */
  readonly ready: Promise<void>
  /** Requests a turn soon. */
  wake(): void
  /** Ends the actor after the turn that is running. */
  stop(): Promise<void>
}

/** Failures in a row, other than transient ones, before an actor gives up. */
const FAILURES_MAX = 20

/**
 * Logs a failed turn, and gives up when it is one too many. Faults of the database are transient, and so are
 * others that the caller names.
 */
export function reportFailure(
  { log, onFatal }: ActorOptions,
  error: unknown,
  failuresInARow: number,
  isPassing = false,
): void {
  log.error({ err: error, failures: failuresInARow }, 'a turn failed')
  if (isPassing || isDatabaseDown(error) || isContention(error)) return
  if (failuresInARow >= FAILURES_MAX) onFatal(error)
}

/** A turn that lasts longer is logged, each time that so much more has passed; in ms. */
const LONG_TURN_MS = 30_000
/** And after so long the actor gives up: what it waits for has outlived all its own deadlines. */
const TURN_DEADLINE_MS = 600_000

export interface LoopOptions {
  /** Called after each turn, with how long it took in seconds. */
  onTurn?(isFailed: boolean, seconds: number): void
  /** The pause until the next turn, in ms, read after each turn. */
  tickMs(): number
  /** Reports its progress by `at`, for the log of a turn that takes too long. */
  turn(at: (place: string) => void): Promise<void>
  /** Receives turns that take too long, and gives up in the end. */
  readonly watch: Pick<ActorOptions, 'log' | 'onFatal'>
  /** Other times than the usual ones, in ms. */
  readonly longTurnMs?: number
  readonly deadlineMs?: number
  /** Decides about a turn that failed: how long to pause, in ms, before the next one. */
  onError(error: unknown, failuresInARow: number): number
}

/**
 * Starts a loop that runs one turn at a time: the first at once, the others at every tick, and sooner
 * when it is woken. However often that happens during a turn, one more turn follows it.
 */
export function startLoop(options: LoopOptions): Actor {
  const ready = Promise.withResolvers<void>()
  let stopped = false
  let isWoken = true
  let interrupt: () => void = () => {}

  async function sleep(ms: number, interruptible: boolean): Promise<void> {
    if (stopped || (interruptible && isWoken)) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      interrupt = () => {
        if (!interruptible && !stopped) return
        clearTimeout(timer)
        resolve()
      }
    })
    interrupt = () => {}
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!stopped) {
      isWoken = false
      const began = performance.now()
      const note = (isFailed: boolean) =>
        options.onTurn?.(isFailed, (performance.now() - began) / 1_000)
      const watched = watchTurn(options, began)
      try {
        await options.turn(watched.at).finally(watched.end)
        note(false)
        ready.resolve()
        failures = 0
      } catch (error) {
        note(true)
        failures += 1
        await sleep(options.onError(error, failures), false)
        continue
      }
      await sleep(options.tickMs(), true)
    }
  }

  const ended = run()
  return {
    ready: ready.promise,
    wake() {
      isWoken = true
      interrupt()
    },
    async stop() {
      stopped = true
      interrupt()
      await ended
    },
  }
}

/** Logs a turn that lasts too long, with its current step. */
function watchTurn(options: LoopOptions, began: number) {
  const { watch, longTurnMs = LONG_TURN_MS, deadlineMs = TURN_DEADLINE_MS } = options
  let place = 'its beginning'
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1_000)
    watch.log.warn({ place, seconds }, 'a turn lasts long')
    if (performance.now() - began < deadlineMs) return
    clearInterval(timer)
    watch.onFatal(new Error(`a turn has been at ${place} for too long`))
  }, longTurnMs)
  timer.unref()
  return {
    at(where: string) {
      place = where
    },
    end: () => clearInterval(timer),
  }
}
