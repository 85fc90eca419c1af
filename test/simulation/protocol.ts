/**
 * As much of Postgres' protocol as it takes to know when an answer is whole, to tell the server what time it is, and
 * to write a line about a statement.
 */

/** What a client's messages have the server answer, in this order. */
type Expected =
  | 'startup'
  | 'clock'
  | 'parsed'
  | 'bound'
  | 'described'
  | 'executed'
  | 'closed'
  | 'ready'

const ANSWERS: Readonly<Record<string, Expected>> = {
  P: 'parsed',
  B: 'bound',
  D: 'described',
  E: 'executed',
  C: 'closed',
  S: 'ready',
  Q: 'ready',
}
/** Which message of the server answers what is expected. */
const ANSWERED: Readonly<Record<string, Expected>> = {
  '1': 'parsed',
  '2': 'bound',
  T: 'described',
  n: 'described',
  C: 'executed',
  s: 'executed',
  I: 'executed',
  '3': 'closed',
}

/** Settings of a session that count real time, which the simulator counts itself. */
const TIMED = new Set([
  ...['statement_timeout', 'lock_timeout', 'idle_session_timeout', 'transaction_timeout'],
  'idle_in_transaction_session_timeout',
])

/** The first message of a session without the settings that count real time. */
export function withoutTimeouts(startup: Buffer): Buffer {
  const fields = startup.subarray(8).toString('utf8').split('\0')
  const kept: string[] = []
  for (let i = 0; i + 1 < fields.length && fields[i] !== ''; i += 2) {
    if (!TIMED.has(fields[i] ?? '')) kept.push(fields[i] ?? '', fields[i + 1] ?? '')
  }
  const body = Buffer.from(`${kept.map((field) => `${field}\0`).join('')}\0`, 'utf8')
  const head = Buffer.alloc(8)
  head.writeInt32BE(8 + body.length)
  startup.copy(head, 4, 4, 8)
  return Buffer.concat([head, body])
}

const CLOCK = 'sim_clock'
/** It is parsed, bound, executed, and closed twice. */
const CLOCK_ANSWERS = 5

/** Settings for the session, without an answer until what follows asks for one. */
export function settings(text: string): Buffer {
  const statement = message('P', `${CLOCK}\0${text}\0`, 0)
  const bound = message('B', `${CLOCK}\0${CLOCK}\0`, 0, 0, 0)
  const executed = Buffer.concat([message('E', `${CLOCK}\0`), Buffer.alloc(4)])
  executed.writeInt32BE(executed.length - 1, 1)
  const closed = ['P', 'S'].map((what) => message('C', `${what}${CLOCK}\0`))
  return Buffer.concat([statement, bound, executed, ...closed])
}

function message(type: string, text: string, ...counts: readonly number[]): Buffer {
  const body = Buffer.from(text, 'utf8')
  const whole = Buffer.alloc(5 + body.length + 2 * counts.length)
  whole.write(type)
  whole.writeInt32BE(whole.length - 1, 1)
  body.copy(whole, 5)
  for (const [i, count] of counts.entries()) whole.writeInt16BE(count, 5 + body.length + 2 * i)
  return whole
}

/** Splits what was received into messages; what is left is the beginning of the next one. */
export function messagesOf(bytes: Buffer): { messages: Buffer[]; rest: Buffer } {
  const messages: Buffer[] = []
  let at = 0
  while (bytes.length - at >= 5) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    if (end > bytes.length) break
    messages.push(bytes.subarray(at, end))
    at = end
  }
  return { messages, rest: bytes.subarray(at) }
}

/** Follows one session: what it owes, and whether a transaction is open. */
export class Conversation {
  private readonly expected: Expected[] = []
  private readonly statements = new Map<string, string>()
  /** I: idle, T: in a transaction, E: in one that has failed. */
  status = 'I'
  pid = 0
  /** What the last statements were, and what they came to, for the trace. */
  texts: string[] = []
  tags: string[] = []

  get isWhole(): boolean {
    return this.expected.length === 0
  }

  begin(): void {
    this.expected.push('startup')
  }

  /** What was set goes first, and its answers are the simulator's. */
  tellTime(): void {
    for (let i = 0; i < CLOCK_ANSWERS; i += 1) this.expected.push('clock')
  }

  sent(chunk: Buffer): void {
    this.texts = []
    this.tags = []
    for (const message of messagesOf(chunk).messages) {
      const type = String.fromCharCode(message[0] ?? 0)
      const answer = ANSWERS[type]
      if (answer !== undefined) this.expected.push(answer)
      if (type === 'Q') this.texts.push(textAt(message, 5))
      if (type === 'P') {
        const name = textAt(message, 5)
        const text = textAt(message, 6 + Buffer.byteLength(name))
        this.statements.set(name, text)
        this.texts.push(text)
      }
      if (type === 'B') {
        const portal = textAt(message, 5)
        const name = textAt(message, 6 + Buffer.byteLength(portal))
        this.texts.push(this.statements.get(name) ?? name)
      }
    }
  }

  /** Reads an answer, and returns what of it the client is to see. */
  received(messages: readonly Buffer[]): Buffer[] {
    return messages.filter((message) => this.isForClient(message))
  }

  private isForClient(message: Buffer): boolean {
    const { expected } = this
    const type = String.fromCharCode(message[0] ?? 0)
    const [next] = expected
    // Notifications come when the server likes: in a run all of them are lost.
    if (type === 'A') return false
    if (type === 'K') this.pid = message.readInt32BE(5)
    if (type === 'Z') this.status = String.fromCharCode(message[5] ?? 0)
    if (next === 'clock' && type !== 'E') {
      // Neither a setting that the server reports nor a notice is an answer.
      if (type !== 'S' && type !== 'N') expected.shift()
      return false
    }
    if (next === 'startup') {
      const isAsking = type === 'R' && message.readInt32BE(5) !== 0
      if (type === 'Z' || type === 'E' || isAsking) expected.shift()
      return true
    }
    if (type === 'C') this.tags.push(textAt(message, 5))
    if (type === 'E') {
      this.tags.push(`error ${fieldsOf(message).get('C') ?? ''}`)
      while (expected.length > 0 && expected[0] !== 'ready') expected.shift()
    } else if (type === 'Z') {
      expected.splice(0, expected.indexOf('ready') + 1)
    } else if (next !== 'ready' && ANSWERED[type] === next) expected.shift()
    return true
  }
}

function textAt(message: Buffer, start: number): string {
  const end = message.indexOf(0, start)
  return message.subarray(start, end < 0 ? message.length : end).toString('utf8')
}

/** The fields of an error, by their letter: C is its code. */
function fieldsOf(message: Buffer): Map<string, string> {
  const texts = message.subarray(5).toString('utf8').split('\0')
  return new Map(texts.filter((text) => text !== '').map((text) => [text.charAt(0), text.slice(1)]))
}
