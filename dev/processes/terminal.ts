/** The output of the stack on the terminal: short lines with the name of the part. */
import { closeSync, openSync, readSync, statSync } from 'node:fs'

export type Say = (sentence: string) => void

const PLAIN = !process.stdout.isTTY || process.env.NO_COLOR !== undefined
const dim = (text: string) => (PLAIN ? text : `\x1b[2m${text}\x1b[0m`)
const bold = (text: string) => (PLAIN ? text : `\x1b[1m${text}\x1b[0m`)
const yellow = (text: string) => (PLAIN ? text : `\x1b[33m${text}\x1b[0m`)

/** Writes lines prefixed with the name of the part. */
export function sayAs(name: string): Say {
  return (sentence) => {
    for (const line of sentence.split('\n')) console.log(`${dim(name.padEnd(13))} ${line}`)
  }
}

/** The table of URLs and keys at the end of a start. */
export function printTable(title: string, places: readonly (readonly [string, string])[]): void {
  console.log(`\n${bold(title)}`)
  for (const [name, place] of places) console.log(`  ${name.padEnd(16)} ${place}`)
  console.log('')
}

/**
 * Prints new lines of a child's log: warnings and errors of its structured log, and
 * all unstructured lines. The log itself keeps everything. Returns a function that stops it.
 *
 * The child writes to the file instead of a pipe, so that it survives a killed launcher.
 */
export function showLog(name: string, file: string): () => void {
  const say = sayAs(name)
  const buffer = Buffer.alloc(64 * 1024)
  let position = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  let rest = ''
  const read = () => {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (size <= position) return
    const descriptor = openSync(file, 'r')
    try {
      for (;;) {
        const length = readSync(descriptor, buffer, 0, buffer.length, position)
        if (length === 0) break
        position += length
        const lines = (rest + buffer.toString('utf8', 0, length)).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const shown = humanLine(line)
          if (shown !== undefined) say(shown)
        }
      }
    } finally {
      closeSync(descriptor)
    }
  }
  const timer = setInterval(read, 250)
  return () => {
    clearInterval(timer)
    read()
  }
}

const WARN = 40
/** Level names, for logs without pino's numbers. */
const LEVELS: Readonly<Record<string, number>> = { warn: WARN, error: 50, fatal: 60 }

function humanLine(line: string): string | undefined {
  if (line.trim() === '') return undefined
  if (!line.startsWith('{')) return line
  const entry = parse(line)
  if (entry === undefined) return line
  const { level, msg, err, error } = entry
  const severity = LEVELS[String(level).toLowerCase()] ?? Number(level)
  if (!(severity >= WARN)) return undefined
  const cause = messageOf(err) ?? messageOf(error)
  const text = [msg, cause].filter((part) => typeof part === 'string' && part !== '').join(': ')
  return yellow(text.slice(0, 400))
}

function messageOf(fault: unknown): string | undefined {
  if (typeof fault === 'string') return fault
  if (typeof fault !== 'object' || fault === null || !('message' in fault)) return undefined
  return String(fault.message)
}

/** Parses lines that begin like an object; invalid JSON is printed unchanged. */
function parse(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
