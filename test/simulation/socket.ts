import { Commits } from './commits.ts'
import { Conversation } from './conversation.ts'
import { type DatabaseServer, DEADLOCK_MS } from './databaseServer.ts'
import { DriverSocket } from './driverSocket.ts'
import type { Cancel, Kernel, Process } from './kernel.ts'
import { type Listener, messageFor, type Notification } from './notifications.ts'
import { isAboutTransaction, isBeginOf, lineOf, messagesOf, withoutTimeouts } from './protocol.ts'
import { pause, real } from './real.ts'
import type { Session } from './sessions.ts'

/** A statement that has no answer after so many ms of real time is looked for among those that wait for a lock. */
const TIMEOUT_MS = 12
/** How long a statement waits for a lock, in ms of virtual time: as store/database/database.ts has it. */
const LOCK_TIMEOUT_MS = 10_000
/** How long a transaction may be left alone: idle_in_transaction_session_timeout, in ms of virtual time. */
const IDLE_IN_TRANSACTION_MS = 20_000
/** Of the answers: those that are on their way for a while. */
const LATE = 0.05

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
export class SimulatedSocket extends DriverSocket implements Listener {
  /** Its session, while it has one. */
  private session: Session | null = null
  private startup: Buffer = Buffer.alloc(0)
  private conversation: Conversation | null = null
  private rest: Buffer = Buffer.alloc(0)
  private answer: Buffer[] = []
  private isBusy = false
  /** The server has ended it, which the driver has not heard yet. */
  private isLost = false
  private breaksAfter = false
  /** Called when something is asked in a transaction, which is not left alone then. */
  private isSpokenTo: Cancel = () => {}
  /** Then it is answered as when `lock_timeout` is over, which counts real time in the server. */
  hasLostLock = false
  /** When the transaction began, until the server was told. */
  private began: string | null = null
  private hears = () => {}
  private readonly name: string
  private readonly database: DatabaseServer

  constructor(kernel: Kernel, owner: Process) {
    super(kernel, owner)
    if (server === null) throw new Error('there is no database to connect to')
    this.database = server
    this.name = `${owner.name}/${this.database.join(this, owner)}`
  }

  protected get latencyMs(): number {
    return this.database.latencyMs
  }

  get pid(): number {
    return this.session?.pid ?? 0
  }

  async kill(): Promise<void> {
    this.isOver = true
    await this.closeReal()
  }

  async lose(): Promise<void> {
    this.isLost = true
    await this.closeReal()
    this.later(() => this.close())
  }

  hearOf(notification: Notification): void {
    this.later(() => {
      if (this.isOver || this.isLost) return
      this.kernel.note(`${this.name} is notified on ${notification.channel}`)
      this.tell('data', messageFor(notification))
    })
  }

  protected async closeBoth(): Promise<void> {
    await this.closeReal()
    this.close()
  }

  protected sendSoon(): void {
    if (this.isBusy || this.waiting.length === 0) return
    this.isBusy = true
    if (this.isKnown()) queueMicrotask(() => this.answerAtOnce())
    else this.later(() => this.send())
  }

  /**
   * Whether nothing is asked of the server, and so there is nothing to wait for: a transaction begins with its first
   * statement, and what a statement is like has been told before.
   */
  private isKnown(): boolean {
    const { conversation } = this
    const [chunk, ...more] = this.waiting
    if (conversation === null || chunk === undefined || more.length > 0) return false
    return conversation.isDescribed(chunk) || (conversation.status === 'I' && isBeginOf(chunk))
  }

  private answerAtOnce(): void {
    const [chunk] = this.waiting.splice(0, 1)
    const { conversation } = this
    if (this.isOver || this.isLost || chunk === undefined || conversation === null) return
    this.isSpokenTo()
    if (isBeginOf(chunk)) this.began = this.moment()
    conversation.sent(chunk)
    this.answer.push(...conversation.known())
    this.answered(chunk)?.()
  }

  private async send(): Promise<void> {
    if (this.isOver || this.isLost) return
    const { conversation, kernel, database } = this
    const downMs = conversation === null ? database.upFrom - kernel.now : 0
    if (downMs > 0) return void kernel.after(downMs, this.owner, () => this.send())
    const chunk = Buffer.concat(this.waiting.splice(0))
    const status = conversation?.status ?? 'I'
    this.isSpokenTo()
    const broken = conversation === null ? null : database.breaks(this.owner)
    this.breaksAfter = broken === 'after'
    if (broken === 'before') {
      kernel.note(`${this.name} breaks before a statement`)
      return this.lose()
    }
    if (conversation === null) await this.begin(withoutTimeouts(chunk))
    else await this.say(conversation, chunk)
    const hear = (await this.isAnswered(chunk)) ? this.answered(chunk) : null
    // What is done within a transaction that goes on, or by itself, gives nothing free that was held before.
    const isStill =
      status === 'T' && this.conversation?.status === 'T' && !isAboutTransaction(chunk)
    if (status !== 'I' && !isStill) await database.settleWaiting()
    if (hear === null) return
    if (this.conversation?.commits.isLost === true) {
      hear()
      return database.failOver(kernel)
    }
    // What befalls a process before it hears an answer could as well befall it before it does something next.
    const isLate = this.owner.pausedUntil > kernel.now || kernel.latency.isLikely(LATE)
    if (isLate) this.later(hear)
    else hear()
  }

  /** The first message of a connection, which is answered as that of any session. */
  private async begin(startup: Buffer): Promise<void> {
    this.startup = startup
    const session = await this.takeSession('')
    const commits = new Commits((signed) => this.database.loses(signed))
    this.conversation = new Conversation(session, this.database.descriptions, commits)
    this.answer.push(session.greeting)
  }

  private async takeSession(statement: string): Promise<Session> {
    const session = await this.database.sessions.take(this.startup, statement)
    this.session = session
    session.wire.onChange = (bytes) => this.hear(bytes)
    return session
  }

  /** Asks the server what it has to be asked, with the time, and that of the transaction with its first statement. */
  private async say(conversation: Conversation, chunk: Buffer): Promise<void> {
    const session = this.session ?? (await this.takeSession(conversation.firstOf(chunk)))
    conversation.session = session
    const isAbout = isAboutTransaction(chunk)
    if (conversation.status === 'I') this.began = isAbout ? this.moment() : null
    const asked = conversation.sent(chunk)
    if (asked.length > 0) {
      const isTimed = !isAbout && conversation.status !== 'E'
      const told = conversation.withTime(asked, isTimed ? this.moment() : null, this.began)
      if (isTimed) this.began = null
      session.wire.write(told)
    }
    this.answer.push(...conversation.known())
  }

  private moment(): string {
    return new real.Date(Math.floor(this.kernel.now)).toISOString()
  }

  /** False where it waits for a lock: its answer comes later. */
  private async isAnswered(chunk: Buffer): Promise<boolean> {
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
        const hear = this.answered(chunk)
        if (hear !== null) this.later(hear)
      })
      return false
    }
    return true
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

  get hasAnswer(): boolean {
    return this.conversation?.isWhole !== false || this.session?.wire.isOpen !== true
  }

  /** Takes an answer down; what lets its process hear it, or null where the connection is over. */
  private answered(chunk: Buffer): (() => void) | null {
    if (this.isOver) return null
    const { subscriptions } = this.database
    const { texts = [], notified } = this.conversation ?? {}
    for (const text of texts) subscriptions.note(text, this)
    subscriptions.publish(notified?.news() ?? [])
    const answer = Buffer.concat(this.answer.splice(0))
    while (this.hasLostLock) {
      const code = answer.indexOf('C57014\0')
      if (code < 0) break
      answer.write('C55P03', code)
    }
    this.hasLostLock = false
    this.describe(chunk, answer)
    if (this.breaksAfter) {
      this.kernel.note(`${this.name} breaks after a statement`)
      this.kernel.after(0, null, () => this.closeBoth())
      return null
    }
    if (this.session?.wire.isOpen === false) {
      this.later(() => this.close())
      return null
    }
    if (this.conversation?.isDone === true) {
      if (this.session !== null) this.database.sessions.leave(this.session)
      this.session = null
    }
    if (this.conversation?.status === 'I') this.began = null
    else this.endWhenLeftAlone()
    return () => {
      if (this.isOver) return
      this.isBusy = false
      if (answer.length > 0) this.tell('data', answer)
      this.sendSoon()
    }
  }

  /** A transaction that nothing is asked of for long is ended by the server. */
  private endWhenLeftAlone(): void {
    this.isSpokenTo = this.kernel.after(IDLE_IN_TRANSACTION_MS, null, async () => {
      if (this.isOver) return
      this.kernel.note(`${this.name} was left alone in a transaction`)
      await this.lose()
    })
  }

  private describe(chunk: Buffer, answer: Buffer): void {
    const { texts, tags } = this.conversation ?? { texts: [], tags: [] }
    const { text, isRepeatable } = lineOf(texts, tags, chunk, answer)
    if (!isRepeatable && this.session !== null) this.session.isKnown = true
    this.kernel.note(`${this.name} ${text}`)
  }

  private hear(bytes: Buffer | null): void {
    if (bytes !== null) {
      const { messages, rest } = messagesOf(Buffer.concat([this.rest, bytes]))
      this.rest = Buffer.from(rest)
      this.answer.push(...(this.conversation?.received(messages) ?? []))
    }
    this.hears()
  }

  private async closeReal(): Promise<void> {
    const { session, database } = this
    this.session = null
    database.forget(this)
    database.subscriptions.end(this)
    if (session !== null) await database.giveBack(session, this.conversation?.isWhole === true)
    await database.settleWaiting()
  }
}
