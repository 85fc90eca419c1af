import { CLOCK, CLOCK_AND_NOW, toldOf } from './clock.ts'
import type { Commits } from './commits.ts'
import { Notified } from './notifications.ts'
import { BEGINS, fieldsOf, messageOf, messagesOf, textAt } from './protocol.ts'
import type { Session } from './sessions.ts'

/**
 * What a connection says to the server and is answered, as far as it takes to know when an answer is whole, to tell
 * the server what time it is, and to write a line about a statement. Nothing is prepared or described twice.
 */

/** What a client's messages have the server answer, in this order. */
type Kind =
  /** What the simulator has said. */
  | 'own'
  /** What the server is not asked. */
  | 'known'
  | 'parsed'
  | 'bound'
  | 'described'
  | 'executed'
  | 'closed'
  | 'ready'

interface Expected {
  readonly kind: Kind
  /** The statement that this is about. */
  readonly key?: string
  /** Of what is known. */
  readonly answer?: Buffer
}

const ANSWERS: Readonly<Record<string, Kind>> = {
  P: 'parsed',
  B: 'bound',
  D: 'described',
  E: 'executed',
  C: 'closed',
  S: 'ready',
  Q: 'ready',
}
/** Which message of the server answers what is expected. */
const ANSWERED: Readonly<Record<string, Kind>> = {
  '1': 'parsed',
  '2': 'bound',
  T: 'described',
  n: 'described',
  C: 'executed',
  s: 'executed',
  I: 'executed',
  '3': 'closed',
}

/** What every connection is told of a statement, by its text and the types of its parameters. */
export type Descriptions = Map<string, Buffer>

interface Statement {
  readonly text: string
  readonly key: string
}

const PARSED = messageOf('1')
const BEGUN = Buffer.concat([messageOf('C', 'BEGIN\0'), messageOf('Z', 'T')])

/** Follows one connection: what it is owed, and whether a transaction is open. */
export class Conversation {
  private expected: Expected[] = []
  private readonly statements = new Map<string, Statement>()
  private parameters: Buffer = Buffer.alloc(0)
  /** What begins the transaction, until the server is told. */
  private beginning: Buffer | null = null
  /** I: idle, T: in a transaction, E: in one that has failed. */
  status = 'I'
  /** What the last statements were, and what they came to, for the trace. */
  texts: string[] = []
  tags: string[] = []
  readonly notified = new Notified()

  /** The server was asked something, and not told to synchronise since. */
  private isOpen = false
  /** It has failed, and does nothing until it is told so. */
  private isDeaf = false

  constructor(
    /** The one that what is said next goes to. */
    public session: Session,
    private readonly descriptions: Descriptions,
    readonly commits: Commits,
  ) {}

  /** Whether nothing is open in its session, and its first statement did not ask which one it is: others may have it. */
  get isDone(): boolean {
    const isIdle = this.isWhole && !this.isOpen && this.status === 'I'
    return isIdle && this.texts.length > 0 && !this.session.isKnown
  }

  get isWhole(): boolean {
    return this.expected.length === 0
  }

  /** The first statement that a client asks for, by its text and types; empty for none. */
  firstOf(chunk: Buffer): string {
    for (const message of messagesOf(chunk).messages) {
      const type = String.fromCharCode(message[0] ?? 0)
      const name = textAt(message, 5)
      const start = 6 + Buffer.byteLength(name)
      if (type === 'P') return message.toString('latin1', start)
      if (type === 'B') return this.statements.get(textAt(message, start))?.key ?? ''
    }
    return ''
  }

  /** Whether a client wants no more than to know what statements are like that have been described before. */
  isDescribed(chunk: Buffer): boolean {
    const { messages } = messagesOf(chunk)
    const types = messages.map(([type = 0]) => String.fromCharCode(type)).join('')
    if (!/^(P[DH]+)+$/.test(types)) return false
    return messages.every((message) => {
      if (message[0] !== PARSE) return true
      const name = textAt(message, 5)
      const key = message.toString('latin1', 6 + Buffer.byteLength(name))
      return name !== '' && this.descriptions.has(key)
    })
  }

  /** Notes what the client says; what of it the server is to be asked. */
  sent(chunk: Buffer): Buffer[] {
    this.texts = []
    this.tags = []
    const asked = messagesOf(chunk).messages.flatMap((message) => this.say(message))
    return asked.every(([type]) => type === FLUSH) ? [] : asked
  }

  /** What the server is sent: what it is asked after the time, and that of the transaction with its first statement. */
  withTime(asked: readonly Buffer[], clock: string | null, now: string | null): Buffer {
    this.isOpen = true
    const parts = clock === null || this.isDeaf ? asked : [this.tellTime(clock, now), ...asked]
    const { beginning } = this
    if (beginning === null) return Buffer.concat(parts)
    this.beginning = null
    // It is done, and the server ready.
    this.expected.unshift({ kind: 'own' }, { kind: 'own' })
    return Buffer.concat([beginning, ...parts])
  }

  private tellTime(clock: string, now: string | null): Buffer {
    const { prepared } = this.session
    const { name, preparation } = now === null ? CLOCK : CLOCK_AND_NOW
    const told = now === null ? toldOf(CLOCK, clock) : toldOf(CLOCK_AND_NOW, clock, now)
    this.expected.unshift({ kind: 'own' }, { kind: 'own' })
    if (prepared.has(name)) return told
    prepared.set(name, name)
    this.expected.unshift({ kind: 'own', key: name })
    return Buffer.concat([preparation, told])
  }

  private say(message: Buffer): Buffer[] {
    const type = String.fromCharCode(message[0] ?? 0)
    const name = textAt(message, 5)
    if (type === 'P') return this.parse(message, name)
    if (type === 'B') return this.bind(message, name)
    if (type === 'D' && name.startsWith('S')) return this.describe(message, name.slice(1))
    if (type === 'Q') this.texts.push(name)
    const isFirst = this.expected.length === 0 && this.status === 'I'
    if (type === 'Q' && isFirst && BEGINS.test(name)) return this.postpone(message)
    const kind = ANSWERS[type]
    if (kind !== undefined) this.expected.push({ kind })
    return [message]
  }

  /** A transaction begins with the first statement that the server is asked in it. */
  private postpone(message: Buffer): Buffer[] {
    this.beginning = message
    this.status = 'T'
    this.expected.push({ kind: 'known', answer: BEGUN })
    return []
  }

  private parse(message: Buffer, name: string): Buffer[] {
    const start = 6 + Buffer.byteLength(name)
    const text = textAt(message, start)
    this.texts.push(text)
    // The text, and the types.
    const key = message.toString('latin1', start)
    this.statements.set(name, { text, key })
    if (name === '') {
      this.expected.push({ kind: 'parsed' })
      return [message]
    }
    if (this.descriptions.has(key)) {
      this.expected.push({ kind: 'known', answer: PARSED })
      return []
    }
    return [this.prepare(key, 'parsed')]
  }

  private prepare(key: string, kind: 'parsed' | 'own'): Buffer {
    const name = this.session.nextName()
    this.session.prepared.set(key, name)
    this.expected.push({ kind, key })
    return messageOf('P', `${name}\0`, Buffer.from(key, 'latin1'))
  }

  private describe(message: Buffer, name: string): Buffer[] {
    const { key = '' } = this.statements.get(name) ?? {}
    const answer = this.descriptions.get(key)
    if (name !== '' && answer !== undefined) {
      this.expected.push({ kind: 'known', answer })
      return []
    }
    this.expected.push({ kind: 'described', ...(name === '' ? {} : { key }) })
    return name === '' ? [message] : [messageOf('D', `S${this.session.prepared.get(key)}\0`)]
  }

  private bind(message: Buffer, portal: string): Buffer[] {
    const start = 6 + Buffer.byteLength(portal)
    const name = textAt(message, start)
    const statement = this.statements.get(name)
    this.texts.push(statement?.text ?? name)
    if (name === '' || statement === undefined) {
      this.expected.push({ kind: 'bound' })
      return [message]
    }
    const key = this.commits.asked(statement, message)
    const prepared = this.session.prepared.get(key)
    const before = prepared === undefined ? [this.prepare(key, 'own')] : []
    this.expected.push({ kind: 'bound' })
    const own = prepared ?? this.session.prepared.get(key)
    const rest = message.subarray(start + Buffer.byteLength(name) + 1)
    return [...before, messageOf('B', `${portal}\0${own}\0`, rest)]
  }

  /** Reads an answer, and returns what of it the client is to see. */
  received(messages: readonly Buffer[]): Buffer[] {
    return messages.flatMap((message) => [
      ...(this.isForClient(message) ? [this.commits.told(message)] : []),
      ...this.known(),
    ])
  }

  /** What the client is answered next without the server. */
  known(): Buffer[] {
    const answers: Buffer[] = []
    for (;;) {
      const [next] = this.expected
      if (next?.answer === undefined) return answers
      answers.push(next.answer)
      if (next.answer === BEGUN) this.tags.push('BEGIN')
      this.expected.shift()
    }
  }

  private isForClient(message: Buffer): boolean {
    const { expected } = this
    const type = String.fromCharCode(message[0] ?? 0)
    const [next] = expected
    if (this.notified.hear(message)) return false
    if (type === 'Z') this.status = String.fromCharCode(message[5] ?? 0)
    if (next?.kind === 'own' && type !== 'E') {
      // Neither a row, nor a setting that the server reports, nor a notice ends an answer.
      if (type !== 'D' && type !== 'S' && type !== 'N') expected.shift()
      return false
    }
    if (type === 'C') this.tags.push(textAt(message, 5))
    if (type === 't') this.parameters = message
    if (type === 'E') {
      this.tags.push(`error ${fieldsOf(message).get('C') ?? ''}`)
      this.fail()
    } else if (type === 'Z') {
      this.expected = expected.slice(expected.findIndex(({ kind }) => kind === 'ready') + 1)
      this.isOpen = this.expected.length > 0
      this.isDeaf = false
    } else if (next !== undefined && next.kind !== 'ready' && ANSWERED[type] === next.kind) {
      if (next.kind === 'described' && next.key !== undefined)
        this.descriptions.set(next.key, Buffer.concat([this.parameters, message]))
      expected.shift()
    }
    return true
  }

  /** After an error the server does nothing until it is told to synchronise. */
  private fail(): void {
    const ready = this.expected.findIndex(({ kind }) => kind === 'ready')
    this.isDeaf = ready < 0
    const skipped = this.expected.splice(0, ready < 0 ? this.expected.length : ready)
    for (const { kind, key } of skipped) {
      if (key !== undefined && (kind === 'parsed' || kind === 'own'))
        this.session.prepared.delete(key)
    }
  }
}

const PARSE = 'P'.charCodeAt(0)
/** The server sends what it has to say. */
const FLUSH = 'H'.charCodeAt(0)
