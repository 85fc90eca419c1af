import { EventEmitter } from 'node:events'
import { type Closable, type Kernel, type Process, runAs } from './kernel.ts'

/** A socket of node:net, as far as the driver of a simulated process uses one. What it says and hears are events. */
export abstract class DriverSocket extends EventEmitter implements Closable {
  readyState = 'closed'
  /** What was written and waits for its moment. */
  protected readonly waiting: Buffer[] = []
  protected isOver = false

  constructor(
    protected readonly kernel: Kernel,
    protected readonly owner: Process,
  ) {
    super()
  }

  /** How long something is on its way at most, in ms. */
  protected abstract get latencyMs(): number
  protected abstract sendSoon(): void
  protected abstract closeBoth(): Promise<void>
  abstract kill(): Promise<void>
  abstract lose(): Promise<void>

  connect(): this {
    this.readyState = 'opening'
    this.owner.open.add(this)
    this.later(() => {
      this.readyState = 'open'
      this.tell('connect')
    })
    return this
  }

  write(chunk: Buffer): boolean {
    // The driver uses its buffer again.
    this.waiting.push(Buffer.from(chunk))
    this.sendSoon()
    return true
  }

  end(chunk?: Buffer): this {
    if (chunk !== undefined) this.waiting.push(Buffer.from(chunk))
    this.readyState = 'closing'
    return this.destroy()
  }

  destroy(): this {
    this.later(() => this.closeBoth())
    return this
  }

  setKeepAlive = () => this
  pause = () => this
  resume = () => this

  protected later(run: () => unknown): void {
    if (this.isOver) return
    this.kernel.after(this.kernel.latency.next() * this.latencyMs, this.owner, run)
  }

  protected tell(event: string, ...args: unknown[]): void {
    runAs(this.owner, () => this.emit(event, ...args))
  }

  protected close(): void {
    if (this.isOver) return
    this.isOver = true
    this.readyState = 'closed'
    this.owner.open.delete(this)
    this.tell('close', false)
  }
}
