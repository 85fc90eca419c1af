import pino from 'pino'
import { createApp } from '../../../api/app.ts'
import { openDashboard } from '../../../api/dashboard/dashboard.ts'
import type { RequestRecords } from '../../../api/dashboard/requestRecords.ts'
import { openForwarding } from '../../../api/http/forwarding.ts'
import type { Pagination } from '../../../api/request/responses.ts'
import type { AppDependencies } from '../../../api/sections.ts'
import { openRates } from '../../../api/tokens/rates.ts'
import { openTokens } from '../../../api/tokens/tokens.ts'
import { openFacilitator } from '../../../api/x402/facilitator.ts'
import { openChains } from '../../../chain/rpc/client.ts'
import type { ErrorDetail } from '../../../core/base/errors.ts'
import type { InvoiceId, MerchantId } from '../../../core/base/ids.ts'
import { logOptions } from '../../../core/base/logging.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { currenciesOf } from '../../../core/chain/offered.ts'
import { type ApiConfig, parseApiConfig } from '../../../core/config/api.ts'
import type { ChainMessage } from '../../../core/events/messages.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { openKeyLookup } from '../../../store/access/apiKeys.ts'
import { createMerchant, type NewMerchant } from '../../../store/access/merchants.ts'
import { openHealth, type ReadHealth } from '../../../store/books/health.ts'
import { openCheckout } from '../../../store/checkout/open.ts'
import { watchAvailability } from '../../../store/database/availability.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { type LongReadLimits, openLongReads } from '../../../store/database/longReads.ts'
import { pendingMigrations } from '../../../store/database/migrate.ts'
import { advanceInvoice } from '../../../store/invoice/advance.ts'
import { openCreations } from '../../../store/invoice/creations.ts'
import {
  closeRedis,
  openRedis,
  type RedisConnection,
  waitForRedis,
} from '../../../store/redis/connection.ts'
import { openRateLimiter } from '../../../store/redis/rateLimit.ts'
import { prepareLedger } from '../servers/database.ts'
import { openAs, roleUrl } from '../servers/roles.ts'
import { createDatabase, redisPrefix, redisUrl } from '../servers/run.ts'

/** The API on a database of its own, called without a socket. */

export const HUB = lowerCaseAddress('0x5fbdb2315678afecb367f032d93f642f64180aa3')
export const TREASURY = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const OTHER_TREASURY = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

export interface ApiRig {
  readonly config: ApiConfig
  /** With the rights of the owner, for what a test arranges. The API has those of its own role only. */
  readonly database: Database
  readonly redis: RedisConnection
  readonly deps: AppDependencies
  readonly merchant: NewMerchant
  /** Lines of the log, newest last. */
  readonly log: LogLine[]
  readonly bells: { networkIds: readonly string[]; message: ChainMessage }[]
  /** How often the notifiers were told that events wait. */
  readonly notifierBells: number
  /** Every route of the application, e.g. GET /v1/invoices/:id. */
  readonly routes: readonly { readonly method: string; readonly path: string }[]
  /** What the dashboard keeps of requests; null without a dashboard. */
  readonly requests: RequestRecords | null
  /** What the API takes for the present. */
  setClock(now: Date | null): void
  /** The address of the caller's socket. */
  setPeer(address: string): void
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** The response itself, for answers that don't end. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  create(body?: Readonly<Record<string, unknown>>): Promise<InvoiceJson>
  newMerchant(recipient?: string | null): Promise<NewMerchant>
  close(): Promise<void>
}

export interface LogLine {
  readonly msg?: string
  readonly traceId?: string
  readonly method?: string
  readonly route?: string
  readonly status?: number
  readonly merchantId?: MerchantId
}

export interface CallOptions {
  /** The key to show; null for none. Without it, the secret key of the rig's merchant. */
  readonly key?: string | null
  /** Asks /ready without the operator's token. */
  readonly isPublic?: boolean
  /** Sent as JSON, unless it is a string, bytes or a stream. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as the envelope of an invoice, or of an error. */
  readonly json: Envelope
  /** The body as the envelope of a list of invoices. */
  readonly list: ListEnvelope
}

export interface Envelope {
  readonly success: boolean
  readonly data: InvoiceJson
  readonly error?: string
  readonly code?: string
  readonly docs?: string
  readonly traceId?: string
  readonly details?: readonly ErrorDetail[]
  readonly problems?: readonly string[]
  readonly warnings?: readonly string[]
}

export interface ListEnvelope {
  readonly success: boolean
  readonly data: readonly InvoiceJson[]
  readonly metadata: { readonly pagination: Pagination }
}

export interface RigOptions {
  readonly variables?: Readonly<Record<string, string>>
  /** Servers of the test's own, which it may stop. */
  readonly databaseUrl?: string
  readonly redisUrl?: string
  /** The length of the limits' window, for tests that wait for its end. */
  readonly windowMs?: number
  /** How /ready reads the state of the system; without it, again each time. */
  readonly readHealth?: (database: Database) => ReadHealth
  readonly longReads?: Partial<LongReadLimits>
  /** Passwords are hashed as for people, which takes longer than most tests. */
  readonly isHashingInEarnest?: boolean
}

/** The least that the algorithm can do. */
const QUICK_HASH = { memoryCost: 8, timeCost: 1 }

export async function openRig(options: RigOptions = {}): Promise<ApiRig> {
  const ownDatabase = options.databaseUrl === undefined ? await createDatabase(prepareLedger) : null
  const config = readConfig({
    DATABASE_URL: options.databaseUrl ?? ownDatabase?.url ?? '',
    REDIS_URL: options.redisUrl ?? (await redisUrl()),
    REDIS_PREFIX: redisPrefix(),
    ...options.variables,
  })
  const database = openDatabase(config.databaseUrl, { name: 'test-owner', poolSize: 5 })
  const [ofApi, ofWorker] = await openProcesses(config.databaseUrl, database)
  const redis = openRedis(config.redisUrl, { name: 'test-api', onError: () => {} })
  await waitForRedis(redis, 2_000)
  const log: LogLine[] = []
  const logger = pino(logOptions('api', 'debug'), {
    write: (line: string) => log.push(JSON.parse(line)),
  })
  const availability = watchAvailability(ofApi, {
    onOutage: (cause) => logger.error({ err: cause }, 'database away'),
    onRecovery: () => logger.info('database back'),
  })
  const events = {
    onOutage: (error: unknown) => logger.error({ err: error }, 'redis away'),
    onRecovery: () => logger.info('redis back'),
  }
  const limiter = openRateLimiter(redis, config.redisPrefix, events, options.windowMs)
  let clock: Date | null = null
  let peer = '203.0.113.7'
  const bells: ApiRig['bells'] = []
  let notifierBells = 0
  const wake: AppDependencies['wake'] = (networkIds, message) => {
    bells.push({ networkIds, message })
    if (message.type === 'advance_invoice') derive(ofWorker, config, message.invoiceId, clock)
  }
  const facilitator = openFacilitator({
    config,
    database: ofApi,
    availability,
    log: logger,
    wake,
  })
  const now = () => clock ?? new Date()
  const checkout = openCheckout({ config, database: ofApi, availability, log: logger, now })
  const dashboard = openDashboard({
    config: {
      ...config,
      directUrl: ofApi === database ? config.databaseUrl : await roleUrl(config.databaseUrl, 'api'),
    },
    database: ofApi,
    availability,
    log: logger,
    now,
    ...(options.isHashingInEarnest ? {} : { hashCost: QUICK_HASH }),
  })
  const chainClients = openChains(config.chains)
  // Tests ask for each reading of the tokens and the rates.
  const tokens = openTokens({
    ...{ config, database: ofApi, availability, clients: chainClients, log: logger },
    refreshMs: null,
  })
  const rates = openRates({
    source: config.rates,
    ofTokens: () => currenciesOf(tokens.chains()),
    database: ofApi,
    log: logger,
    now,
    refreshMs: null,
  })
  const deps: AppDependencies = {
    config,
    database: ofApi,
    keys: openKeyLookup(ofApi, config.environment),
    creations: openCreations(ofApi),
    checkout,
    tokens,
    rates,
    availability,
    longReads: openLongReads(ofApi, availability, options.longReads),
    readHealth: options.readHealth?.(ofApi) ?? openHealth(ofApi, 0),
    facilitator,
    chainClients,
    limiter,
    forwarding: openForwarding(config.trustedProxies),
    pingRedis: () => redis.ping(),
    log: logger,
    now,
    wake,
    wakeNotifier() {
      notifierBells += 1
    },
    peer: () => peer,
  }
  const app = createApp(deps, dashboard)

  async function newMerchant(recipient: string | null = TREASURY): Promise<NewMerchant> {
    const created = await createMerchant(database, config, { name: 'Test', recipient })
    if (!created.ok) throw new Error(created.message)
    return created
  }

  const merchant = await newMerchant()

  async function call(method: string, path: string, call: CallOptions = {}): Promise<Answer> {
    const key = call.key === undefined ? merchant.secretKey : call.key
    const headers = new Headers(call.headers)
    // To others it says no more than whether all is well.
    if (path === '/ready' && !call.isPublic && !headers.has('authorization')) {
      headers.set('authorization', `Bearer ${config.operatorToken}`)
    }
    if (key !== null && !headers.has('x-service-key')) headers.set('x-service-key', key)
    const body = encodeBody(call.body)
    if (body !== undefined && !headers.has('content-type')) {
      headers.set('content-type', 'application/json')
    }
    const request = new Request(`http://localhost${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    const response = await app.handle(request)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    const parsed = isJson && text !== '' ? JSON.parse(text) : null
    return { status: response.status, headers: response.headers, text, json: parsed, list: parsed }
  }

  return {
    config,
    database,
    redis,
    deps,
    merchant,
    log,
    bells,
    get notifierBells() {
      return notifierBells
    },
    routes: app.routes.map(({ method, path }) => ({ method, path })),
    requests: dashboard?.requests ?? null,
    setClock(now) {
      clock = now
    },
    setPeer(address) {
      peer = address
    },
    call,
    fetch: async (path, init) => app.handle(new Request(`http://localhost${path}`, init)),
    async create(body = {}) {
      const answer = await call('POST', '/v1/invoices', {
        body: { tokenSymbol: 'USDC', amountExpected: '10', ...body },
      })
      if (answer.status !== 201) throw new Error(`creation answered ${answer.text}`)
      return answer.json.data
    },
    newMerchant,
    async close() {
      await dashboard?.close()
      await checkout.feed.close()
      await rates.close()
      availability.stop()
      closeRedis(redis)
      for (const each of new Set([ofApi, ofWorker, database])) await each.end({ timeout: 1 })
      await ownDatabase?.drop()
    },
  }
}

/** The database as the API sees it, and as a worker does; by its owner where it has no schema yet. */
async function openProcesses(url: string, owner: Database): Promise<[Database, Database]> {
  if ((await pendingMigrations(owner)).length > 0) return [owner, owner]
  return [await openAs(url, 'api'), await openAs(url, 'worker', 2)]
}

/** What a worker does when the API wakes it for an invoice. */
function derive(
  database: Database,
  config: ApiConfig,
  invoiceId: InvoiceId,
  now: Date | null,
): void {
  database
    .begin((sql) => advanceInvoice(sql, config, invoiceId, now ?? new Date()))
    // A database that a test has stopped; the next worker catches up.
    .catch(() => undefined)
}

/** Variables of a sandbox on two chains, with limits out of the way. */
export function readConfig(variables: Readonly<Record<string, string>>): ApiConfig {
  const parsed = parseApiConfig({
    HUB_ADDRESS: HUB,
    FEE_COLLECTOR: '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
    RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:1',
    RPC_URL_SEPOLIA: 'http://127.0.0.1:1',
    RATE_LIMIT_AUTHENTICATED: '1000000',
    RATE_LIMIT_UTILITY: '1000000',
    OPERATOR_TOKEN: 'token-of-the-operator',
    ENCRYPTION_KEYS: `test:${new Uint8Array(32).toBase64()}`,
    ...variables,
  })
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  return parsed.config
}

function encodeBody(body: unknown): BodyInit | undefined {
  if (body === undefined) return undefined
  if (typeof body === 'string' || body instanceof ReadableStream) return body
  if (body instanceof Uint8Array) return new Uint8Array(body)
  return JSON.stringify(body)
}
