import pino from 'pino'
import { openChain } from '../chain/rpc/client.ts'
import { logOptions } from '../core/base/logging.ts'
import { type IndexerConfig, parseIndexerConfig } from '../core/config/processes.ts'
import { type Variables, withoutSigningKeys } from '../core/config/reader.ts'
import { endAtLatest } from '../metrics/process/ending.ts'
import { endOnFault } from '../metrics/process/faults.ts'
import { readyFile } from '../metrics/process/readyFile.ts'
import { noteIndexed } from '../store/chain/indexedTokens.ts'
import { notifyOfTransfers } from '../store/chain/transfers.ts'
import { rightsProblems } from '../store/database/access.ts'
import { openDatabase } from '../store/database/database.ts'
import { indexerLeadership, schemaLeadership } from '../store/database/leadership.ts'
import { schemaProblems } from '../store/database/migrate.ts'
import { poolerProblems } from '../store/database/pooler.ts'
import { readVariables, VariableError } from '../store/database/variables.ts'
import {
  FOLLOWED,
  followedOf,
  followedText,
  tokensToFollow,
  withFollowed,
} from './deployment/followed.ts'
import { deploymentSchema } from './deployment/schemaName.ts'
import { openHandover } from './supervision/handover.ts'
import { GiveUp, supervisePonder } from './supervision/supervisor.ts'

/** `bun run indexer`: finds payments on every chain that is switched on, and serves GraphQL. */

const HELP = `bun run indexer

Runs Ponder on every chain that has an RPC URL: transfers to watched addresses become rows that the
workers read, and GraphQL for analytics is served on GRAPHQL_PORT. One indexer works on a database.
A second one waits until the first has ended; if its release or its chains are others, it fills tables of its own
beside it, and takes over when it has come as far. READY_FILE names a file that exists while a rollout may continue.
`

async function main(): Promise<void> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(HELP)
    return
  }
  const variables = await readVariables(process.env).catch((error: unknown) => {
    if (error instanceof VariableError) return refuse([error.message])
    throw error
  })
  const parsed = parseIndexerConfig(variables)
  if (!parsed.ok) return refuse(parsed.problems)
  await run(parsed.config, variables)
}

/** Reports what is wrong, a sentence per problem, and exits. */
function refuse(problems: readonly string[]): never {
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exit(1)
}

async function run(given: IndexerConfig, variables: Variables): Promise<void> {
  const log = pino(logOptions('indexer', given.logLevel))
  endOnFault(log)
  const found = await Promise.all([
    poolerProblems(given.directUrl),
    schemaProblems(given.directUrl),
    rightsProblems(given.directUrl, 'indexer'),
  ])
  const [faults] = found.filter((problems) => problems.length > 0)
  if (faults !== undefined) return refuse(faults)
  const graphqlPort = given.graphqlPort || (await freePort())
  let silences = 0
  const database = openDatabase(given.directUrl, {
    ...{ name: 'remit-indexer', poolSize: 2, silenceMs: given.silenceMs },
    onSilence: () => {
      silences += 1
    },
  })
  const clients = given.chains.map(openChain)
  const tokens = await tokensToFollow(database, clients, given.hub, log)
  const config = withFollowed({ ...given, graphqlPort }, tokens)
  const followed = followedOf(config)
  const schema = await deploymentSchema(config)
  const turn = indexerLeadership(config.directUrl, config.silenceMs)
  const own = schemaLeadership(config.directUrl, schema, config.silenceMs)
  const onReady = readyFile(config.readyFile)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
  stop.signal.addEventListener('abort', () => endAtLatest({ ...config, log }, 0))
  try {
    await supervisePonder({
      config,
      variables: { ...withoutSigningKeys(variables), [FOLLOWED]: followedText(followed) },
      schema,
      database,
      silences: () => silences,
      clients,
      handover: openHandover({
        ...{ database, schema, own, turn, log, onReady },
        async onShown() {
          await database.begin((sql) => notifyOfTransfers(sql, schema))
          await noteIndexed(database, followed)
        },
      }),
      log,
      stop: stop.signal,
    })
  } catch (error) {
    if (!(error instanceof GiveUp)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  } finally {
    onReady(false)
    await Promise.all([database.end({ timeout: 2 }), turn.release(), own.release()])
  }
  process.exit()
}

/** Any port that is free on this machine at this moment, for GRAPHQL_PORT=0. */
async function freePort(): Promise<number> {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = server
  server.stop()
  return port
}

await main()
