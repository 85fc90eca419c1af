/** Starts servers, schema, contracts, demo merchant and entry points in order, and stops them. */

import { hubVersionProblems } from '../../chain/hub/version.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Variables } from '../../core/config/reader.ts'
import type { WorkerConfig } from '../../core/config/worker.ts'
import { openRoles, settleAccess } from '../../store/database/access.ts'
import { openDatabase } from '../../store/database/database.ts'
import { migrate } from '../../store/database/migrate.ts'
import { readVariables, VariableError } from '../../store/database/variables.ts'
import { StackError } from '../processes/child.ts'
import { Lifecycle, Stops } from '../processes/lifecycle.ts'
import { printTable, type Say } from '../processes/terminal.ts'
import { type DemoUser, demoUser } from './demoUser.ts'
import { apiUrlOf, type Description, describeStack } from './description.ts'
import {
  type DatabaseUrls,
  type Launch,
  startEntryPoints,
  untilAnswering,
  untilReady,
} from './entries.ts'
import {
  checkVariables,
  environmentFile,
  refuseDevelopmentKeys,
  stackVariables,
} from './environment.ts'
import { claimHome, type Home, openHome, stopLeftovers, wipe, writeSecret } from './home.ts'
import { deployHub } from './hub.ts'
import { type DevelopmentKeys, developmentKeys } from './keys.ts'
import { demoMerchant } from './merchant.ts'
import { findMismatch } from './mismatch.ts'
import { type Servers, startServers } from './servers.ts'
import {
  claimPorts,
  type EntryPorts,
  LOCAL_NETWORK_IDS,
  readSettings,
  type Settings,
} from './settings.ts'
import { Steps, together } from './steps.ts'

export type StackOptions = {
  root: string
  fresh: boolean
  startedAt: number
  say: Say
  launch?: Launch
}

/** Longer than any step of a start except an installation. */
const LONGEST_STEP_MS = 20_000

type Start = StackOptions & {
  own: Variables
  settings: Settings
  home: Home
  life: Lifecycle
  steps: Steps
}

/** Runs until a signal (0) or until a part keeps failing (throws StackError with the end of its log). */
export async function runStack(options: StackOptions): Promise<number> {
  const life = new Lifecycle(options.say)
  const home = openHome(options.root, process.env.REMIT_HOME)
  let failure: unknown
  const start = bringUp(options, home, life).catch((error: unknown) => {
    // An interrupted start fails somewhere: report the interruption instead.
    if (!life.hasEnded()) failure = error
    life.end('signal')
  })
  const ending = await life.over
  if (failure === undefined) {
    options.say(ending === 'signal' ? 'stopping …' : 'a part keeps failing, stopping the rest …')
  }
  // Parts are stopped after the running step of the start: steps are short, and the start checks between them.
  await Promise.race([start, Bun.sleep(LONGEST_STEP_MS)])
  await life.stopAll()
  if (failure !== undefined) throw failure
  if (ending !== 'signal') throw ending
  options.say('stopped; the next start continues from here')
  return 0
}

async function bringUp(options: StackOptions, home: Home, life: Lifecycle): Promise<void> {
  const { say } = options
  const own = await ownVariables()
  const settings = readSettings(own)
  const releaseHome = claimHome(home)
  life.onStop(async () => releaseHome())
  await stopLeftovers(home, settings, say)
  const steps = new Steps(options.startedAt)
  const start: Start = { ...options, own, settings, home, life, steps }
  if (settings.environment === 'live') {
    await bringUpLive(start)
    return
  }
  if (options.fresh) await resetStack(start)
  const ports = await claimPorts(settings)
  const servers = await matchingServers(start)
  const keys = developmentKeys(home, settings.networkIds)
  const [databaseUrls, hub] = await together(
    steps.run('schema', ['servers'], () => migrateLedger(servers, say)),
    servers.nodes.length === 0
      ? undefined
      : steps.run('contracts', ['servers'], () => deployHub(home, servers, keys, say)),
  )
  life.check()
  await runEntryPoints(start, servers, databaseUrls, ports, keys, hub)
}

/** The user's environment, with the content of every `NAME_FILE`. */
async function ownVariables(): Promise<Variables> {
  try {
    return await readVariables(process.env)
  } catch (error) {
    throw error instanceof VariableError ? new StackError(error.message) : error
  }
}

async function runEntryPoints(
  start: Start,
  servers: Servers,
  databaseUrls: DatabaseUrls,
  ports: EntryPorts,
  keys: DevelopmentKeys,
  hub: Address | undefined,
): Promise<void> {
  const { root, home, life, say, own, launch, steps } = start
  const variables = stackVariables(own, servers, { ...ports, home: home.dir }, keys, hub)
  const config = checkVariables(variables)
  // That of local chains was just deployed.
  if (hub === undefined) await refuseOtherHub(config)
  writeSecret(`${home.dir}/env`, environmentFile(own, variables))
  const { onStop, end: onGiveUp, hasEnded } = life
  const operatorToken = variables.OPERATOR_TOKEN || crypto.randomUUID()
  const plan = { root, home, launch, variables, databaseUrls, operatorToken }
  await startEntryPoints({ ...plan, onStop, onGiveUp })
  const api = { apiUrl: apiUrlOf(variables, ports), operatorToken, hasEnded }
  const [demo] = await together(
    steps.run('demo', ['schema'], async () => {
      const merchant = await demoMerchant(home, keys, config)
      return { ...merchant, person: await demoUser(home, config, merchant.merchantId) }
    }),
    steps.run('API', ['schema', 'contracts'], () => untilAnswering(api)),
  )
  await steps.run('indexer, worker', ['schema', 'contracts'], () => untilReady(api, home, say))
  if (hasEnded()) return
  const description = describeStack(config, variables, ports, keys, demo)
  writeSecret(`${home.dir}/dev.json`, `${JSON.stringify(description, null, 2)}\n`)
  printTable('Start, in seconds', steps.table())
  printDescription(description, home, steps.elapsed())
}

/** @throws StackError if the address is not a hub, before anything is started with it. */
async function refuseOtherHub({ hub, chains }: WorkerConfig): Promise<void> {
  const found = await hubVersionProblems(hub, chains)
  if (found.length > 0) throw new StackError(found.join('\n'))
}

/** Live starts no embedded servers: it reports missing settings, or runs the configured ones. */
async function bringUpLive({ own, root, home, life, say }: Start): Promise<void> {
  refuseDevelopmentKeys(own, home)
  await refuseOtherHub(checkVariables(own))
  say('live: no embedded servers are started')
  const { onStop, end: onGiveUp } = life
  await startEntryPoints({ root, home, variables: own, databaseUrls: {}, onStop, onGiveUp })
}

async function resetStack({ settings, home, say }: Start): Promise<void> {
  await wipe(home, LOCAL_NETWORK_IDS, { keys: true })
  say('starting fresh: databases, chains and keys of earlier starts are deleted')
  const kept = [settings.databaseUrl && 'DATABASE_URL', settings.redisUrl && 'REDIS_URL']
  const names = kept.filter((name) => name)
  if (names.length > 0) say(`the data of ${names.join(' and ')} is kept`)
}

/** Starts servers, and resets ledger and chains if they don't belong together. */
async function matchingServers(start: Start): Promise<Servers> {
  const { settings, home, life, say, steps } = start
  const around = { home, settings, onStop: life.onStop, onGiveUp: life.end }
  const trial = new Stops()
  life.onStop(async () => {
    const [fault] = await trial.run()
    if (fault !== undefined) throw fault
  })
  const onStop = (stop: () => Promise<void>) => {
    trial.add(stop)
    life.check()
  }
  const servers = await startServers({ ...around, onStop }, steps)
  const mismatch = await findMismatch(servers)
  if (mismatch === undefined) return servers
  if (settings.databaseUrl !== undefined) {
    throw new StackError(
      `DATABASE_URL can't be used with these local chains: ${mismatch}. ` +
        'Set it to an empty database.',
    )
  }
  say(`${mismatch}: resetting both`)
  await trial.run()
  await wipe(home, LOCAL_NETWORK_IDS, { keys: false })
  return await startServers(around, steps)
}

/** Migrates the schema. Returns the database URL of each entry point. */
async function migrateLedger({ databaseUrl }: Servers, say: Say): Promise<DatabaseUrls> {
  const database = openDatabase(databaseUrl, { name: 'remit-dev', poolSize: 2 })
  try {
    const applied = await migrate(database)
    if (applied.length > 0) say(`${applied.length} migrations applied`)
    const missing = await settleAccess(database)
    if (missing.length > 0) {
      say(
        `DATABASE_URL's user may not create ${missing.join(', ')}: every process works as that user`,
      )
      return {}
    }
    return await openRoles(database, databaseUrl, () => crypto.randomUUID())
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StackError(`The ledger could not be migrated: ${reason}`, { cause })
  } finally {
    await database.end()
  }
}

function printDescription(description: Description, home: Home, took: string): void {
  printTable(`Remit is ready in ${took}`, [
    ['API', description.apiUrl],
    ['Swagger UI', description.docsUrl],
    ['GraphQL', description.graphqlUrl],
    ['Postgres', description.databaseUrl],
    ['Redis', description.redisUrl],
    ...description.chains.map(
      (chain) => [chain.networkId, `${chain.rpcUrl} (chain id ${chain.chainId})`] as const,
    ),
    ['Merchant', description.merchantId],
    ['Secret key', description.secretKey],
    ['Publishable key', description.publishableKey],
    ['Dashboard', `${description.dashboardUrl} (${signInOf(description.person)})`],
    ['Everything', `${home.dir}/dev.json`],
  ])
}

/** The sign-in of the demo user; null once its password was changed. */
function signInOf({ email, password }: DemoUser): string {
  return password === null ? `${email} (password changed)` : `${email}, ${password}`
}
