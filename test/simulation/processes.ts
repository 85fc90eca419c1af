import type pino from 'pino'
import { createApp } from '../../api/app.ts'
import { openForwarding } from '../../api/http/forwarding.ts'
import { openRates } from '../../api/tokens/rates.ts'
import { openTokens } from '../../api/tokens/tokens.ts'
import { openFacilitator } from '../../api/x402/facilitator.ts'
import { openSignersHere } from '../../api/x402/signers.ts'
import { openChains } from '../../chain/rpc/client.ts'
import { currenciesOf } from '../../core/chain/offered.ts'
import { type ApiConfig, parseApiConfig } from '../../core/config/api.ts'
import { type NotifierConfig, parseNotifierConfig } from '../../core/config/processes.ts'
import type { ParsedConfig, Variables } from '../../core/config/reader.ts'
import type { ChainMessage } from '../../core/events/messages.ts'
import { openKeyLookup } from '../../store/access/apiKeys.ts'
import { openHealth } from '../../store/books/health.ts'
import { openCheckout } from '../../store/checkout/open.ts'
import { watchAvailability } from '../../store/database/availability.ts'
import { openDatabase } from '../../store/database/database.ts'
import { chainLeadership } from '../../store/database/leadership.ts'
import { openLongReads } from '../../store/database/longReads.ts'
import { openCreations } from '../../store/invoice/creations.ts'
import type { NonceMemory } from '../../store/redis/nonces.ts'
import type { RateLimiter } from '../../store/redis/rateLimit.ts'
import { startChainActor } from '../../workers/ledger/actor.ts'
import { startNotifier } from '../../workers/webhook/actor.ts'
import { workerConfig } from '../support/servers/chain.ts'
import { type Process, runAs } from './kernel.ts'

/** The processes of the product, started as their entry points do, without Redis between them. */

export interface Setting {
  /** A new process, to which faults may happen. */
  process(name: string): Process
  /** The variables of a process, with the database by its own role. */
  variables(role: 'api' | 'worker' | 'notifier', node: string): Variables
  readonly nonces: NonceMemory
  readonly log: (name: string) => pino.Logger
  /** A message to the workers of the chain, which may be lost. */
  wake(message: ChainMessage): void
  wakeNotifier(): void
  /** A process has given up, and ends. */
  onFatal(process: Process, error: unknown): void
}

export interface Woken {
  readonly process: Process
  handle(message: ChainMessage): void
  /** A worker hears of a new head. */
  followHead?(): void
  /** It is told to end. */
  stop(): Promise<void>
}

/** Fewer connections than in production: each costs the server more than what is done with it. */
const POOL_SIZE = 2
/** Longer than in production, where a notifier is also woken. */
const NOTIFIER_TICK_MS = 5_000
/** Each process asks idle connections something now and then, which is not what a run is about. */
const SILENCE_MS = 10_000

export function startWorker(setting: Setting, name: string, node: string): Woken {
  const { log: logOf } = setting
  const process = setting.process(name)
  return runAs(process, () => {
    const { config, chain } = workerConfig(setting.variables('worker', node))
    const database = openDatabase(config.directUrl, {
      ...{ name: 'remit-worker', poolSize: POOL_SIZE, silenceMs: SILENCE_MS },
    })
    const actor = startChainActor({
      ...{ config, chain, database, nonces: setting.nonces },
      leadership: chainLeadership(config.directUrl, chain.chainId, SILENCE_MS),
      workerId: name,
      log: logOf(name),
      wakeOthers: () => setting.wake({ type: 'work_waiting' }),
      wakeNotifier: () => setting.wakeNotifier(),
      onFatal: (error) => setting.onFatal(process, error),
    })
    const handle = (message: ChainMessage) =>
      runAs(process, () => {
        actor
          .handle(message)
          .catch((error: unknown) => logOf(name).warn({ err: error }, 'a message'))
      })
    const followHead = () => runAs(process, () => actor.followHead())
    return { process, handle, followHead, stop: () => runAs(process, () => actor.stop()) }
  })
}

export function startNotifierProcess(
  setting: Setting,
  name: string,
  tickMs = NOTIFIER_TICK_MS,
): Woken {
  const process = setting.process(name)
  return runAs(process, () => {
    const config: NotifierConfig = parsed(parseNotifierConfig(setting.variables('notifier', '')))
    const database = openDatabase(config.directUrl, {
      ...{ name: 'remit-notifier', poolSize: POOL_SIZE, silenceMs: SILENCE_MS },
    })
    const actor = startNotifier({
      ...{ config, database, workerId: name, log: setting.log(name), tickMs },
      onFatal: (error) => setting.onFatal(process, error),
    })
    const handle = () => runAs(process, () => actor.wake())
    return { process, handle, stop: () => runAs(process, () => actor.stop()) }
  })
}

export interface Api {
  readonly process: Process
  readonly config: ApiConfig
  /** Answers a request, in the API's process. */
  fetch(request: Request): Promise<Response>
}

export function startApi(setting: Setting, name: string, node: string): Api {
  const process = setting.process(name)
  return runAs(process, () => {
    const config = parsed(parseApiConfig(setting.variables('api', node)))
    const log = setting.log(name)
    const database = openDatabase(config.databaseUrl, {
      ...{ name: 'remit-api', poolSize: POOL_SIZE, silenceMs: SILENCE_MS },
    })
    const wake = (_: readonly string[], message: ChainMessage) => setting.wake(message)
    const availability = watchAvailability(database, { onOutage() {}, onRecovery() {} })
    const now = () => new Date()
    const chainClients = openChains(config.chains)
    const tokens = openTokens({ config, database, availability, clients: chainClients, log })
    const ofTokens = () => currenciesOf(tokens.chains())
    const app = createApp({
      ...{ config, database, tokens, availability, chainClients, log, now, wake },
      keys: openKeyLookup(database, config.environment),
      creations: openCreations(database),
      checkout: openCheckout({ config, database, availability, log, now }),
      rates: openRates({ source: config.rates, ofTokens, database, log, now }),
      longReads: openLongReads(database, availability),
      readHealth: openHealth(database),
      facilitator: openFacilitator({
        ...{ config, database, availability, log, wake },
        signers: openSignersHere(),
      }),
      limiter: UNLIMITED,
      forwarding: openForwarding(config.trustedProxies),
      pingRedis: async () => 'PONG',
      wakeNotifier: () => setting.wakeNotifier(),
      peer: () => '203.0.113.7',
    })
    return { process, config, fetch: async (request) => app.handle(request) }
  })
}

const ADMITTED = { isAdmitted: true, remaining: 1_000, retryAfter: 0 }
const windows = { take: async () => ADMITTED, peek: async () => ADMITTED }
const UNLIMITED: RateLimiter = { ...windows, hourly: windows, spend: async () => ADMITTED }

/** What Redis remembers for the workers. */
export function openNonces(): NonceMemory {
  const ledgers = new Map<string, Map<string, { address: `0x${string}`; nonce: bigint }>>()
  return {
    async remember(ledger, keys) {
      const known = ledgers.get(ledger) ?? new Map()
      ledgers.set(ledger, known)
      for (const { address, nextNonce } of keys) {
        const before = known.get(address)?.nonce ?? 0n
        if (nextNonce > before) known.set(address, { address, nonce: nextNonce })
      }
    },
    async recall(ledger) {
      const known = ledgers.get(ledger) ?? new Map()
      return new Map([...known.values()].map(({ address, nonce }) => [address, nonce]))
    },
    async forget(ledger) {
      ledgers.delete(ledger)
    },
  }
}

function parsed<T>(config: ParsedConfig<T>): T {
  if (!config.ok) throw new Error(config.problems.join('\n'))
  return config.config
}
