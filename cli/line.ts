import { type LoggedError, loggedError, shortMessage } from '../core/base/logging.ts'
import { VERSION } from '../core/base/version.ts'
import type { Variables } from '../core/config/reader.ts'
import { VariableError } from '../store/database/variables.ts'
import { COMMANDS } from './catalogue.ts'
import { CommandError, EXIT, UsageError } from './terminal/command.ts'
import { ENVIRONMENT, readSurroundings } from './terminal/environment.ts'
import { helpFor } from './terminal/help.ts'
import { printableLines, toJson } from './terminal/output.ts'
import { parse } from './terminal/parse.ts'

/** Runs one command line, for the process and for tests. */

/** The caller of a command line. Results go to `out`, everything else to `err`. */
export interface Caller {
  readonly environment: Variables
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

/** Runs a command line. Returns its exit code; errors are reported to the caller, and not thrown. */
export async function runLine(argv: readonly string[], caller: Caller): Promise<number> {
  const isJson = argv.includes('--json')
  const { environment, out, err } = caller
  if (argv.length === 1 && argv[0] === '--version') {
    out(`${VERSION}\n`)
    return EXIT.ok
  }
  try {
    const parsed = parse(argv, COMMANDS)
    if (parsed.type === 'help') {
      out(helpOn(parsed.words))
      return EXIT.ok
    }
    const { command, ...input } = parsed
    const surroundings = await readSurroundings(environment)
    const say = (sentence: string): void => {
      if (!isJson) err(`${printableLines(sentence)}\n`)
    }
    const { source } = surroundings
    if (source !== ENVIRONMENT) say(`using the settings of the development stack in ${source}`)
    const outcome = await command.run({ words: command.words, ...input, ...surroundings, say })
    out(`${isJson ? toJson(outcome.json) : printableLines(outcome.text)}\n`)
    return outcome.exitCode ?? EXIT.ok
  } catch (error) {
    return report(error, isJson, err)
  }
}

/** @throws UsageError for an unknown command. */
function helpOn(words: readonly string[]): string {
  const help = helpFor(words, COMMANDS)
  if (help === undefined) throw new UsageError(`there is no command "${words.join(' ')}"`, [])
  return help
}

/** Reports an error; an unexpected one with its stack trace. */
export function report(error: unknown, isJson: boolean, err: Caller['err']): number {
  const isUsage = error instanceof UsageError
  const isExpected = isUsage || error instanceof CommandError || error instanceof VariableError
  const problems = problemsIn(error, isExpected)
  if (isJson) {
    const code = isUsage ? 'usage' : isExpected ? 'failed' : 'unforeseen'
    err(`${toJson({ error: { code, message: problems.join('; '), problems } })}\n`)
  } else {
    for (const problem of problems) err(`remit: ${printableLines(problem)}\n`)
    if (isUsage) {
      const words = ['bun run remit', ...error.words, '--help'].join(' ')
      err(`Try: ${words}\n`)
    }
    if (!isExpected) err(framesOf(loggedError(error)))
  }
  return isUsage ? EXIT.usage : EXIT.failed
}

/** Unexpected errors only in short form, as their text may contain a node's URL with its key. */
function problemsIn(error: unknown, isExpected: boolean): readonly string[] {
  if (error instanceof CommandError) return error.problems
  return [isExpected && error instanceof Error ? error.message : shortMessage(error)]
}

/** The stack trace of an error, the innermost frame first, and its cause. */
function framesOf({ name, stack = [], cause }: LoggedError): string {
  const frames = [name, ...stack.map((frame) => `    at ${frame}`)].join('\n')
  return `${frames}\n${cause ? `caused by ${cause.message}\n${framesOf(cause)}` : ''}`
}
