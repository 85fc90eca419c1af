/**
 * Keeps a child running: it is restarted with a growing pause, and if it keeps
 * exiting, the whole stack is ended.
 */
import { describeExit, type Exit, lastLines, type Running, StackError } from './child.ts'
import type { Say } from './terminal.ts'

/** A shorter run counts as a failed start. */
const SHORT_RUN_MS = 10_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
/** Consecutive failed starts after which the child is given up. */
const GIVE_UP_AFTER = 5

export type ChildPlan<Child extends Running> = {
  name: string
  start: () => Promise<Child>
  /** The log, whose end explains the failures. */
  log: string
  say: Say
  /** Called once, when the child is given up. */
  onGiveUp: (reason: StackError) => void
}

export type Supervised<Child> = { current(): Child; stop(): Promise<void> }

/** Starts the child and returns once it is running. @throws the error of the first `start`. */
export async function supervise<Child extends Running>(
  plan: ChildPlan<Child>,
): Promise<Supervised<Child>> {
  const stopping = Promise.withResolvers<void>()
  let isStopping = false
  let current = await plan.start()
  let startedAt = performance.now()
  let shortRuns = 0
  let ownFaults = 0

  /** The pause before the next start; null if there is none. */
  const pauseAfter = (exit: Exit | string): number | null => {
    const isFailedStart = typeof exit === 'string'
    const isShort = isFailedStart || performance.now() - startedAt < SHORT_RUN_MS
    shortRuns = isShort ? shortRuns + 1 : 0
    // A signal is sent from outside (a user, the system, a crash test): the child isn't at fault.
    if (!isShort) ownFaults = 0
    else if (isFailedStart || exit.signal === null) ownFaults += 1
    const how = isFailedStart ? exit : `ended (${describeExit(exit)})`
    if (ownFaults >= GIVE_UP_AFTER) {
      const end = `Its log ${plan.log} ends with:\n${lastLines(plan.log)}`
      plan.onGiveUp(new StackError(`${plan.name} keeps ending: it ${how}. ${end}`))
      return null
    }
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, shortRuns - 1))
    plan.say(`${how}; starting it again in ${pause / 1000} s`)
    return pause
  }

  const watch = async () => {
    let ended: Exit | string = await current.exited
    while (!isStopping) {
      const pause = pauseAfter(ended)
      if (pause === null) return
      await Promise.race([Bun.sleep(pause), stopping.promise])
      if (isStopping) return
      startedAt = performance.now()
      try {
        current = await plan.start()
      } catch (error) {
        ended = `could not be started: ${error instanceof Error ? error.message : String(error)}`
        continue
      }
      if (isStopping) return
      ended = await current.exited
    }
  }
  const watching = watch()

  return {
    current: () => current,
    stop: async () => {
      isStopping = true
      stopping.resolve()
      await current.stop()
      await watching
      // A start that was running during the stop has a process that must end too.
      await current.stop()
    },
  }
}
