import { AppError } from '../../../core/errors.ts'
import type { Exchange } from '../../http/exchange.ts'

/**
 * Bounds what passwords cost a process: each of them takes 19 MiB and some tens of milliseconds of a core, and
 * the caller decides how many there are. Further ones wait in a short queue, and beyond it are refused, as long
 * as the process answers everything else. Devices that have signed in before have a queue of their own that is
 * served first: others can't keep them out by filling it.
 */
export interface Hashing {
  /** Does it when its turn comes. Throws `service_unavailable` at once where the queue is full. */
  run<T>(exchange: Pick<Exchange, 'set'>, isKnown: boolean, work: () => Promise<T>): Promise<T>
}

/** At the same time. */
const MOST_RUNNING = 2
const MOST_WAITING = 8
const RETRY_AFTER_S = 1

export function openHashing(): Hashing {
  const known: (() => void)[] = []
  const others: (() => void)[] = []
  let running = 0

  /** Hands the place over, so that no one gets in between. */
  function leave(): void {
    const next = known.shift() ?? others.shift()
    if (next === undefined) running -= 1
    else next()
  }

  async function enter(set: Exchange['set'], queue: (() => void)[]): Promise<void> {
    if (running < MOST_RUNNING) {
      running += 1
      return
    }
    if (queue.length >= MOST_WAITING) {
      set.headers['retry-after'] = String(RETRY_AFTER_S)
      throw new AppError('service_unavailable')
    }
    const turn = Promise.withResolvers<void>()
    queue.push(turn.resolve)
    await turn.promise
  }

  return {
    async run({ set }, isKnown, work) {
      await enter(set, isKnown ? known : others)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
