import { parseArgs } from 'node:util'
import { type CommandInput, type CommandSpec, UsageError } from './command.ts'
import { closest } from './suggest.ts'

/** Reads a command line against the catalogue of commands. */

export type ParsedLine =
  | { readonly type: 'help'; readonly words: readonly string[] }
  | ({ readonly type: 'run'; readonly command: CommandSpec } & Pick<
      CommandInput,
      'argument' | 'values' | 'switches'
    >)

/** Options of every command. */
export const COMMON_OPTIONS = {
  json: { about: 'Print one JSON document on stdout; errors as JSON on stderr.' },
  help: { about: 'Show this help.' },
} as const

/** Throws a UsageError for invalid input, with a suggestion. */
export function parse(argv: readonly string[], commands: readonly CommandSpec[]): ParsedLine {
  const { words, rest } = leadingWords(argv, commands)
  if (words[0] === 'help') return { type: 'help', words: words.slice(1) }
  if (rest.includes('--help') || rest.includes('-h')) return { type: 'help', words }
  const command = commands.find((entry) => same(entry.words, words))
  if (!command) throw unknownCommand(words, rest, commands)
  return { type: 'run', command, ...readOptions(rest, command) }
}

/** Matches words to a command; the rest are its argument and options. */
function leadingWords(argv: readonly string[], commands: readonly CommandSpec[]) {
  if (argv[0] === 'help') {
    return { words: argv.filter((word) => !word.startsWith('-')), rest: [] }
  }
  const words: string[] = []
  for (const word of argv) {
    const longer = [...words, word]
    if (!commands.some((command) => same(command.words.slice(0, longer.length), longer))) break
    words.push(word)
  }
  return { words, rest: argv.slice(words.length) }
}

function unknownCommand(
  words: readonly string[],
  rest: readonly string[],
  commands: readonly CommandSpec[],
): UsageError {
  const wrong = rest.find((word) => !word.startsWith('-'))
  const next = commands
    .filter((command) => same(command.words.slice(0, words.length), words))
    .flatMap((command) => command.words[words.length] ?? [])
  const choices = [...new Set(next)].join(', ')
  if (wrong === undefined) {
    const what =
      words.length === 0 ? 'a command is required' : `\`${words.join(' ')}\` needs a subcommand`
    return new UsageError(`${what}: ${choices}`, words)
  }
  const guess = closest(wrong, next)
  const meant = guess === undefined ? `available: ${choices}` : `did you mean "${guess}"?`
  return new UsageError(`unknown command "${[...words, wrong].join(' ')}"; ${meant}`, words)
}

function readOptions(args: readonly string[], command: CommandSpec) {
  const specs: CommandSpec['options'] = { ...command.options, ...COMMON_OPTIONS }
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(specs).map(([name, spec]) => [
        name,
        { type: spec.value === undefined ? ('boolean' as const) : ('string' as const) },
      ]),
    ),
  })
  const values = new Map<string, string>()
  const switches = new Set<string>()
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const spec = specs[token.name]
    if (!spec) throw unknownOption(token.rawName, Object.keys(specs), command)
    if (values.has(token.name)) throw fault(command, `--${token.name} is given twice`)
    if (spec.value === undefined) {
      if (token.value !== undefined) throw fault(command, `--${token.name} takes no value`)
      switches.add(token.name)
    } else values.set(token.name, optionValue(token, command, spec.value))
  }
  for (const [name, spec] of Object.entries(specs)) {
    if (spec.required && !values.has(name)) {
      throw fault(command, `--${name} ${spec.value ?? ''} is missing`)
    }
  }
  return { values, switches, argument: argumentOf(positionals, command) }
}

function optionValue(
  token: {
    readonly name: string
    readonly value?: string | undefined
    readonly inlineValue?: boolean | undefined
  },
  command: CommandSpec,
  placeholder: string,
): string {
  const { name, value } = token
  const isOption = !token.inlineValue && value?.startsWith('-')
  if (value === undefined || value === '' || isOption) {
    throw fault(command, `--${name} needs a value: --${name} ${placeholder}`)
  }
  return value
}

function argumentOf(positionals: readonly string[], command: CommandSpec): string | undefined {
  const [argument, extra] = command.argument ? positionals : [undefined, positionals[0]]
  if (extra !== undefined) throw fault(command, `unexpected argument "${extra}": remove it`)
  if (command.argument && !command.argument.isOptional && argument === undefined) {
    throw fault(command, `${command.argument.name} is missing`)
  }
  return argument
}

function unknownOption(raw: string, names: readonly string[], command: CommandSpec): UsageError {
  const guess = closest(raw.replace(/^-+/, ''), names)
  const known = names.map((name) => `--${name}`).join(', ')
  const meant = guess === undefined ? `available: ${known}` : `did you mean --${guess}?`
  return fault(command, `unknown option ${raw}; ${meant}`)
}

function fault(command: CommandSpec, message: string): UsageError {
  return new UsageError(message, command.words)
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, i) => word === b[i])
}
