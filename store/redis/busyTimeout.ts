/**
 * A timeout that tolerates a busy process. A process that was blocked for a second finds its timers due and its
 * answers unread, and would time out calls that were answered long ago. So the limit is counted in beats of a
 * timer: between two beats the process has read what was received.
 */

/** Limits one piece of work. */
export type BusyTimeout = <Value>(work: Promise<Value>) => Promise<Value>

interface Waiting {
  beats: number
  readonly giveUp: () => void
}

/** Limits work to so many beats of so many ms. What takes longer is rejected with the given error. */
export function openBusyTimeout(beats: number, beatMs: number, tooLate: () => Error): BusyTimeout {
  const waiting = new Set<Waiting>()
  let timer: Timer | null = null

  function beat(): void {
    for (const one of waiting) {
      one.beats += 1
      if (one.beats > beats) one.giveUp()
    }
  }

  function end(one: Waiting): void {
    waiting.delete(one)
    if (waiting.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }

  return <Value>(work: Promise<Value>) => {
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    const one = { beats: 0, giveUp: () => reject(tooLate()) }
    waiting.add(one)
    timer ??= setInterval(beat, beatMs)
    work.then(resolve, reject)
    return promise.finally(() => end(one))
  }
}
