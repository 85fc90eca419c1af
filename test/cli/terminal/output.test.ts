import { describe, expect, test } from 'bun:test'
import { columns, printable, printableLines, table, toJson } from '../../../cli/terminal/output.ts'

/** Text of others on an operator's terminal. */

const RED = '\x1b[31m'
/** Clears the screen, moves the cursor, sets the title, in both alphabets of control characters. */
const EVIL = `shop${RED}\x1b[2J\x9b2J\x1b]0;title\x07\r\nfake line\u202eright to left\x7f`

const OBEYED = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

describe('what others wrote', () => {
  test('is shown with its control characters as numbers', () => {
    expect(printable('a\x1b[31mb\x07\n\x9b\u202e')).toBe('a\\x1b[31mb\\x07\\x0a\\x9b\\u202e')
    expect(printable('Café – 10 € ✓')).toBe('Café – 10 € ✓')
  })

  test('makes no line of its own in a table, and moves nothing', () => {
    const shown = table(
      [{ name: EVIL }, { name: 'plain' }],
      [
        { title: 'NAME', cell: ({ name }) => name },
        { title: 'AGE', cell: () => '3 s' },
      ],
      'none',
    )
    const lines = shown.split('\n')
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(line).not.toMatch(OBEYED)
    expect(new Set(lines.map((line) => line.replace(/(AGE|3 s)$/, '').length)).size).toBe(1)
    expect(columns([['name', EVIL]])).not.toMatch(OBEYED)
  })

  test('is harmless in sentences, whose lines stay lines', () => {
    const shown = printableLines(`first ${RED}line\nsecond\tline`)
    expect(shown).toBe('first \\x1b[31mline\nsecond\\x09line')
  })

  test('is harmless in JSON, and reads as what it was', () => {
    const json = toJson({ name: EVIL })
    expect(json.replaceAll('\n', '')).not.toMatch(OBEYED)
    expect(JSON.parse(json)).toEqual({ name: EVIL })
  })
})
