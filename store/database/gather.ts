import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseUnavailable } from './availability.ts'

/**
 * Batches single requests: those received in one turn of the event loop, and while a statement runs, share the next
 * one. A lone request does not wait, unless statements have a minimum interval. A statement costs far more than one
 * request more in it, so that another begins beside it only for many, or when it takes long. Each is answered by a
 * statement that began after it was received.
 */
export interface GatherOptions<Item, Result> {
  /** Does the work of all items; the results are in their order. */
  work(items: readonly Item[]): Promise<readonly Result[]>
  /** True for an error that one item of a batch may have caused: each is then tried alone. */
  isItemError(error: unknown): boolean
  /** A request that has waited longer than this, in ms, is rejected and not carried out. */
  readonly timeoutMs?: number
  /** What it is rejected with; by default, that the database is unavailable. */
  readonly tooLate?: () => Error
  /** The most items that go together. */
  readonly atMost?: number
  /** Statements under way at the same time: fewer carry more items each, and cost less in all. */
  readonly lanes?: number
  /** How many must wait before another statement begins beside the first; by default, half of `atMost`. */
  readonly besideFrom?: number
  /** How long one waits at most before another statement begins beside the first, in ms; 20 by default. */
  readonly besideAfterMs?: number
  /** How long requests are gathered after a statement, in ms, unless `besideFrom` of them wait; 0 by default. */
  readonly apartMs?: number
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly since: number
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

const LANES = 2
const ITEMS_PER_STATEMENT = 64
/** Longer than a commit to a usual disk takes: what waits longer is held up by a lock, or a slow server. */
const BESIDE_AFTER_MS = 20
/** By then a caller who is answered within seconds has been answered already. */
const TIMEOUT_MS = 4_000

export function gather<Item, Result>(
  options: GatherOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { atMost = ITEMS_PER_STATEMENT, lanes = LANES, apartMs = 0 } = options
  const { besideFrom = Math.ceil(atMost / 2), besideAfterMs = BESIDE_AFTER_MS } = options
  const waiting: Waiting<Item, Result>[] = []
  let underWay = 0
  let isPatient = false
  let isWatched = false
  /** Each ends the rest of one lane. */
  const resting = new Set<() => void>()

  const rest = () =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        resting.delete(end)
        resolve()
      }
      const timer = setTimeout(end, apartMs)
      resting.add(end)
    })

  async function workOff(): Promise<void> {
    underWay += 1
    await nextTurn()
    while (waiting.length > 0) {
      await answer(options, waiting.splice(0, atMost))
      if (apartMs > 0 && waiting.length < besideFrom) await rest()
    }
    underWay -= 1
  }

  /** Begins another statement beside the first, if a request has waited for so long by then. */
  function waitForLane(): void {
    if (isPatient || underWay >= lanes || !Number.isFinite(besideAfterMs)) return
    isPatient = true
    setTimeout(() => {
      isPatient = false
      const [oldest] = waiting
      if (oldest === undefined || underWay >= lanes) return
      if (performance.now() - oldest.since >= besideAfterMs) void workOff()
      else waitForLane()
    }, besideAfterMs)
  }

  /** Refuses what has waited too long, also while no statement ends. */
  function watchTime(): void {
    const [oldest] = waiting
    const { timeoutMs = TIMEOUT_MS, tooLate = databaseIsSlow } = options
    if (isWatched || oldest === undefined || !Number.isFinite(timeoutMs)) return
    isWatched = true
    const end = () => {
      isWatched = false
      while (isLate(waiting[0], timeoutMs)) waiting.shift()?.reject(tooLate())
      watchTime()
    }
    setTimeout(end, oldest.since + timeoutMs - performance.now() + 1).unref()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, since: performance.now(), resolve, reject })
      const isFree = underWay === 0 || (underWay < lanes && waiting.length >= besideFrom)
      if (isFree) return void workOff()
      watchTime()
      if (waiting.length >= besideFrom) for (const end of resting) return end()
      waitForLane()
    })
}

async function answer<Item, Result>(
  options: GatherOptions<Item, Result>,
  all: readonly Waiting<Item, Result>[],
): Promise<void> {
  const { timeoutMs = TIMEOUT_MS, tooLate = databaseIsSlow } = options
  const together = all.filter((one) => !isLate(one, timeoutMs))
  for (const one of all) if (isLate(one, timeoutMs)) one.reject(tooLate())
  if (together.length === 0) return
  try {
    const results = await options.work(together.map(({ item }) => item))
    for (const [i, { resolve, reject }] of together.entries()) {
      const result = results[i]
      if (result === undefined) reject(new Error('a gathered request got no result'))
      else resolve(result)
    }
  } catch (error) {
    if (together.length > 1 && options.isItemError(error)) {
      await Promise.all(together.map((one) => answer(options, [one])))
    } else for (const { reject } of together) reject(error)
  }
}

function isLate(one: { readonly since: number } | undefined, timeoutMs: number): boolean {
  return one !== undefined && performance.now() - one.since > timeoutMs
}

function databaseIsSlow(): Error {
  return new DatabaseUnavailable('the request waited too long')
}
