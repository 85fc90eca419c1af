import { messageOf, messagesOf } from './protocol.ts'
import { Wire } from './wire.ts'

/**
 * The real server's sessions. A new one costs it more than most of what is done with it: a process, its catalogue, and
 * a plan of each statement. So a connection that a simulated process has lost leaves its session to the next one of
 * the same user and settings, which finds nothing of it but statements that are prepared already.
 */
export class Session {
  readonly wire = new Wire()
  /** The names of what is prepared, by texts and types of parameters. */
  readonly prepared = new Map<string, string>()
  /** What the server answered when it began. */
  greeting: Buffer = Buffer.alloc(0)
  pid = 0
  /** Its number was asked for: who knows it may end it once it is over, and must not find another's. */
  isKnown = false
  private names = 0

  constructor(
    /** Its user, database and settings. */
    readonly startup: Buffer,
  ) {}

  /** Keeps the first answer. */
  hasGreeted(answer: Buffer): void {
    if (this.greeting.length === 0) this.greeting = answer
  }

  nextName(): string {
    this.names += 1
    return `sim_${this.names}`
  }

  /** Whether it is as it was when it began, but for what is prepared. */
  reset(): Promise<boolean> {
    return new Promise((resolve) => {
      let open = ANSWERS_TO_RESET
      let rest: Buffer = Buffer.alloc(0)
      this.wire.onChange = (bytes) => {
        if (bytes === null) return resolve(false)
        const heard = messagesOf(Buffer.concat([rest, bytes]))
        rest = heard.rest
        open -= heard.messages.filter(([type]) => type === READY).length
        if (open === 0) resolve(true)
      }
      this.wire.write(RESET)
    })
  }
}

/** What was begun without an end is ended first. */
const RESET = Buffer.concat([
  messageOf('S', ''),
  messageOf(
    'Q',
    'rollback; reset all; select pg_advisory_unlock_all(); close all; unlisten *; discard temp; discard sequences\0',
  ),
])
const ANSWERS_TO_RESET = 2
/** The server waits for a statement. */
const READY = 'Z'.charCodeAt(0)

export class Sessions {
  private readonly idle = new Map<string, Session[]>()

  /** One that another connection has left, or null. */
  take(startup: Buffer): Session | null {
    return this.idle.get(startup.toString('latin1'))?.pop() ?? null
  }

  /** Keeps a session for the next connection. False when it can't be kept. */
  async leave(session: Session): Promise<boolean> {
    if (session.isKnown || session.pid === 0 || !session.wire.isOpen) return false
    if (!(await session.reset())) return false
    const name = session.startup.toString('latin1')
    const others = this.idle.get(name) ?? []
    this.idle.set(name, others)
    others.push(session)
    return true
  }

  /** Closes those that nobody has. */
  close(): void {
    for (const session of [...this.idle.values()].flat()) session.wire.close()
    this.idle.clear()
  }
}
