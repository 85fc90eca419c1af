import type { LogFn } from 'pino'
import { cleanText, EXCERPT_LENGTH, excerpt } from './text.ts'

/**
 * What every process writes into its log in the same way. Errors of nodes carry the URL, which holds a
 * key, and the whole request, which holds payers' signatures; so of an error only what is listed here
 * is written. Callers choose much of what is logged, so every text is cut, at any depth.
 */

/** An error as a log shows it: a few short lines, however large it was. */
export interface LoggedError {
  readonly name: string
  /** One line without URLs. */
  readonly message: string
  readonly code?: string | number
  /** ConnectionLimit in our own code, the innermost first. */
  readonly stack?: readonly string[]
  readonly cause?: LoggedError
}

/** Our own sentences, which may repeat a word of a caller's. */
const SENTENCES: ReadonlySet<string> = new Set(['message', 'reason', 'note', 'answer'])
const LONGEST_MESSAGE = 300
const MOST_ELEMENTS = 100
const DEEPEST = 4
/** A transaction's hash is no use without its end. */
const HASH = /^0x[0-9a-f]{64}$/
const LONG_WORDS = new RegExp(`\\S{${EXCERPT_LENGTH + 1},}`, 'g')
const MOST_FRAMES = 8
const MOST_CAUSES = 2
const MOST_COPIES = 5
const URLS = /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi
const FRAME = /^\s+at (.{1,300}:\d+:\d+\)?)$/

/** The options of a log, for pino. Values logged as `err` are written in the short form. */
export function logOptions<Level extends string>(process: string, level: Level) {
  return {
    level,
    base: { process },
    serializers: { err: loggedError },
    formatters: { log: cutAll },
    hooks: { logMethod: logWithMessage },
  }
}

/** Where a line has an error and no message, pino would take the whole text of the error for one. */
function logWithMessage(
  this: unknown,
  [fields, ...message]: Parameters<LogFn>,
  write: LogFn,
): void {
  const error = fields instanceof Error ? fields : errIn(fields)
  const isWithout = message[0] === undefined && error !== undefined
  write.apply(this, isWithout ? [fields, shortMessage(error)] : [fields, ...message])
}

function errIn(fields: unknown): unknown {
  return isObject(fields) && 'err' in fields ? fields.err : undefined
}

/** The fields of a line with every text cut. Errors are left for their own short form. */
function cutAll(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      excerpt(name),
      name === 'err' ? value : cut(value, SENTENCES.has(name), 1),
    ]),
  )
}

function cut(value: unknown, isSentence: boolean, depth: number): unknown {
  if (typeof value === 'string') return isSentence ? cutSentence(value) : cutValue(value)
  if (value instanceof Error) return loggedError(value)
  if (!isObject(value) || value instanceof Date) return value
  if (depth > DEEPEST) return '…'
  if (Array.isArray(value)) {
    return value.slice(0, MOST_ELEMENTS).map((one) => cut(one, isSentence, depth + 1))
  }
  const entries = Object.entries(value).slice(0, MOST_ELEMENTS)
  return Object.fromEntries(
    entries.map(([name, one]) => [excerpt(name), cut(one, SENTENCES.has(name), depth + 1)]),
  )
}

function cutValue(text: string): string {
  return HASH.test(text) ? text : excerpt(text)
}

function cutSentence(text: string): string {
  const beginning = excerpt(text, LONGEST_MESSAGE)
  return beginning.replace(LONG_WORDS, cutValue)
}

/** The short form of a thrown value. */
export function loggedError(error: unknown): LoggedError {
  return shorten(error, MOST_CAUSES)
}

/** The first line of an error's message, shortened and without URLs. */
export function shortMessage(error: unknown): string {
  const message = isObject(error) ? textOf(error, 'message') : String(error)
  const [line = ''] = message.split('\n', 1)
  return cutSentence(cleanText(withoutUrls(line), 2 * LONGEST_MESSAGE))
}

/** A node's or gateway's error, fit to be stored and shown: on one line, shortened and without URLs. */
export function nodeText(text: string): string {
  return cleanText(withoutUrls(text))
}

/** The beginning of a text without URLs, which may hold keys; they go before it is shortened to what is shown. */
function withoutUrls(text: string): string {
  return text.slice(0, 4 * LONGEST_MESSAGE).replace(URLS, '<url>')
}

function shorten(error: unknown, causes: number): LoggedError {
  const message = shortMessage(error)
  if (!isObject(error)) return { name: typeof error, message }
  const stack = ownFrames(textOf(error, 'stack'))
  return {
    name: excerpt(textOf(error, 'name')) || 'Error',
    message,
    ...codeOf(error),
    ...(stack.length > 0 && { stack }),
    ...(causes > 0 && causeOf(error, message, causes)),
  }
}

/** What caused an error. viem wraps an error in copies of itself, which are skipped. */
function causeOf(error: object, message: string, causes: number): Pick<LoggedError, 'cause'> {
  let cause = 'cause' in error ? error.cause : undefined
  for (let copies = 0; copies < MOST_COPIES && isObject(cause); copies += 1) {
    if (shortMessage(cause) !== message || !('cause' in cause)) break
    cause = cause.cause
  }
  return isObject(cause) ? { cause: shorten(cause, causes - 1) } : {}
}

/** The stack begins with the whole message, so only lines in the form of frames are taken. */
function ownFrames(stack: string): string[] {
  const frames = stack.split('\n').flatMap((line) => FRAME.exec(line)?.[1] ?? [])
  return frames
    .filter((frame) => frame.includes('/') && !/node_modules|node:|:\/\//.test(frame))
    .slice(0, MOST_FRAMES)
}

function codeOf(error: object): Pick<LoggedError, 'code'> {
  if (!('code' in error)) return {}
  const { code } = error
  if (typeof code === 'number') return { code }
  return typeof code === 'string' ? { code: excerpt(code) } : {}
}

function textOf(error: object, field: 'name' | 'message' | 'stack'): string {
  const value: unknown = Reflect.get(error, field)
  return typeof value === 'string' ? value : ''
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
