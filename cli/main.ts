import { type LoggedError, loggedError, shortMessage } from '../core/telemetry/logging.ts'
import { VERSION } from '../core/version.ts'
import { VariableError } from '../store/variables.ts'
import { COMMANDS } from './catalogue.ts'
import { CommandError, EXIT, UsageError } from './terminal/command.ts'
import { ENVIRONMENT, readSurroundings } from './terminal/environment.ts'
import { helpFor } from './terminal/help.ts'
import { printableLines, toJson } from './terminal/output.ts'
import { parse } from './terminal/parse.ts'

/**
 * `bun run remit <command>`: what an operator does until there is a dashboard. Results go to stdout,
 * everything else to stderr. Exit codes: 0 done, 1 failed or differences found, 2 wrong usage,
 * 143 told to end.
 */

async function main(argv: readonly string[]): Promise<number> {
  const isJson = argv.includes('--json')
  if (argv.length === 1 && argv[0] === '--version') {
    process.stdout.write(`${VERSION}\n`)
    return EXIT.ok
  }
  try {
    const parsed = parse(argv, COMMANDS)
    if (parsed.type === 'help') return showHelp(parsed.words)
    const { command, ...input } = parsed
    const surroundings = await readSurroundings(process.env)
    const say = (sentence: string): void => {
      if (!isJson) process.stderr.write(`${printableLines(sentence)}\n`)
    }
    const { source } = surroundings
    if (source !== ENVIRONMENT) say(`settings are the development stack's, from ${source}`)
    const outcome = await command.run({ words: command.words, ...input, ...surroundings, say })
    process.stdout.write(`${isJson ? toJson(outcome.json) : printableLines(outcome.text)}\n`)
    return outcome.exitCode ?? EXIT.ok
  } catch (error) {
    return report(error, isJson)
  }
}

function showHelp(words: readonly string[]): number {
  const help = helpFor(words, COMMANDS)
  if (help === undefined) throw new UsageError(`there is no command "${words.join(' ')}"`, [])
  process.stdout.write(help)
  return EXIT.ok
}

/** Says on stderr what went wrong; an unexpected error with its stack trace. */
function report(error: unknown, isJson: boolean): number {
  const isUsage = error instanceof UsageError
  const isExpected = isUsage || error instanceof CommandError || error instanceof VariableError
  const problems = problemsIn(error, isExpected)
  if (isJson) {
    const code = isUsage ? 'usage' : isExpected ? 'failed' : 'unforeseen'
    process.stderr.write(`${toJson({ error: { code, message: problems.join('; '), problems } })}\n`)
  } else {
    for (const problem of problems) process.stderr.write(`remit: ${printableLines(problem)}\n`)
    if (isUsage) {
      const words = ['bun run remit', ...error.words, '--help'].join(' ')
      process.stderr.write(`Try: ${words}\n`)
    }
    if (!isExpected) process.stderr.write(placesOf(loggedError(error)))
  }
  return isUsage ? EXIT.usage : EXIT.failed
}

/** Of an error that nobody foresaw only the short form, since its text may hold the URL of a node with its key. */
function problemsIn(error: unknown, isExpected: boolean): readonly string[] {
  if (error instanceof CommandError) return error.problems
  return [isExpected && error instanceof Error ? error.message : shortMessage(error)]
}

/** Where an error was thrown, the innermost place first, and what caused it. */
function placesOf({ name, stack = [], cause }: LoggedError): string {
  const places = [name, ...stack.map((place) => `    at ${place}`)].join('\n')
  return `${places}\n${cause ? `because of ${cause.message}\n${placesOf(cause)}` : ''}`
}

// As the first process of a container it would otherwise ignore the signal. What a command has begun in the
// database is undone there, because its connection ends.
process.once('SIGTERM', () => {
  // A command that ends by itself when it is told to has a listener of its own.
  if (process.listenerCount('SIGTERM') === 0) process.exit(EXIT.terminated)
})
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    process.exit(report(error, process.argv.includes('--json')))
  })
}
process.exitCode = await main(process.argv.slice(2))
