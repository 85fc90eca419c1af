import { shortHash } from './trace.ts'

/** As much of Postgres' protocol as the simulator reads and writes. */

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

/** A message of a type with what follows its length. */
export function messageOf(type: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const head = Buffer.alloc(5)
  const body = parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part))
  head.write(type)
  head.writeInt32BE(4 + body.reduce((sum, { length }) => sum + length, 0), 1)
  return Buffer.concat([head, ...body])
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

/** A text that ends with a zero. */
export function textAt(message: Buffer, start: number): string {
  const end = message.indexOf(0, start)
  return message.toString('utf8', start, end < 0 ? message.length : end)
}

/** The fields of an error, by their letter: C is its code. */
export function fieldsOf(message: Buffer): Map<string, string> {
  const texts = message.subarray(5).toString('utf8').split('\0')
  return new Map(texts.filter((text) => text !== '').map((text) => [text.charAt(0), text.slice(1)]))
}

/** Statements that need no time, or that must be the first in their transaction. */
const ABOUT_TRANSACTION = /^(begin|commit|rollback|savepoint|release)\b/

export function isAboutTransaction(chunk: Buffer): boolean {
  return chunk[0] === 0x51 && ABOUT_TRANSACTION.test(chunk.toString('latin1', 5, 20))
}

/** Whether a message does nothing but begin a transaction. */
export function isBeginOf(message: Buffer): boolean {
  return message[0] === 0x51 && BEGINS.test(textAt(message, 5))
}

export const BEGINS = /^begin\b/

/** The numbers of sessions differ from run to run. */
const UNREPEATABLE = /pg_backend_pid|pg_terminate_backend|pg_stat_activity/
const SHOWN_CHARACTERS = 160

interface Shown {
  readonly text: string
  readonly isRepeatable: boolean
}

const shown = new Map<string, Shown>()

/** As much of a statement as a trace shows. */
export function shownOf(statement: string): Shown {
  const known = shown.get(statement)
  if (known !== undefined) return known
  const text = statement
    .replace(/\s+/g, ' ')
    .replace(/\bpid = \d+/g, 'pid')
    .trim()
    .slice(0, SHOWN_CHARACTERS)
  const made = { text, isRepeatable: !UNREPEATABLE.test(statement) }
  shown.set(statement, made)
  return made
}

/** A line about what a client asked and was answered. */
export function lineOf(
  texts: readonly string[],
  tags: readonly string[],
  chunk: Buffer,
  answer: Buffer,
): Shown {
  if (texts.length === 0) return { text: 'is opened or synchronised', isRepeatable: true }
  const shown = texts.map(shownOf)
  const isRepeatable = shown.every((each) => each.isRepeatable)
  const hash = isRepeatable ? `${shortHash(chunk)} ${shortHash(answer)}` : '-'
  const text = shown.map((each) => each.text).join('; ')
  return { text: `${text} > ${tags.join(', ')} ${hash}`, isRepeatable }
}
