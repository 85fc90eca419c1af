/**
 * The limits of one process: what it admitted itself. They decide while Redis is unavailable, so that nothing is
 * ever unlimited, and include what was admitted before.
 *
 * Bounded: a subject has a count for each slice of the window at most, and those that were not seen for longest
 * are forgotten. A client with enough addresses to evict its own could use the others anyway.
 */

export interface Room {
  /** How many more are admitted now. */
  readonly room: number
  /** Milliseconds until there is room for one; 0 when there is. */
  readonly waitMs: number
}

export interface FallbackLimits {
  /** What a subject still has in its window. */
  peek(subject: string, limit: number): Room
  /** Counts what was admitted. */
  count(subject: string, admitted: number): void
}

interface Slice {
  /** The number of the slice since the process began. */
  readonly number: number
  /** When the newest of them was admitted. They leave the window together with it. */
  newest: number
  count: number
}

interface Window {
  /** The oldest first. */
  readonly slices: Slice[]
  /** Of all its slices. */
  total: number
}

const SLICES = 600
const SUBJECTS_KEPT = 20_000

/** `now` in ms, of a clock that never goes back. */
export function openFallbackLimits(
  windowMs: number,
  now: () => number,
  subjectsKept: number = SUBJECTS_KEPT,
): FallbackLimits {
  const sliceMs = windowMs / SLICES
  /** By subject, in the order in which they were last counted. */
  const windows = new Map<string, Window>()

  /** What is in the window still. */
  function current(subject: string, at: number): Window {
    const window = windows.get(subject) ?? { slices: [], total: 0 }
    const { slices } = window
    const first = slices.findIndex(({ newest }) => at - newest < windowMs)
    const over = first === 0 ? [] : slices.splice(0, first < 0 ? slices.length : first)
    for (const { count } of over) window.total -= count
    return window
  }

  return {
    peek(subject, limit) {
      const at = now()
      const { slices, total } = current(subject, at)
      if (total < limit) return { room: limit - total, waitMs: 0 }
      let left = total
      const freeing = slices.find(({ count }) => {
        left -= count
        return left < limit
      })
      // Never more than the window, because the newest of a slice is not after now.
      return { room: 0, waitMs: windowMs - (at - (freeing?.newest ?? at)) }
    },
    count(subject, admitted) {
      if (admitted === 0) return
      const at = now()
      const window = current(subject, at)
      const { slices } = window
      const number = Math.floor(at / sliceMs)
      const last = slices.at(-1)
      if (last?.number === number) {
        last.count += admitted
        last.newest = at
      } else slices.push({ number, newest: at, count: admitted })
      window.total += admitted
      windows.delete(subject)
      windows.set(subject, window)
      const [stalest] = windows.keys()
      if (windows.size > subjectsKept && stalest !== undefined) windows.delete(stalest)
    },
  }
}
