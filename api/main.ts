import pino, { type Logger } from 'pino'
import { hubVersionProblems } from '../chain/hub/version.ts'
import { openChains } from '../chain/rpc/client.ts'
import { withDataKeys } from '../chain/signers/dataKeys.ts'
import { SignerError } from '../chain/signers/signer.ts'
import { recoveryEngine, recoveryProblems } from '../chain/x402/signer.ts'
import { logOptions } from '../core/base/logging.ts'
import { currenciesOf } from '../core/chain/offered.ts'
import { type ApiConfig, parseApiConfig } from '../core/config/api.ts'
import { endAtLatest } from '../metrics/process/ending.ts'
import { endOnFault } from '../metrics/process/faults.ts'
import type { Tracer } from '../metrics/process/tracing.ts'
import { openKeyLookup } from '../store/access/apiKeys.ts'
import { openHealth } from '../store/books/health.ts'
import { openCheckout } from '../store/checkout/open.ts'
import { DEADLINE_MS, watchAvailability } from '../store/database/availability.ts'
import { openDatabase } from '../store/database/database.ts'
import { secretKeyProblems } from '../store/database/inUse.ts'
import { LONG_READ_CONNECTIONS, LONG_READ_MS, openLongReads } from '../store/database/longReads.ts'
import { openThroughPooler, pooledProblems, poolerProblems } from '../store/database/pooler.ts'
import { readVariables, VariableError } from '../store/database/variables.ts'
import { openCreations } from '../store/invoice/creations.ts'
import { closeRedis, openRedis, waitForRedis } from '../store/redis/connection.ts'
import { openMailbox } from '../store/redis/mailbox.ts'
import { openRateLimiter } from '../store/redis/rateLimit.ts'
import { createApp } from './app.ts'
import { type Dashboard, openDashboard } from './dashboard/dashboard.ts'
import { type ApiDependencies, socketPeer } from './http/exchange.ts'
import { openForwarding } from './http/forwarding.ts'
import { serverOptions } from './http/server.ts'
import type { AppDependencies } from './sections.ts'
import { openRates } from './tokens/rates.ts'
import { openTokens } from './tokens/tokens.ts'
import { openFacilitator } from './x402/facilitator.ts'

/**
 * `bun run api`: the HTTP API. Any number of these processes may run. It starts and keeps running while
 * Postgres or Redis are down, and reports that in responses, at /ready and in its log.
 */

const DATABASE_CONNECTIONS = 8
/** The part of the grace period in which a stopping process finishes running requests. */
const FINISHING = 0.7
const LOG_BYTES = 8_192
const LOG_EVERY_MS = 50
const LOG_QUIET_MS = 1_000
/** Timeout of the checks of database and hub at startup. */
const FAULT_WAIT_MS = 3_000
/** Timeout of the first connection to Redis; without it the process limits on its own. */
const REDIS_WAIT_MS = 500

async function main(): Promise<void> {
  const parsed = parseApiConfig(await variables())
  if (!parsed.ok) fail(parsed.problems)
  const log = openLog(parsed.config)
  endOnFault(log)
  const slow = recoveryProblems(parsed.config.needsNativeRecovery)
  if (slow.length > 0) fail(slow)
  const faults = await faultsOf(parsed.config)
  if (faults.length > 0) fail(faults)
  await serve(parsed.config, log)
}

/**
 * Exits if HUB_ADDRESS is no hub, the database belongs to other keys, or a pooler is used where it must not be. Checks
 * that time out are skipped.
 */
async function faultsOf(config: ApiConfig): Promise<string[]> {
  const { databaseUrl, directUrl, hub, chains, secretKeys } = config
  const silent = Bun.sleep(FAULT_WAIT_MS).then(() => [])
  const checks = [
    poolerProblems(directUrl),
    databaseUrl === directUrl ? [] : pooledProblems(databaseUrl),
    hubVersionProblems(hub, chains),
    config.dashboard === null ? [] : secretKeyProblems(directUrl, secretKeys, 'authenticator'),
  ]
  const found = await Promise.all(checks.map((check) => Promise.race([check, silent])))
  return found.flat()
}

async function serve(config: ApiConfig, log: Logger): Promise<void> {
  for (const warning of config.warnings) log.warn(warning)
  const { deps, dashboard, close } = await connect(config, log)
  // Loading sign-in blocks the process for a moment, which payers must not notice.
  if (config.environment === 'live') await dashboard?.auth()
  const tracer = await openTraces(config)
  const traced = tracer === undefined ? {} : { tracer }
  const app = createApp({ ...deps, ...(await countAnswers(deps)), ...traced }, dashboard)
  try {
    app.listen(serverOptions(config, log))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    fail([`the API can't listen on ${config.host}, port ${config.port}: ${reason}`])
  }
  const { hostname, port } = app.server ?? { hostname: config.host, port: config.port }
  log.info({ url: `http://${hostname}:${port}`, environment: config.environment }, 'API started')

  let isStopping = false
  async function stop(signal: string): Promise<void> {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'API stopping')
    endAtLatest({ ...config, log }, 0)
    // The port is free from here on.
    await Promise.race([app.server?.stop(false), Bun.sleep(FINISHING * config.graceMs)])
    void app.server?.stop(true)
    await close().catch((err: unknown) => log.warn({ err }, 'not everything could be closed'))
    await tracer?.close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stop(signal).catch(() => process.exit(1))
    })
  }
}

/** The exporter is loaded only if a collector is configured. */
async function openTraces({ traces }: ApiConfig): Promise<Tracer | undefined> {
  if (traces === null) return undefined
  const { openTracer } = await import('../metrics/process/tracing.ts')
  return openTracer(traces, 'api')
}

/** Serves metrics of this process and the system, if configured. */
async function countAnswers(deps: AppDependencies): Promise<Pick<AppDependencies, 'onAnswered'>> {
  const { metrics } = deps.config
  if (metrics === null) return {}
  const { serveApiMetrics } = await import('./operate/metrics.ts')
  return { onAnswered: serveApiMetrics(deps, metrics) }
}

interface Connections {
  readonly deps: AppDependencies
  readonly dashboard: Dashboard | null
  close(): Promise<void>
}

async function connect(config: ApiConfig, log: Logger): Promise<Connections> {
  const database = openThroughPooler(config, {
    name: 'remit-api',
    poolSize: config.databaseConnections ?? DATABASE_CONNECTIONS,
    statementTimeoutMs: DEADLINE_MS,
    silenceMs: config.silenceMs,
  })
  const ofLongReads = openDatabase(config.directUrl, {
    name: 'remit-api-reports',
    poolSize: LONG_READ_CONNECTIONS,
    statementTimeoutMs: LONG_READ_MS,
    silenceMs: config.silenceMs,
  })
  const availability = watchAvailability(database, {
    onOutage: (cause) => log.error({ err: cause }, 'the database is down: responding with 503'),
    onRecovery: () => log.info('the database is up again'),
  })
  const redis = openRedis(config.redisUrl, {
    name: 'remit-api',
    silenceMs: config.silenceMs,
    // The limiter logs the outage; each failed connection would repeat it.
    onError: (error) => log.debug({ err: error }, 'the connection to Redis failed'),
  })
  const limiter = openRateLimiter(redis, config.redisPrefix, {
    onOutage: (error) => log.error({ err: error }, 'Redis is down: this process limits on its own'),
    onRecovery: () => log.info('Redis is up again: limits are shared'),
  })
  const mailbox = openMailbox({
    redisUrl: config.redisUrl,
    prefix: config.redisPrefix,
    silenceMs: config.silenceMs,
    onError: (error) => log.debug({ err: error }, 'the connection to the queues failed'),
  })
  await waitForRedis(redis, REDIS_WAIT_MS)
  const wake: ApiDependencies['wake'] = (networkIds, message) => {
    for (const chain of config.chains.filter(({ networkId }) => networkIds.includes(networkId))) {
      mailbox.send(chain.chainId, message).catch((error: unknown) => {
        log.debug({ err: error }, 'a message to an actor was lost; it polls at its next tick')
      })
    }
  }
  const facilitator = openFacilitator({ config, database, availability, log, wake })
  log.info({ recoveryEngine }, 'signatures are recovered')

  const checkout = openCheckout({ config, database, availability, log, now: () => new Date() })
  const dashboard = openDashboard({ config, database, availability, log, now: () => new Date() })
  const chainClients = openChains(config.chains)
  const tokens = openTokens({ config, database, availability, clients: chainClients, log })
  const rates = openRates({
    source: config.rates,
    ofTokens: () => currenciesOf(tokens.chains()),
    database,
    log,
    now: () => new Date(),
  })
  const deps: AppDependencies = {
    config,
    database,
    keys: openKeyLookup(database, config.environment),
    creations: openCreations(database),
    checkout,
    tokens,
    rates,
    availability,
    longReads: openLongReads(ofLongReads, availability),
    readHealth: openHealth(database),
    facilitator,
    chainClients,
    limiter,
    forwarding: openForwarding(config.trustedProxies),
    pingRedis: () => redis.ping(),
    log,
    now: () => new Date(),
    wake,
    wakeNotifier: () => mailbox.wakeNotifier(),
    peer: socketPeer,
  }
  return {
    deps,
    dashboard,
    async close() {
      availability.stop()
      await checkout.feed.close()
      await Promise.all([rates.close(), tokens.close()])
      await facilitator.close()
      await dashboard?.close()
      await mailbox.close()
      closeRedis(redis)
      await Promise.all([database.end({ timeout: 2 }), ofLongReads.end({ timeout: 2 })])
    },
  }
}

/**
 * Lines are buffered and written in batches: one write per request would cost as much as handling
 * it. A killed process loses its buffer, at most the lines of 50 ms.
 */
function openLog(config: ApiConfig): Logger {
  const destination = pino.destination({ dest: 1, sync: false, minLength: LOG_BYTES })
  let lastLineAt = 0
  const lines = {
    write(line: string) {
      lastLineAt = performance.now()
      destination.write(line)
    },
  }
  // A flush does nothing while the previous one is running, so several follow the last line.
  setInterval(() => {
    if (performance.now() - lastLineAt < LOG_QUIET_MS) destination.flush()
  }, LOG_EVERY_MS).unref()
  process.on('exit', () => destination.flushSync())
  return pino(logOptions('api', config.logLevel), lines)
}

async function variables() {
  try {
    return await withDataKeys(await readVariables(process.env))
  } catch (error) {
    if (error instanceof VariableError || error instanceof SignerError) fail([error.message])
    throw error
  }
}

function fail(problems: readonly string[]): never {
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exit(1)
}

await main()
