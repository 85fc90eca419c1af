/** The end of the stack: by a signal, or because a part of it keeps failing. */

import type { StackError } from './child.ts'
import { watchNpm } from './npm.ts'
import type { Say } from './terminal.ts'

export type Ending = 'signal' | StackError
type Stop = () => Promise<void>

/** Thrown to abort a start. */
class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** Stops parts in the reverse order of their start. */
export class Stops {
  readonly #stops: Stop[] = []

  readonly add = (stop: Stop): void => {
    this.#stops.push(stop)
  }

  /** Stops everything that was added since, and returns the errors of parts that could not be stopped. */
  readonly run = async (): Promise<unknown[]> => {
    const faults: unknown[] = []
    for (let stop = this.#stops.pop(); stop !== undefined; stop = this.#stops.pop()) {
      // A part that can't be stopped must not keep the others running; the caller reports it.
      await stop().catch((error: unknown) => faults.push(error))
    }
    return faults
  }
}

/** Ends the stack; the first reason counts. */
export class Lifecycle {
  readonly #over = Promise.withResolvers<Ending>()
  readonly #stops = new Stops()
  #ending: Ending | undefined

  constructor(private readonly say: Say) {
    // A terminal and npx both pass Ctrl-C on, so a second signal doesn't force the end.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => this.end('signal'))
    }
    watchNpm(() => this.end('signal'))
  }

  /** Resolves when the stack must end. */
  get over(): Promise<Ending> {
    return this.#over.promise
  }

  readonly hasEnded = (): boolean => this.#ending !== undefined

  readonly end = (ending: Ending): void => {
    if (this.#ending !== undefined) return
    this.#ending = ending
    this.#over.resolve(ending)
  }

  /** Registers how to stop a part. @throws Interrupted if it was started after the end. */
  readonly onStop = (stop: Stop): void => {
    this.#stops.add(stop)
    this.check()
  }

  /** Aborts a running start when the stack must end. @throws Interrupted */
  readonly check = (): void => {
    if (this.hasEnded()) throw new Interrupted()
  }

  async stopAll(): Promise<void> {
    for (const fault of await this.#stops.run()) {
      this.say(`could not stop a part: ${fault instanceof Error ? fault.message : fault}`)
    }
  }
}
