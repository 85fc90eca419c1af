import { describe, expect, test } from 'bun:test'
import { COMMANDS } from '../../../cli/catalogue.ts'
import { UsageError } from '../../../cli/terminal/command.ts'
import { helpFor } from '../../../cli/terminal/help.ts'
import { table } from '../../../cli/terminal/output.ts'
import { parse } from '../../../cli/terminal/parse.ts'
import { closest } from '../../../cli/terminal/suggest.ts'
import { VERSION } from '../../../core/base/version.ts'
import { remit, remitProcess } from '../../support/cli/run.ts'

test('--version says which release this is', async () => {
  const ran = await remitProcess({}, '--version')
  expect(ran).toMatchObject({ code: 0, err: '' })
  expect(ran.out.trim()).toBe(VERSION)
})

describe('help', () => {
  test('lists every command, and explains each with an example that can be parsed', () => {
    const all = helpFor([], COMMANDS) ?? ''
    for (const command of COMMANDS) {
      expect(all).toContain(command.words.join(' '))
      const help = helpFor(command.words, COMMANDS) ?? ''
      expect(help).toContain(command.about)
      for (const option of Object.keys(command.options)) expect(help).toContain(`--${option}`)
      expect(command.examples.length).toBeGreaterThan(0)
      for (const example of command.examples) {
        const parsed = parse(wordsOf(example), COMMANDS)
        expect(parsed.type === 'run' && parsed.command).toBe(command)
      }
    }
  })

  test('is there for a group of commands, and in three ways', () => {
    expect(parse(['merchant', '--help'], COMMANDS)).toEqual({ type: 'help', words: ['merchant'] })
    expect(parse(['help', 'merchant'], COMMANDS)).toEqual({ type: 'help', words: ['merchant'] })
    expect(parse(['-h'], COMMANDS)).toEqual({ type: 'help', words: [] })
    const group = helpFor(['merchant'], COMMANDS) ?? ''
    expect(group).toContain('merchant create')
    expect(group).not.toContain('relayer list')
  })

  test('goes to stdout with exit code 0, also before any configuration', async () => {
    const ran = await remit({}, '--help')
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toContain('Exit codes: 0 done, 1 failed or differences found, 2 wrong usage.')
  })
})

describe('a command line that is wrong', () => {
  const wrong: readonly [line: string, message: string][] = [
    ['', 'a command is required: '],
    ['merchant', '`merchant` needs a subcommand: create, list, show'],
    ['mercant list', 'unknown command "mercant"; did you mean "merchant"?'],
    ['merchant lsit', 'unknown command "merchant lsit"; did you mean "list"?'],
    ['frobnicate', 'unknown command "frobnicate"; available: '],
    ['merchant create --nmae x', 'unknown option --nmae; did you mean --name?'],
    ['merchant create --nam x', 'unknown option --nam; did you mean --name?'],
    ['merchant create --zzz x', 'unknown option --zzz; available: --name, --recipient'],
    ['merchant create', '--name NAME is missing'],
    ['merchant create --name', '--name needs a value: --name NAME'],
    ['merchant create --name --recipient 0x1', '--name needs a value'],
    ['merchant create --name a --name b', '--name is given twice'],
    ['merchant create --name a b', 'unexpected argument "b": remove it'],
    ['merchant list --json=yes', '--json takes no value'],
    ['merchant show', 'ID is missing'],
  ]
  for (const [line, message] of wrong) {
    test(`"${line}" is answered with what was meant`, () => {
      expect(() => parse(wordsOf(line), COMMANDS)).toThrow(UsageError)
      expect(() => parse(wordsOf(line), COMMANDS)).toThrow(message)
    })
  }

  test('exits with 2, says so on stderr and points at the right help', async () => {
    const ran = await remitProcess({}, 'merchant', 'create', '--nmae', 'x')
    expect(ran).toMatchObject({ code: 2, out: '' })
    expect(ran.err).toBe(
      'remit: unknown option --nmae; did you mean --name?\nTry: bun run remit merchant create --help\n',
    )
  })

  test('answers with JSON on stderr when JSON was asked for', async () => {
    const ran = await remit({}, 'merchant', 'show', 'unknown', '--json')
    expect(ran).toMatchObject({ code: 2, out: '' })
    expect(JSON.parse(ran.err)).toMatchObject({
      error: { code: 'usage', message: "ID must be a merchant's id (a UUID), not unknown" },
    })
  })
})

test('a value may begin with a dash when it is joined by "="', () => {
  const parsed = parse(['merchant', 'create', '--name=-x-'], COMMANDS)
  expect(parsed.type === 'run' && parsed.values.get('name')).toBe('-x-')
})

test('a guess is made only where it is near', () => {
  const words = ['merchant', 'invoices', 'reconcile', 'hub']
  expect(closest('invoice', words)).toBe('invoices')
  expect(closest('reconcil', words)).toBe('reconcile')
  expect(closest('rec', words)).toBe('reconcile')
  expect(closest('hbu', words)).toBe('hub')
  expect(closest('xyz', words)).toBeUndefined()
})

test('a table keeps figures to the right and says what an empty one means', () => {
  const shown = [
    { title: 'NAME', cell: (row: { name: string }) => row.name },
    { title: 'N', cell: (row: { name: string }) => String(row.name.length), isFigure: true },
  ]
  expect(table([{ name: 'a' }, { name: 'a long name' }], shown, 'none')).toBe(
    ['NAME          N', 'a             1', 'a long name  11'].join('\n'),
  )
  expect(table([], shown, 'none')).toBe('none')
})

/** Splits like a shell as far as the examples need it. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '')
}
