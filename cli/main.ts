import { report, runLine } from './line.ts'
import { EXIT } from './terminal/command.ts'

/**
 * `bun run remit <command>`: the operator's command line. Results go to stdout,
 * everything else to stderr. Exit codes: 0 done, 1 failed or differences found, 2 wrong usage,
 * 143 terminated.
 */

const argv = process.argv.slice(2)
const err = (text: string) => void process.stderr.write(text)

// As the first process of a container it would otherwise ignore the signal. An open transaction of a command
// is rolled back, because its connection ends.
process.once('SIGTERM', () => {
  // A command that handles the signal has its own listener.
  if (process.listenerCount('SIGTERM') === 0) process.exit(EXIT.terminated)
})
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    process.exit(report(error, argv.includes('--json'), err))
  })
}
process.exitCode = await runLine(argv, {
  environment: process.env,
  out: (text) => void process.stdout.write(text),
  err,
})
