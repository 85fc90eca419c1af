import net from 'node:net'
import { BEGINNING, currentProcess, type Kernel, type Process, runAs } from './kernel.ts'
import { simulatedFetch } from './network.ts'
import { real } from './real.ts'
import { SimulatedSocket } from './socket.ts'

/**
 * What a process takes for given: clock, timers, randomness, network. Code that runs in a simulated process gets
 * those of its run, all other code the real ones. The product imports none of this.
 */

let kernel: Kernel | null = null

/** The run that processes belong to from now on; null for none. */
export function setKernel(next: Kernel | null): void {
  kernel = next
}

interface Inside {
  readonly kernel: Kernel
  readonly process: Process
}

function inside(): Inside | null {
  const process = currentProcess()
  return process === undefined || kernel === null ? null : { kernel, process }
}

function wallClock({ kernel: { now }, process }: Inside): number {
  return Math.floor(now + process.skewMs)
}

/** A timer of a simulated process. */
class Timer {
  private cancel = () => {}

  constructor(
    private readonly at: Inside,
    private readonly fire: () => void,
    private readonly ms: number,
    private readonly isRepeated: boolean,
  ) {
    this.refresh()
  }

  refresh(): this {
    this.cancel()
    const { kernel, process } = this.at
    this.cancel = kernel.after(this.ms, process, () => {
      if (this.isRepeated) this.refresh()
      runAs(process, this.fire)
    })
    return this
  }

  stop(): void {
    this.cancel()
  }

  ref = () => this
  unref = () => this
  hasRef = () => true;
  [Symbol.dispose] = () => this.stop()
}

function timerOf(isRepeated: boolean) {
  return (fire: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): unknown => {
    const at = inside()
    if (at !== null) {
      const least = Number.isFinite(ms) ? Math.max(ms, isRepeated ? 1 : 0) : 0
      return new Timer(at, () => fire(...args), least, isRepeated)
    }
    const start = isRepeated ? real.setInterval : real.setTimeout
    return Reflect.apply(start, null, [fire, ms, ...args])
  }
}

function stopTimer(timer: unknown): void {
  if (timer instanceof Timer) timer.stop()
  else if (timer !== undefined && timer !== null) Reflect.apply(real.clearTimeout, null, [timer])
}

const simulatedDate = new Proxy(real.Date, {
  construct(target, args, newTarget) {
    const at = args.length === 0 ? inside() : null
    return Reflect.construct(target, at === null ? args : [wallClock(at)], newTarget)
  },
  get(target, name, receiver) {
    return name === 'now' ? dateNow : Reflect.get(target, name, receiver)
  },
})

function dateNow(): number {
  const at = inside()
  return at === null ? real.Date.now() : wallClock(at)
}

function sleep(until: number | Date): Promise<void> {
  const at = inside()
  if (at === null) return real.sleep(until)
  const ms = typeof until === 'number' ? until : until.getTime() - wallClock(at)
  return new Promise((resolve) => at.kernel.after(ms, at.process, resolve))
}

function timeout(ms: number): AbortSignal {
  const at = inside()
  if (at === null) return real.timeout(ms)
  const controller = new AbortController()
  const reason = new DOMException('The operation timed out.', 'TimeoutError')
  at.kernel.after(ms, at.process, () => runAs(at.process, () => controller.abort(reason)))
  return controller.signal
}

/** The longest that the Web Crypto API fills at once doesn't matter here. */
function fill<T extends NodeJS.ArrayBufferView>(array: T): T {
  const at = inside()
  if (at === null) return real.fill(array)
  at.process.random.fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  return array
}

function Socket(...args: unknown[]): unknown {
  const at = inside()
  if (at !== null) return new SimulatedSocket(at.kernel, at.process)
  return Reflect.construct(real.Socket, args)
}
Socket.prototype = real.Socket.prototype

const REPLACED: readonly (readonly [object: object, name: string, value: unknown])[] = [
  [globalThis, 'Date', simulatedDate],
  [globalThis, 'setTimeout', timerOf(false)],
  [globalThis, 'setInterval', timerOf(true)],
  [globalThis, 'clearTimeout', stopTimer],
  [globalThis, 'clearInterval', stopTimer],
  [
    globalThis,
    'fetch',
    (input: string | URL | Request, init?: BunFetchRequestInit) => {
      const at = inside()
      return at === null
        ? real.fetch(input, init)
        : simulatedFetch(at.kernel, at.process, input, init)
    },
  ],
  [
    performance,
    'now',
    () => {
      const at = inside()
      return at === null ? real.now() : at.kernel.now - BEGINNING
    },
  ],
  [Math, 'random', () => inside()?.process.random.next() ?? real.random()],
  [crypto, 'randomUUID', () => inside()?.process.random.uuid() ?? real.uuid()],
  [crypto, 'getRandomValues', fill],
  [
    Bun,
    'randomUUIDv7',
    (...args: unknown[]) => {
      const at = inside()
      if (at !== null) return at.process.random.uuid(wallClock(at))
      return Reflect.apply(real.uuidv7, Bun, args)
    },
  ],
  [Bun, 'sleep', sleep],
  [AbortSignal, 'timeout', timeout],
  [net, 'Socket', Socket],
]

/** Puts the simulated ones in the place of the real ones, once and for good. */
export function replaceGlobals(): void {
  for (const [object, name, value] of REPLACED) {
    if (!Reflect.set(object, name, value)) throw new Error(`${name} can't be replaced`)
  }
}
