import { EventEmitter } from 'node:events'
import type { DatabaseServer } from './databaseServer.ts'
import { type Closable, type Kernel, type Process, runAs } from './kernel.ts'
import { Conversation, messagesOf, settings, withoutTimeouts } from './protocol.ts'
import { pause, real } from './real.ts'
import { shortHash } from './trace.ts'
import { Wire } from './wire.ts'

/** A statement that has no answer after so many ms of real time is looked for among those that wait for a lock. */
const TIMEOUT_MS = 4
/** Longer than the server takes to find a deadlock: `deadlock_timeout` of the template. */
const DEADLOCK_MS = 25
/** How long a statement waits for a lock, in ms of virtual time: as store/database/database.ts has it. */
const LOCK_TIMEOUT_MS = 10_000
/** How long a transaction may be left alone: idle_in_transaction_session_timeout, in ms of virtual time. */
const IDLE_IN_TRANSACTION_MS = 20_000
/** Statements that need no time, or that must be the first in their transaction. */
const ABOUT_TRANSACTION = /^(begin|commit|rollback|savepoint|release)\b/
/** The numbers of sessions differ from run to run. */
const UNREPEATABLE = /pg_backend_pid|pg_terminate_backend|pg_stat_activity/

let server: DatabaseServer | null = null

/** The database whose sessions the sockets of processes are from now on. */
export function setDatabaseServer(next: DatabaseServer | null): void {
  server = next
}

/**
 * A connection to the real Postgres, as the driver of a simulated process sees it. What it sends waits for its
 * moment; then the server is given it, with the time of the run, and nothing else happens until it has answered or
 * waits for a lock that another process holds.
 */
export class SimulatedSocket extends EventEmitter implements Closable {
  readyState = 'closed'
  private readonly wire = new Wire((bytes) => {
    if (bytes === null) this.hears()
    else this.hear(bytes)
  })
  private readonly conversation = new Conversation()
  private readonly waiting: Buffer[] = []
  private rest: Buffer = Buffer.alloc(0)
  private answer: Buffer[] = []
  private hasBegun = false
  private isBusy = false
  private isOver = false
  private breaksAfter = false
  /** How often something was sent, to know a session that is left alone. */
  private sends = 0
  private hasLostLock = false
  /** When the transaction began, until the server was told. */
  private began: string | null = null
  private hears = () => {}
  private readonly name: string
  private readonly database: DatabaseServer

  constructor(
    private readonly kernel: Kernel,
    private readonly owner: Process,
  ) {
    super()
    if (server === null) throw new Error('there is no database to connect to')
    this.database = server
    this.name = `${owner.name}/${this.database.nextName(owner)}`
  }

  get pid(): number {
    return this.conversation.pid
  }

  connect(port: number, host: string): this {
    this.readyState = 'opening'
    this.owner.open.add(this)
    this.later(async () => {
      await this.wire.open(host, port)
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
    this.later(async () => {
      await this.closeReal()
      this.close()
    })
    return this
  }

  destroy(): this {
    this.later(async () => {
      await this.closeReal()
      this.close()
    })
    return this
  }

  setKeepAlive = () => this
  pause = () => this
  resume = () => this

  async kill(): Promise<void> {
    this.isOver = true
    await this.closeReal()
  }

  private later(run: () => unknown): void {
    if (this.isOver) return
    this.kernel.after(this.kernel.latency.next() * this.database.latencyMs, this.owner, run)
  }

  private tell(event: string, ...args: unknown[]): void {
    runAs(this.owner, () => this.emit(event, ...args))
  }

  private close(): void {
    if (this.isOver) return
    this.isOver = true
    this.readyState = 'closed'
    this.owner.open.delete(this)
    this.tell('close', false)
  }

  private sendSoon(): void {
    if (this.isBusy || this.waiting.length === 0) return
    this.isBusy = true
    this.later(() => this.send())
  }

  private async send(): Promise<void> {
    if (this.isOver) return
    const chunk = Buffer.concat(this.waiting.splice(0))
    const { conversation } = this
    this.sends += 1
    const broken = this.hasBegun ? this.database.breaks(this.owner) : null
    this.breaksAfter = broken === 'after'
    if (broken === 'before') {
      this.kernel.note(`${this.name} breaks before a statement`)
      await this.closeReal()
      this.later(() => this.close())
      return
    }
    if (this.hasBegun) {
      const clock = this.clock(chunk)
      if (conversation.status === 'I') this.began = this.moment()
      for (const _ of clock) conversation.tellTime()
      conversation.sent(chunk)
      this.wire.write(Buffer.concat([...clock, chunk]))
    } else {
      this.hasBegun = true
      conversation.begin()
      this.wire.write(withoutTimeouts(chunk))
    }
    await this.awaitAnswer(chunk)
    await this.database.settleWaiting()
  }

  /** What tells the server the time of a statement, and that of its transaction with the first one in it. */
  private clock(chunk: Buffer): Buffer[] {
    const { status } = this.conversation
    if (status === 'E' || isAboutTransaction(chunk)) return []
    const clock = [settings(`set sim.clock = '${this.moment()}'`)]
    if (this.began === null) return clock
    clock.push(settings(`set local sim.now = '${this.began}'`))
    this.began = null
    return clock
  }

  private moment(): string {
    return new real.Date(Math.floor(this.kernel.now)).toISOString()
  }

  private async awaitAnswer(chunk: Buffer): Promise<void> {
    const began = real.now()
    while (!this.hasAnswer) {
      await this.hearOrWait(TIMEOUT_MS)
      if (this.hasAnswer || real.now() - began < TIMEOUT_MS) continue
      if (!(await this.database.isWaiting(this.pid))) continue
      await pause(DEADLOCK_MS)
      if (this.hasAnswer || !(await this.database.isWaiting(this.pid))) continue
      this.kernel.note(`${this.name} waits for a lock`)
      this.database.waits += 1
      const tooLate = this.kernel.after(LOCK_TIMEOUT_MS, this.owner, () =>
        this.database.cancel(this),
      )
      this.database.wait(this, () => {
        tooLate()
        this.answered(chunk)
      })
      return
    }
    this.answered(chunk)
  }

  /** Until something is heard, or so many ms of real time have passed. */
  private hearOrWait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = real.setTimeout(resolve, ms)
      this.hears = () => {
        real.clearTimeout(timer)
        resolve()
      }
    })
  }

  /** What a server answers when `lock_timeout` is over, which counts real time there. */
  loseLock(): void {
    this.hasLostLock = true
  }

  get hasAnswer(): boolean {
    return this.conversation.isWhole || !this.wire.isOpen
  }

  private answered(chunk: Buffer): void {
    if (this.isOver) return
    const answer = Buffer.concat(this.answer.splice(0))
    const code = this.hasLostLock ? answer.indexOf('C57014\0') : -1
    if (code >= 0) answer.write('C55P03', code)
    this.hasLostLock = false
    this.describe(chunk, answer)
    if (this.breaksAfter) {
      this.kernel.note(`${this.name} breaks after a statement`)
      void this.kernel.after(0, null, async () => {
        await this.closeReal()
        this.close()
      })
      return
    }
    if (!this.wire.isOpen) {
      this.later(() => this.close())
      return
    }
    if (this.conversation.status === 'I') this.began = null
    else this.endWhenLeftAlone()
    this.later(() => {
      this.isBusy = false
      if (answer.length > 0) this.tell('data', answer)
      this.sendSoon()
    })
  }

  /** A transaction that nothing is asked of for long is ended by the server. */
  private endWhenLeftAlone(): void {
    const { sends } = this
    this.kernel.after(IDLE_IN_TRANSACTION_MS, null, async () => {
      if (this.isOver || this.sends !== sends) return
      this.kernel.note(`${this.name} was left alone in a transaction`)
      await this.closeReal()
      this.later(() => this.close())
    })
  }

  private describe(chunk: Buffer, answer: Buffer): void {
    const { texts, tags } = this.conversation
    if (texts.length === 0) {
      this.kernel.note(`${this.name} is opened or synchronised`)
      return
    }
    const text = texts
      .join('; ')
      .replace(/\s+/g, ' ')
      .replace(/\bpid = \d+/g, 'pid')
      .trim()
    const hash = UNREPEATABLE.test(text) ? '-' : `${shortHash(chunk)} ${shortHash(answer)}`
    this.kernel.note(`${this.name} ${text.slice(0, 160)} > ${tags.join(', ')} ${hash}`)
  }

  private hear(bytes: Buffer): void {
    const { messages, rest } = messagesOf(Buffer.concat([this.rest, bytes]))
    this.rest = Buffer.from(rest)
    this.answer.push(...this.conversation.received(messages))
    this.hears()
  }

  /** Ends the session, and waits until the server has ended it, too. */
  private async closeReal(): Promise<void> {
    this.wire.close()
    this.database.forget(this)
    if (this.pid !== 0) await this.database.endSession(this.pid)
    await this.database.settleWaiting()
  }
}

function isAboutTransaction(chunk: Buffer): boolean {
  return chunk[0] === 0x51 && ABOUT_TRANSACTION.test(chunk.toString('latin1', 5, 20))
}
