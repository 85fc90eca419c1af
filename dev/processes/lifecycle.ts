/** When the stack ends and how: by a signal, or because a part of it was given up. */

import type { StackError } from './child.ts'
import { watchNpm } from './npm.ts'
import type { Say } from './terminal.ts'

export type Ending = 'signal' | StackError
type Stop = () => Promise<void>

/** Thrown through a start that is no longer wanted. */
class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** How to stop what was started, in the reverse order of its start. */
export class Stops {
  readonly #stops: Stop[] = []

  readonly add = (stop: Stop): void => {
    this.#stops.push(stop)
  }

  /** Stops everything that was added since, and returns the faults of what could not be stopped. */
  readonly run = async (): Promise<unknown[]> => {
    const faults: unknown[] = []
    for (let stop = this.#stops.pop(); stop !== undefined; stop = this.#stops.pop()) {
      // One part that can't be stopped must not keep the others running; the caller reports it.
      await stop().catch((error: unknown) => faults.push(error))
    }
    return faults
  }
}

/** Knows when the stack is to end; the first reason counts. */
export class Lifecycle {
  readonly #over = Promise.withResolvers<Ending>()
  readonly #stops = new Stops()
  #ending: Ending | undefined

  constructor(private readonly say: Say) {
    // A terminal and npx both pass Ctrl-C on, so a second signal is no sign of impatience.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => this.end('signal'))
    }
    watchNpm(() => this.end('signal'))
  }

  /** Resolves when the stack is to end. */
  get over(): Promise<Ending> {
    return this.#over.promise
  }

  readonly hasEnded = (): boolean => this.#ending !== undefined

  readonly end = (ending: Ending): void => {
    if (this.#ending !== undefined) return
    this.#ending = ending
    this.#over.resolve(ending)
  }

  /** Remembers how to stop a part. @throws Interrupted when it was started after the end. */
  readonly onStop = (stop: Stop): void => {
    this.#stops.add(stop)
    this.check()
  }

  /** Ends a start that is under way when the stack is to end. @throws Interrupted */
  readonly check = (): void => {
    if (this.hasEnded()) throw new Interrupted()
  }

  async stopAll(): Promise<void> {
    for (const fault of await this.#stops.run()) {
      this.say(`could not stop a part: ${fault instanceof Error ? fault.message : fault}`)
    }
  }
}
