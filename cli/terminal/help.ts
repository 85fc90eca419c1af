import type { CommandSpec } from './command.ts'
import { columns } from './output.ts'
import { COMMON_OPTIONS } from './parse.ts'

/** Help for all commands, for a group, or for one command. */

const INTRODUCTION = `The operator's command line of Remit.

Usage: bun run remit <command> [options]`

const OUTRO = `Settings come from the same environment variables as those of the servers. Without a
DATABASE_URL, REMIT_ENV or HUB_*, the development stack of \`bun run dev\` is used (REMIT_HOME, or .remit
here).

Exit codes: 0 done, 1 failed or differences found, 2 wrong usage.
For the help of a command: bun run remit <command> --help`

/** The help for these words; undefined for an unknown command. */
export function helpFor(
  words: readonly string[],
  commands: readonly CommandSpec[],
): string | undefined {
  const some = commands.filter((command) => words.every((word, i) => command.words[i] === word))
  const [only] = some
  if (!only) return undefined
  if (some.length === 1 && words.length === only.words.length) return commandHelp(only)
  const list = columns(some.map((command) => [`  ${call(command)}`, command.about]))
  if (words.length > 0) {
    return `Usage: bun run remit ${words.join(' ')} <command> [options]\n\n${list}\n\n${OUTRO}\n`
  }
  return `${INTRODUCTION}\n\n${list}\n\n${OUTRO}\n`
}

function commandHelp(command: CommandSpec): string {
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS })
  const named = options.map(([name, spec]) => {
    const value = 'value' in spec && spec.value ? ` ${spec.value}` : ''
    const isRequired = 'required' in spec && spec.required
    return [`  --${name}${value}`, isRequired ? `${spec.about} (required)` : spec.about]
  })
  const argument = command.argument ? [[`  ${command.argument.name}`, command.argument.about]] : []
  const parts = [
    command.about,
    `Usage: bun run remit ${call(command)}`,
    command.details,
    `Options:\n${columns([...argument, ...named])}`,
    `Examples:\n${command.examples.map((example) => `  bun run remit ${example}`).join('\n')}`,
  ]
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`
}

/** The usage of a command: its words, its argument and required options. */
function call(command: CommandSpec): string {
  const needed = Object.entries(command.options)
    .filter(([, spec]) => spec.required)
    .map(([name, spec]) => `--${name} ${spec.value ?? ''}`.trim())
  const hasMore = Object.values(command.options).some((spec) => !spec.required)
  const { name, isOptional = false } = command.argument ?? {}
  const argument = isOptional ? `[${name}]` : name
  const parts = [...command.words, argument, ...needed, hasMore ? '[options]' : '']
  return parts.filter((part) => part).join(' ')
}
