/** `bun dev/eventTable.ts` writes the table of events in docs/webhooks.md from the code; `--check` only compares. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../core/events/eventTypes.ts'

const DOCUMENT = join(import.meta.dirname, '../docs/webhooks.md')
const BEGIN = '<!-- events: written by `bun dev/eventTable.ts` -->\n'
const END = '<!-- end of events -->\n'

/** The table, one row per type, in the order of the code. */
export function eventTable(): string {
  const rows = EVENT_TYPE_NAMES.map((type) => {
    const { object, about } = EVENT_TYPES[type]
    return `| \`${type}\` | ${object} | ${about} |`
  })
  return ['| event | `data` | when |', '|---|---|---|', ...rows, ''].join('\n')
}

/** Replaces the table in a text. Throws if the text has no markers for it. */
export function withEventTable(text: string): string {
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END)
  if (begin < 0 || end < begin) throw new Error('the text has no markers for the table of events')
  return text.slice(0, begin + BEGIN.length) + eventTable() + text.slice(end)
}

if (import.meta.main) {
  const text = readFileSync(DOCUMENT, 'utf8')
  const wanted = withEventTable(text)
  if (process.argv.includes('--check')) process.exitCode = text === wanted ? 0 : 1
  else writeFileSync(DOCUMENT, wanted)
}
