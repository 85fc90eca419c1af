/** A loop that runs one turn at a time: at every tick, and sooner when something rings. */

export interface Loop {
  /** Asks for a turn soon. Rings during a turn are answered by one more turn after it. */
  wake(): void
  /** Ends the loop after the turn that is running. */
  stop(): Promise<void>
}

export interface LoopOptions {
  /** The pause until the next turn, in ms, asked for anew after each turn. */
  tickMs(): number
  turn(): Promise<void>
  /** Decides about a turn that failed: how long to pause, in ms, before the next one. */
  onError(error: unknown, failuresInARow: number): number
}

/** Starts a loop; the first turn begins at once. */
export function startLoop(options: LoopOptions): Loop {
  let stopped = false
  let rung = true
  let ring: () => void = () => {}

  async function sleep(ms: number, interruptible: boolean): Promise<void> {
    if (stopped || (interruptible && rung)) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      ring = () => {
        if (!interruptible && !stopped) return
        clearTimeout(timer)
        resolve()
      }
    })
    ring = () => {}
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!stopped) {
      rung = false
      try {
        await options.turn()
        failures = 0
      } catch (error) {
        failures += 1
        await sleep(options.onError(error, failures), false)
        continue
      }
      await sleep(options.tickMs(), true)
    }
  }

  const ended = run()
  return {
    wake() {
      rung = true
      ring()
    },
    async stop() {
      stopped = true
      ring()
      await ended
    },
  }
}
