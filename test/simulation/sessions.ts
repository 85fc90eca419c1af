import { messageOf, messagesOf } from './protocol.ts'
import { Wire } from './wire.ts'

/**
 * The real server's sessions. A new one costs it more than most of what is done with it: a process, its catalogue, and
 * a plan of each statement. So connections of the same user and settings, whichever processes they belong to, share
 * them, each for one transaction: nothing is left of that but what is prepared.
 */
export class Session {
  readonly wire = new Wire()
  /** The names of what is prepared, by texts and types of parameters. */
  readonly prepared = new Map<string, string>()
  /** What the server answered when it began. */
  greeting: Buffer = Buffer.alloc(0)
  pid = 0
  /** Its number was asked for: locks that outlive a transaction are its connection's, which keeps it for itself. */
  isKnown = false
  private names = 0

  constructor(
    /** Its user, database and settings. */
    readonly startup: Buffer,
  ) {}

  nextName(): string {
    this.names += 1
    return `sim_${this.names}`
  }

  /** Begins it. Without a server, or when that refuses it, it is closed. */
  async open(host: string, port: number): Promise<void> {
    await this.wire.open(host, port)
    const heard = await this.ask(this.startup, ([type]) => type === READY || type === REFUSED)
    this.greeting = Buffer.concat(heard)
    this.pid = heard.find(([type]) => type === NUMBER)?.readInt32BE(5) ?? 0
    if (heard.at(-1)?.[0] !== READY) this.wire.close()
  }

  /** Ends what was begun. False when the session is over. */
  async reset(): Promise<boolean> {
    let left = ANSWERS_TO_RESET
    await this.ask(RESET, ([type]) => {
      if (type === READY) left -= 1
      return left === 0
    })
    return left === 0
  }

  /** Says something, and hears the server until it has said the last of it or the connection is over. */
  private ask(bytes: Buffer, isLast: (message: Buffer) => boolean): Promise<Buffer[]> {
    return new Promise((resolve) => {
      const heard: Buffer[] = []
      let rest: Buffer = Buffer.alloc(0)
      this.wire.onChange = (more) => {
        if (more === null) return resolve(heard)
        const next = messagesOf(Buffer.concat([rest, more]))
        rest = next.rest
        heard.push(...next.messages)
        if (next.messages.some(isLast)) resolve(heard)
      }
      if (this.wire.isOpen) this.wire.write(bytes)
      else resolve(heard)
    })
  }
}

/** What was begun without an end is ended first. */
const RESET = Buffer.concat([messageOf('S', ''), messageOf('Q', 'rollback; reset all\0')])
const ANSWERS_TO_RESET = 2
const [READY, REFUSED, NUMBER] = ['Z', 'E', 'K'].map((type) => type.charCodeAt(0))

export class Sessions {
  private readonly idle = new Map<string, Session[]>()

  constructor(private readonly server: Address) {}

  /** An idle one, if possible one that has a plan of this statement; or a new one. */
  async take(startup: Buffer, statement: string): Promise<Session> {
    const idle = this.idle.get(startup.toString('latin1')) ?? []
    const at = idle.findLastIndex(({ prepared }) => prepared.has(statement))
    const [taken] = idle.splice(at < 0 ? idle.length - 1 : at, 1)
    if (taken !== undefined) return taken
    const session = new Session(startup)
    await session.open(this.server.host, this.server.port)
    return session
  }

  /** Others may have a session in which nothing is open. */
  leave(session: Session): void {
    const name = session.startup.toString('latin1')
    const others = this.idle.get(name)
    if (others === undefined) this.idle.set(name, [session])
    else others.push(session)
  }

  /** Closes idle ones. */
  close(): void {
    for (const session of [...this.idle.values()].flat()) session.wire.close()
    this.idle.clear()
  }
}

export interface Address {
  readonly host: string
  readonly port: number
}
