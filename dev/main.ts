/**
 * `bun run dev`: a complete Remit on this machine. This file and its imports
 * only use Bun's own modules, because dependencies may not be installed yet; the rest is loaded
 * afterwards.
 */
import { resolve } from 'node:path'
import { continueAs, installDependencies } from './install.ts'
import { StackError } from './processes/child.ts'
import { sayAs } from './processes/terminal.ts'

const HELP = `Usage: bun run dev [--fresh]

Starts services that the environment does not configure: Postgres without DATABASE_URL, Redis without
REDIS_URL, local chains without any RPC_URL_<NETWORK>. Then migrates, deploys the contracts, creates a demo
merchant and runs indexer, API and worker. Ctrl-C stops everything; the next start continues.

  --fresh   Delete databases, chains and keys of earlier starts and start again.

Ports: PORT (3000), GRAPHQL_PORT (42069), POSTGRES_PORT (54329), REDIS_PORT (63799),
RPC_PORT_BASE_SEPOLIA (8545), RPC_PORT_SEPOLIA (8546); 0 is any free one.
REMIT_HOME is the folder used instead of .remit.`

/** Passes the start time on to the process that continues after an installation. */
const STARTED_AT = 'REMIT_DEV_STARTED_AT'
const root = resolve(import.meta.dir, '..')

async function main(args: readonly string[]): Promise<number> {
  const startedAt = Number(process.env[STARTED_AT] ?? Date.now())
  delete process.env[STARTED_AT]
  if (args.includes('--help') || args.includes('-h')) {
    console.log(HELP)
    return 0
  }
  const unknown = args.find((arg) => arg !== '--fresh')
  if (unknown !== undefined) throw new StackError(`Unknown option ${unknown}.\n\n${HELP}`)
  const say = sayAs('remit')
  if (await installDependencies(root, say)) {
    say(`dependencies installed (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
    continueAs(process.argv.slice(1), { ...process.env, [STARTED_AT]: String(startedAt) })
  }
  const { runStack } = await import('./stack/start.ts')
  return await runStack({ root, fresh: args.includes('--fresh'), startedAt, say })
}

try {
  process.exit(await main(process.argv.slice(2)))
} catch (error) {
  // A user's error is printed as a message; anything else is a bug, with its stack trace.
  console.error(error instanceof StackError ? `\n${error.message}` : error)
  process.exit(1)
}
