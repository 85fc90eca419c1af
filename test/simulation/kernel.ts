import { AsyncLocalStorage } from 'node:async_hooks'
import type { Random } from './random.ts'
import type { Trace } from './trace.ts'

/**
 * The scheduler of a run. Code of a simulated process runs in its own context; all that it waits for (a timer, a
 * statement, a call to a node) is an event in a queue by virtual time. One event happens at a time, and the next one
 * only after all code that it woke has come to wait again.
 */

/** Virtual time begins here, in ms since 1970. */
export const BEGINNING = Date.UTC(2027, 0, 15)

/** A process of the product, or an actor of the world, with its own memory. */
export interface Process {
  readonly name: string
  readonly random: Random
  /** What it has open, to be closed when it dies. */
  readonly open: Set<Closable>
  isDead: boolean
  /** Whether faults may befall it: it is a process of the product. */
  readonly isMortal: boolean
  /** By how much its clock differs, in ms. */
  skewMs: number
  /** Nothing reaches it before this moment. */
  pausedUntil: number
  /** When it died or began to stand still. */
  stoppedAt: number | null
}

export interface Closable {
  /** Ends it as the kernel of an operating system does when its process is killed. */
  kill(): Promise<void>
  /** Ends it at the other side; its process finds out when it runs next. */
  lose(): Promise<void>
}

interface Event {
  at: number
  order: number
  readonly owner: Process | null
  run: (() => unknown) | null
}

/** Cancels an event that has not happened yet. */
export type Cancel = () => void

const context = new AsyncLocalStorage<Process>()
const nextTurn = setImmediate

/** Turns of the event loop without anything new after which all code has come to wait. */
const QUIET_TURNS = 3

export function currentProcess(): Process | undefined {
  return context.getStore()
}

/** Runs code as part of a process. */
export function runAs<T>(process: Process, run: () => T): T {
  return context.run(process, run)
}

/** Runs code outside of all processes, with the real clock and the real network. */
export function runOutside<T>(run: () => T): T {
  return context.exit(run)
}

export class Kernel {
  /** Virtual time, in ms since 1970. */
  now = BEGINNING
  private queue: Event[] = []
  private orders = 0
  /** Counts the requests of simulated code. */
  private asked = 0
  readonly latency: Random
  readonly failures: unknown[] = []
  /** Asked before each event of a process; with true the event does not happen, because the process has died. */
  beforeEvent: (process: Process) => boolean | Promise<boolean> = () => false

  constructor(
    readonly random: Random,
    readonly trace: Trace,
  ) {
    this.latency = random.fork('latency')
  }

  process(name: string, isMortal = false, skewMs = 0): Process {
    const random = this.random.fork(`process ${name}`)
    return {
      name,
      random,
      open: new Set(),
      isDead: false,
      isMortal,
      skewMs,
      pausedUntil: 0,
      stoppedAt: null,
    }
  }

  /** Lets something happen after so many ms. What belongs to a process doesn't happen once that is dead. */
  after(ms: number, owner: Process | null, run: () => unknown): Cancel {
    this.asked += 1
    const event: Event = { at: this.now + Math.max(0, ms), order: this.orders++, owner, run }
    this.push(event)
    return () => {
      event.run = null
    }
  }

  note(line: string): void {
    this.trace.add(`${((this.now - BEGINNING) / 1_000).toFixed(6)} ${line}`)
  }

  /** Lets events happen until this moment, or until there is no reason to go on. */
  async run(until: number, isOver: () => boolean = () => false): Promise<void> {
    await this.settle()
    while (!isOver()) {
      const next = this.queue[0]
      if (next === undefined || next.at > until) break
      await this.step()
      if (this.failures.length > 0) throw this.failures[0]
    }
    if (!isOver()) this.now = Math.max(this.now, until)
  }

  /** Ends a process at once: its connections break, and nothing that it has begun goes on. */
  async kill(process: Process): Promise<void> {
    if (process.isDead) return
    process.isDead = true
    process.stoppedAt = this.now
    this.note(`${process.name} dies`)
    for (const each of [...process.open]) await each.kill()
    process.open.clear()
  }

  private async step(): Promise<void> {
    const event = this.pop()
    if (event === undefined || event.run === null || event.owner?.isDead) return
    this.now = Math.max(this.now, event.at)
    const { owner, run } = event
    if (owner !== null && owner.pausedUntil > this.now) {
      event.at = owner.pausedUntil
      event.order = this.orders++
      this.push(event)
      return
    }
    if (owner !== null && (await this.beforeEvent(owner))) return
    await run()
    await this.settle()
  }

  /** Waits until all simulated code waits for an event. */
  async settle(): Promise<void> {
    let quiet = 0
    let seen = this.asked
    while (quiet < QUIET_TURNS) {
      await new Promise<void>((resolve) => nextTurn(resolve))
      quiet = this.asked === seen ? quiet + 1 : 0
      seen = this.asked
    }
  }

  private push(event: Event): void {
    const { queue } = this
    let at = queue.push(event) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = queue[above]
      if (parent === undefined || isBefore(parent, event)) break
      queue[at] = parent
      at = above
    }
    queue[at] = event
  }

  private pop(): Event | undefined {
    const { queue } = this
    const [first] = queue
    const last = queue.pop()
    if (first === undefined || last === undefined || queue.length === 0) return first
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      const [left, right] = [queue[below], queue[below + 1]]
      if (left === undefined) break
      let child = left
      if (right !== undefined && isBefore(right, left)) {
        child = right
        below += 1
      }
      if (isBefore(last, child)) break
      queue[at] = child
      at = below
    }
    queue[at] = last
    return first
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}
