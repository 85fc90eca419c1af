import { AppError } from '../../../core/base/errors.ts'
import type { Exchange } from '../../http/exchange.ts'

/**
 * Bounds what passwords cost a process: each of them takes 19 MiB and some tens of milliseconds of a core, and
 * the caller decides how many there are. Further ones wait in a short queue, and beyond it are refused, as long
 * as the process answers everything else. Devices that have signed in before have a queue of their own that is
 * served first: others can't keep them out by filling it, and an account has two places there, however many devices.
 */
export interface Hashing {
  /**
   * Does it when its turn comes: for an account that is known here, however it is named, or for a stranger (null). Throws
   * `service_unavailable` at once where the queue is full.
   */
  run<T>(
    exchange: Pick<Exchange, 'set'>,
    account: string | null,
    work: () => Promise<T>,
  ): Promise<T>
}

/** At the same time. */
const MOST_RUNNING = 2
const MOST_WAITING = 8
/** In the queue of known devices. Further ones of the account wait among the others. */
const MOST_OF_ACCOUNT = 2
const RETRY_AFTER_S = 1

interface Waiting {
  readonly account: string | null
  readonly begin: () => void
}

export function openHashing(): Hashing {
  const known: Waiting[] = []
  const others: Waiting[] = []
  let running = 0

  /** Hands the place over, so that no one gets in between. */
  function leave(): void {
    const next = known.shift() ?? others.shift()
    if (next === undefined) running -= 1
    else next.begin()
  }

  function queueOf(account: string | null): Waiting[] {
    if (account === null) return others
    const own = known.filter((waiting) => waiting.account === account)
    return own.length < MOST_OF_ACCOUNT ? known : others
  }

  async function enter(set: Exchange['set'], account: string | null): Promise<void> {
    if (running < MOST_RUNNING) {
      running += 1
      return
    }
    const queue = queueOf(account)
    if (queue.length >= MOST_WAITING) {
      set.headers['retry-after'] = String(RETRY_AFTER_S)
      throw new AppError('service_unavailable')
    }
    const turn = Promise.withResolvers<void>()
    queue.push({ account, begin: turn.resolve })
    await turn.promise
  }

  return {
    async run({ set }, account, work) {
      await enter(set, account)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
