import { AppError } from '../../../core/base/errors.ts'
import type { Exchange } from '../../http/exchange.ts'

/**
 * Bounds the cost of password hashing: each hash takes 19 MiB and tens of milliseconds of a core, and callers
 * control the number. Excess requests wait in a short queue, and are refused beyond it, so that the process
 * stays responsive. Known devices have a queue of their own, which is served first and which strangers can't
 * fill; an account has at most two entries there, regardless of its number of devices.
 */
export interface Hashing {
  /**
   * Runs `work` when its turn comes: for the account of a known device, or for a stranger (null). Throws
   * `service_unavailable` at once if the queue is full.
   */
  run<T>(
    exchange: Pick<Exchange, 'set'>,
    account: string | null,
    work: () => Promise<T>,
  ): Promise<T>
}

/** Concurrent hashes. */
const MOST_RUNNING = 2
const MOST_WAITING = 8
/** Per account in the queue of known devices. Further requests wait in the other queue. */
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

  /** Passes the slot on directly, so that no other request can take it. */
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
