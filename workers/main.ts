import { hostname } from 'node:os'
import pino, { type Logger } from 'pino'
import { withDataKeys } from '../chain/signers/dataKeys.ts'
import { SignerError } from '../chain/signers/signer.ts'
import { logOptions } from '../core/base/logging.ts'
import type { ActiveChain } from '../core/config/chains.ts'
import type { NotifierConfig } from '../core/config/processes.ts'
import type { WorkerConfig } from '../core/config/worker.ts'
import { endAtLatest } from '../metrics/process/ending.ts'
import { endOnFault } from '../metrics/process/faults.ts'
import { readyFile } from '../metrics/process/readyFile.ts'
import type { Tracer } from '../metrics/process/tracing.ts'
import { listenForHeads } from '../store/chain/heads.ts'
import { listenForTransfers } from '../store/chain/transfers.ts'
import { rightsProblems } from '../store/database/access.ts'
import { type Database, openDatabase } from '../store/database/database.ts'
import { secretKeyProblems } from '../store/database/inUse.ts'
import { chainLeadership } from '../store/database/leadership.ts'
import { schemaProblems } from '../store/database/migrate.ts'
import { poolerProblems } from '../store/database/pooler.ts'
import { readVariables, VariableError } from '../store/database/variables.ts'
import { closeRedis, openRedis } from '../store/redis/connection.ts'
import { type Mailbox, openMailbox } from '../store/redis/mailbox.ts'
import { type NonceMemory, openNonceMemory } from '../store/redis/nonces.ts'
import { listenForHandovers } from '../store/relayer/handover.ts'
import { hubProblems } from './hub/hubCheck.ts'
import { type ChainActor, startChainActor } from './ledger/actor.ts'
import { fail, type Plan, planOf, readArguments, usualConnections } from './plan.ts'
import { startScreener } from './screening/actor.ts'
import type { ObserveSigning } from './signers/signatures.ts'
import { openSigners, type SigningConfig } from './signers/signers.ts'
import type { Actor, ActorOptions } from './turns/loop.ts'
import { startNotifier } from './webhook/actor.ts'

/**
 * `bun run worker [--chain ID] [--notifier]`: the chain actors, one for each chain that is switched on,
 * and the notifier; or one chain only, or the notifier only. Any number of these processes may run, and
 * share the work.
 */

/** The part of its grace time in which a stopping process finishes the turns that it has begun. */
const FINISHING = 0.8

interface Connections extends ActorOptions {
  readonly onSigning?: ObserveSigning | undefined
  readonly mailbox: Mailbox
  readonly nonces: NonceMemory
}

async function main(): Promise<void> {
  const variables = await withDataKeys(await readVariables(process.env))
  const base = planOf(readArguments(), variables)
  const config = base.chains?.config ?? base.notifier
  if (!config) throw new Error('there is nothing to do')
  const log = pino(logOptions('worker', config.logLevel))
  endOnFault(log)
  const faults = await databaseFaults(base, config)
  if (faults.length > 0) fail(faults)
  const plan = await withSigners(base, log)
  if (plan.chains !== null) {
    const problems = await hubProblems(plan.chains.config, plan.chains.active, log)
    if (problems.length > 0) fail(problems)
  }
  await run(plan, config, log, await openTraces(config))
}

/** Why this process can't work on the database: what the first of its checks finds. */
async function databaseFaults(
  { chains, notifier }: Plan<WorkerConfig>,
  { directUrl }: NotifierConfig | WorkerConfig,
): Promise<readonly string[]> {
  const found = await Promise.all([
    poolerProblems(directUrl),
    schemaProblems(directUrl),
    rightsProblems(directUrl, chains === null ? 'notifier' : 'worker'),
    notifier === null ? [] : secretKeyProblems(directUrl, notifier.secretKeys, 'webhook'),
  ])
  return found.find((problems) => problems.length > 0) ?? []
}

/** The same with the keys, which may be in external stores. */
async function withSigners(plan: Plan<WorkerConfig>, log: Logger): Promise<Plan<SigningConfig>> {
  if (plan.chains === null) return { ...plan, chains: null }
  const opened = await openSigners(plan.chains.config, log)
  if (!opened.ok) fail(opened.problems)
  return { ...plan, chains: { ...plan.chains, config: opened.config } }
}

/** What sends spans is loaded only where there is a collector. */
async function openTraces({ traces }: NotifierConfig | WorkerConfig): Promise<Tracer | undefined> {
  if (traces === null) return undefined
  const { openTracer } = await import('../metrics/process/tracing.ts')
  return openTracer(traces, 'worker')
}

async function run(
  plan: Plan<SigningConfig>,
  config: NotifierConfig | WorkerConfig,
  log: Logger,
  tracer: Tracer | undefined,
): Promise<void> {
  const workerId = `${hostname()}-${process.pid}-${crypto.randomUUID().slice(0, 8)}`
  const database = openDatabase(config.directUrl, {
    name: 'remit-worker',
    poolSize: config.databaseConnections ?? usualConnections(plan),
    silenceMs: config.silenceMs,
  })
  const mailbox = openMailbox({
    redisUrl: config.redisUrl,
    prefix: config.redisPrefix,
    silenceMs: config.silenceMs,
    onError: quietly(log),
  })
  const redis = openRedis(config.redisUrl, {
    name: 'remit-worker',
    silenceMs: config.silenceMs,
    onError: quietly(log),
  })
  const actors: Actor[] = []
  const onReady = readyFile(config.readyFile)
  let isStopping = false

  async function stop(code: number): Promise<void> {
    if (isStopping) return
    isStopping = true
    endAtLatest({ ...config, log }, code)
    onReady(false)
    // A message to one worker of a chain goes to one that keeps running.
    void mailbox.stopReceiving()
    const ended = Promise.all(actors.map((actor) => actor.stop())).catch((error: unknown) =>
      log.warn(
        { err: error },
        'not everything could be released; it is free when its lease expires',
      ),
    )
    await Promise.race([ended, Bun.sleep(FINISHING * config.graceMs)])
    await mailbox.close()
    closeRedis(redis)
    await tracer?.close()
    await database.end({ timeout: 2 })
    process.exit(code)
  }

  const connections: Connections = {
    workerId,
    database,
    mailbox,
    nonces: openNonceMemory(redis, config.redisPrefix),
    log,
    tracer,
    ...(await countTurns(config, database, log)),
    onFatal(error) {
      log.fatal({ err: error }, 'an actor gives up')
      stop(1).catch(() => process.exit(1))
    },
  }
  if (plan.notifier !== null) actors.push(beginNotifier(plan.notifier, connections))
  if (plan.chains !== null) {
    actors.push(...beginChains(plan.chains.config, plan.chains.active, connections))
    const { screening: source, environment } = plan.chains.config
    if (source !== null) actors.push(startScreener({ ...connections, source, environment }))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stop(0).catch(() => process.exit(1))
    })
  }
  const chains = plan.chains?.active.map(({ networkId }) => networkId) ?? []
  log.info({ workerId, chains, notifier: plan.notifier !== null }, 'worker started')
  void Promise.all(actors.map(({ ready }) => ready)).then(() => {
    if (isStopping) return
    log.info({ workerId }, 'worker is ready')
    onReady(true)
  })
}

/** Serves the figures of this process, where the operator wants them. */
async function countTurns(
  { metrics }: NotifierConfig | WorkerConfig,
  database: Database,
  log: Logger,
): Promise<Pick<Connections, 'onTurn' | 'onSigning'>> {
  if (metrics === null) return {}
  const { serveWorkerMetrics } = await import('../metrics/operate/worker.ts')
  return serveWorkerMetrics(metrics, database, log)
}

function beginNotifier(config: NotifierConfig, connections: Connections): Actor {
  const notifier = startNotifier({ config, ...connections })
  connections.mailbox.receiveEvents(() => notifier.wake())
  return notifier
}

function beginChains(
  config: SigningConfig,
  chains: readonly ActiveChain[],
  connections: Connections,
): Actor[] {
  const { database, mailbox, log } = connections
  const actors = new Map<string, ChainActor>()
  for (const chain of chains) {
    const actor = startChainActor({
      ...connections,
      config,
      chain,
      leadership: chainLeadership(config.directUrl, chain.chainId, config.silenceMs),
      wakeOthers: () => {
        mailbox.send(chain.chainId, { type: 'work_queued' }).catch((error: unknown) => {
          log.debug(
            { err: error },
            'the mailbox is unreachable; the others poll at their next tick',
          )
        })
      },
      wakeNotifier: () => mailbox.wakeNotifier(),
    })
    actors.set(chain.networkId, actor)
    mailbox.receive(chain.chainId, (message) => actor.handle(message))
  }
  const networkIds = [...actors.keys()]
  listenForHeads(database, networkIds, (networkId) => actors.get(networkId)?.followHead(), log)
  for (const listen of [listenForTransfers, listenForHandovers]) {
    listen(database, networkIds, (networkId) => actors.get(networkId)?.wake(), log)
  }
  return [...actors.values()]
}

/** An unreachable Redis fails many times a second; one line a minute is enough. */
function quietly(log: Logger): (error: Error) => void {
  let last = 0
  return (error) => {
    if (Date.now() - last < 60_000) return
    last = Date.now()
    log.warn({ err: error }, 'the mailbox is unreachable; actors continue by polling')
  }
}

try {
  await main()
} catch (error) {
  if (!(error instanceof VariableError || error instanceof SignerError)) throw error
  fail([error.message])
}
