/**
 * A time limit that counts how long the other side took, and not how long this process was busy: a
 * process that was blocked for a second finds its timers due and its answers unread, and would blame
 * whoever has answered long ago. So the limit is counted in beats of a timer. However late a beat comes
 * it is one, and between two of them the process has read what had arrived.
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
