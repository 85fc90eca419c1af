import pino from 'pino'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createApp } from '../../../api/app.ts'
import { openForwarding } from '../../../api/http/forwarding.ts'
import { openRates } from '../../../api/tokens/rates.ts'
import { openTokens } from '../../../api/tokens/tokens.ts'
import { openFacilitator } from '../../../api/x402/facilitator.ts'
import { openChains } from '../../../chain/rpc/client.ts'
import type { MerchantId, X402PaymentId } from '../../../core/base/ids.ts'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { currenciesOf } from '../../../core/chain/offered.ts'
import { type ApiConfig, parseApiConfig } from '../../../core/config/api.ts'
import type { Authorization } from '../../../core/x402/terms.ts'
import type { AnvilOptions } from '../../../dev/servers/anvil.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { openTracer, type Tracer } from '../../../metrics/process/tracing.ts'
import { openKeyLookup } from '../../../store/access/apiKeys.ts'
import { createMerchant } from '../../../store/access/merchants.ts'
import { openHealth } from '../../../store/books/health.ts'
import { openCheckout } from '../../../store/checkout/open.ts'
import { watchAvailability } from '../../../store/database/availability.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { chainLeadership } from '../../../store/database/leadership.ts'
import { openLongReads } from '../../../store/database/longReads.ts'
import { prepareForwarder, registerForwarder } from '../../../store/hub/forwarders.ts'
import { openCreations } from '../../../store/invoice/creations.ts'
import { closeRedis, openRedis, waitForRedis } from '../../../store/redis/connection.ts'
import { type NonceMemory, openNonceMemory } from '../../../store/redis/nonces.ts'
import { openRateLimiter } from '../../../store/redis/rateLimit.ts'
import { type ChainActor, startChainActor } from '../../../workers/ledger/actor.ts'
import { type HubChain, startHubChain, workerConfig } from '../servers/chain.ts'
import { asWorker, databaseUrlOf, freshDatabase } from '../servers/database.ts'
import { roleUrl } from '../servers/roles.ts'
import { redisPrefix, redisUrl } from '../servers/run.ts'

/** The facilitator's API and a chain's actor in this process, on a chain with the hub. */

export interface X402Stack {
  readonly chain: HubChain
  /** A second chain with the same hub, if the options ask for it. */
  readonly twin: HubChain | null
  readonly database: Database
  readonly merchant: Shop
  /** Other merchants with a forwarder. */
  newMerchant(recipient?: Address | null): Promise<Shop>
  /** A payer with USDC, in base units. */
  newPayer(balance?: bigint): Promise<PrivateKeyAccount>
  verify(body: unknown, headers?: Record<string, string>): Promise<VerifyJson>
  settle(
    body: unknown,
    options?: { headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<SettleJson>
  /** Any request to the API, without a socket. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** What the authorization pays by default: this merchant, 0.01 USDC, valid from an hour ago for five minutes. */
  authorization(payer: Address, change?: Partial<Authorization>): Promise<Authorization>
  close(): Promise<void>
}

export interface Shop {
  readonly id: MerchantId
  readonly secretKey: string
  readonly recipient: Address | null
  readonly forwarder: Address
}

export interface VerifyJson {
  readonly isValid: boolean
  readonly invalidReason?: string
  readonly invalidMessage?: string
  readonly payer?: string
}

export interface SettleJson {
  readonly success: boolean
  readonly transaction: string
  readonly network: string
  readonly payer?: string
  readonly amount?: string
  readonly asset?: string
  readonly paymentId?: X402PaymentId
  readonly settledAt: string | null
  readonly error?: string
  readonly errorReason?: string
  readonly errorMessage?: string
}

export const PRICE = 10_000n

export interface X402StackOptions {
  readonly chain?: Partial<AnvilOptions>
  /** Stands between the API or the worker and the node, e.g. a fault proxy. */
  readonly apiRpcUrl?: (nodeUrl: string) => string
  readonly workerRpcUrl?: (nodeUrl: string) => string
  readonly variables?: Record<string, string>
  /** The URL of a collector of spans. */
  readonly traces?: string
  /** Starts a second chain, sepolia, and its actor. */
  readonly hasTwin?: boolean
}

/** Starts everything; blocks come every 250 ms unless the options say otherwise. */
export async function startX402Stack(options: X402StackOptions = {}): Promise<X402Stack> {
  const chain = await startHubChain({ mining: 250, relayers: 2, ...options.chain })
  const twin = options.hasTwin ? await startTwin(chain) : null
  const database = await freshDatabase()
  const url = chain.node.url
  const own = {
    ...twin?.variables(),
    BLOCK_TIME_MS_BASE_SEPOLIA: '250',
    X402_DISTRIBUTE_FROM: '0',
    X402_DISTRIBUTE_AFTER_S: '0',
    RATE_LIMIT_X402: '1000000',
    ...options.variables,
    DATABASE_URL: databaseUrlOf(database),
    REDIS_URL: await redisUrl(),
    REDIS_PREFIX: redisPrefix(),
  }
  const log = pino({ level: process.env.X402_DEBUG ?? 'silent' })
  const ofWorker = { ...own, RPC_URL_BASE_SEPOLIA: options.workerRpcUrl?.(url) ?? url }
  const redis = openRedis(own.REDIS_URL, { name: 'test-worker', onError: () => {} })
  const nonces = openNonceMemory(redis, own.REDIS_PREFIX)
  const [ofApi, ofActors] = ['api', 'worker'].map((name) =>
    options.traces === undefined ? undefined : openTracer(options.traces, name),
  )
  const actors = [chain, ...(twin === null ? [] : [twin])].map((one) =>
    openActor(one, asWorker(database), nonces, log, ofActors, {
      ...chain.variables(),
      ...ofWorker,
    }),
  )
  const wake = () => {
    for (const actor of actors) actor.wake()
  }
  const api = await openApi(chain, log, wake, ofApi, {
    ...own,
    RPC_URL_BASE_SEPOLIA: options.apiRpcUrl?.(url) ?? url,
    DATABASE_URL: await roleUrl(databaseUrlOf(database), 'api'),
  })

  const newMerchant = async (recipient: Address | null = addressOf(generatePrivateKey())) => {
    const shop = await openShop(database, chain, api.config, recipient)
    wake()
    return shop
  }
  const merchant = await newMerchant()
  return {
    chain,
    twin,
    database,
    merchant,
    newMerchant,
    async newPayer(balance = 1_000_000n) {
      const account = privateKeyToAccount(generatePrivateKey())
      if (balance > 0n) await chain.mint([{ to: account.address, amount: balance }])
      return account
    },
    async verify(body, headers = {}) {
      const response = await api.post('/v1/x402/verify', body, headers)
      if (response.status !== 200) throw new Error(`verify answered ${response.status}`)
      return response.json()
    },
    async settle(body, { headers = {}, signal } = {}) {
      const response = await api.post('/v1/x402/settle', body, headers, signal)
      if (response.status !== 200) throw new Error(`settle answered ${response.status}`)
      return response.json()
    },
    fetch: (path, init) => api.fetch(path, init),
    async authorization(payer, change = {}) {
      const { timestamp } = await chain.client.getBlock()
      return {
        from: lowerCaseAddress(payer),
        to: merchant.forwarder,
        value: PRICE,
        validAfter: timestamp - 3_600n,
        validBefore: timestamp + 300n,
        nonce: `0x${crypto.getRandomValues(new Uint8Array(32)).toHex()}`,
        ...change,
      }
    },
    async close() {
      await api.close()
      for (const actor of actors) await actor.stop()
      for (const tracer of [ofApi, ofActors]) await tracer?.close()
      closeRedis(redis)
      await database.end({ timeout: 1 })
      await chain.node.stop()
      await twin?.node.stop()
    },
  }
}

function startTwin({ roles }: HubChain): Promise<HubChain> {
  return startHubChain({ mining: 250, relayers: 1, networkId: 'sepolia', roles })
}

type Log = Parameters<typeof startChainActor>[0]['log']

function openActor(
  hubChain: HubChain,
  database: Database,
  nonces: NonceMemory,
  log: Log,
  tracer: Tracer | undefined,
  variables: Record<string, string>,
): ChainActor {
  const { config } = workerConfig(variables)
  const chain = config.chains.find(({ networkId }) => networkId === hubChain.networkId)
  if (chain === undefined) throw new Error(`${hubChain.networkId} is not switched on`)
  return startChainActor({
    config,
    chain,
    database,
    nonces,
    tracer,
    leadership: chainLeadership(config.databaseUrl, chain.chainId),
    workerId: 'worker',
    log: log.child({ process: 'worker' }),
    wakeOthers: () => {},
    wakeNotifier: () => {},
    onFatal: (error) => {
      throw error
    },
  })
}

async function openApi(
  chain: HubChain,
  log: Log,
  onWake: () => void,
  tracer: Tracer | undefined,
  variables: Record<string, string>,
) {
  const { RELAYER_KEYS_BASE_SEPOLIA: _, ...ofApi } = chain.variables(variables)
  const parsed = parseApiConfig(ofApi)
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  const { config } = parsed
  const database = openDatabase(config.databaseUrl, { name: 'test-api' })
  const redis = openRedis(config.redisUrl, { name: 'test-api', onError: () => {} })
  await waitForRedis(redis, 2_000)
  const silent = { onOutage: () => {}, onRecovery: () => {} }
  const availability = watchAvailability(database, silent)
  const facilitator = openFacilitator({ config, database, availability, log, wake: onWake })
  const now = () => new Date()
  const checkout = openCheckout({ config, database, availability, log, now })
  const chainClients = openChains(config.chains)
  const tokens = openTokens({ config, database, availability, clients: chainClients, log })
  const ofTokens = () => currenciesOf(tokens.chains())
  const app = createApp({
    config,
    database,
    keys: openKeyLookup(database, config.environment),
    creations: openCreations(database),
    checkout,
    tokens,
    rates: openRates({ source: config.rates, ofTokens, database, log, now }),
    availability,
    longReads: openLongReads(database, availability),
    readHealth: openHealth(database),
    facilitator,
    chainClients,
    limiter: openRateLimiter(redis, config.redisPrefix, silent),
    forwarding: openForwarding(config.trustedProxies),
    pingRedis: () => redis.ping(),
    log,
    now,
    wake: onWake,
    wakeNotifier: () => {},
    peer: () => '127.0.0.1',
    ...(tracer && { tracer }),
  })
  const fetch = (path: string, init: RequestInit = {}) =>
    Promise.resolve(app.handle(new Request(`http://localhost${path}`, init)))
  return {
    config,
    fetch,
    post: (
      path: string,
      body: unknown,
      headers: Record<string, string>,
      signal?: AbortSignal,
    ): Promise<Response> =>
      fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal && { signal }),
      }),
    async close() {
      availability.stop()
      await tokens.close()
      await facilitator.close()
      closeRedis(redis)
      await database.end({ timeout: 1 })
    },
  }
}

async function openShop(
  database: Database,
  chain: HubChain,
  config: ApiConfig,
  recipient: Address | null,
): Promise<Shop> {
  const created = await createMerchant(database, config, { name: 'Shop', recipient })
  if (!created.ok) throw new Error(created.message)
  const { id } = created.merchant
  const forwarder = await database.begin(async (sql) => {
    const address = await registerForwarder(sql, chain.hub, id)
    await prepareForwarder(sql, id, chain.networkId)
    return address
  })
  return { id, secretKey: created.secretKey, recipient, forwarder }
}
