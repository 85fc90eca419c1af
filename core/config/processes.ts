import { isDatabaseUrl } from '../base/databaseUrl.ts'
import { type FeePolicy, MAX_FEE_BPS } from '../base/fee.ts'
import type { Keyring } from '../base/keyring.ts'
import type { BaseUnits } from '../base/money.ts'
import type { IpNetwork } from '../base/network.ts'
import { ANSWERS_KEPT_DAYS } from '../base/retention.ts'
import type { Address } from '../chain/evm.ts'
import { type Chain, chainsOf } from '../chain/registry.ts'
import type { Environment } from '../chain/table.ts'
import { perToken, TOKENS, type TokenSymbol } from '../chain/tokens.ts'
import { type ActiveChain, activeChain, suffix } from './chains.ts'
import { type MetricsAddress, metricsAddress } from './metrics.ts'
import { type ParsedConfig, type Reader, read, type Variables } from './reader.ts'
import { withRecoverable } from './recoverable.ts'
import { isScreening } from './screening.ts'
import { secretKeys } from './secretKeys.ts'
import { traceEndpoint } from './tracing.ts'
import { withWalletFactories } from './walletFactories.ts'

/**
 * The configuration of processes, parsed once from environment variables: what all read, and what indexer and
 * notifier read besides. Those of API and workers are beside this file.
 */

export interface Config {
  readonly environment: Environment
  /** Through a pooler that lends a connection for a transaction at a time, where `directUrl` is another one. */
  readonly databaseUrl: string
  /** The server itself: for locks and subscriptions, which belong to a session. */
  readonly directUrl: string
  /** The most connections of the pool of an API process, a worker or a notifier; null for the usual ones. */
  readonly databaseConnections: number | null
  readonly redisUrl: string
  /** Separates what several deployments keep in one Redis. */
  readonly redisPrefix: string
  readonly hub: Address
  readonly feeCollector: Address
  readonly chains: readonly ActiveChain[]
  /** Every chain of the environment, active or not: what is known about tokens that were found. */
  readonly registry: readonly Chain[]
  readonly fees: Readonly<Record<TokenSymbol, FeePolicy>>
  readonly x402Fee: { readonly rateBps: number; readonly cap: BaseUnits }
  /** How long a requested recipient waits before it is active, in seconds. */
  readonly recipientDelayS: number
  /** Whether money waits until the operator's service has let its payer pass. */
  readonly isScreening: boolean
  /** Merchants who are paid at addresses of their own owe that fee; otherwise they owe nothing. */
  readonly owesDirectFee: boolean
  /** What of it should be put right, in sentences. */
  readonly warnings: readonly string[]
  readonly logLevel: string
  /** How long a connection may be silent before another one is opened, in ms. */
  readonly silenceMs: number
  /** How long a process may take to end, in ms. */
  readonly graceMs: number
  /** Where the process serves its metrics; null for nowhere. */
  readonly metrics: MetricsAddress | null
  /** Where spans are sent by OTLP over HTTP; null for nowhere. */
  readonly traces: string | null
}

export interface IndexerConfig extends Config {
  readonly graphqlHost: string
  readonly graphqlPort: number
  readonly operatorToken: string | null
  /** A file that exists while a rollout may continue; null for none. */
  readonly readyFile: string | null
}

export interface NotifierConfig extends Config {
  /** A file that is there once the process works; null for none. */
  readonly readyFile: string | null
  /** Networks (CIDR) that webhooks may be sent to even though they are not public. */
  readonly webhookAllowedNetworks: readonly IpNetwork[]
  /** For how many days what endpoints answered is kept. */
  readonly answersDays: number
  /** Decrypt the secrets that sign webhooks. */
  readonly secretKeys: Keyring
}

const HOUR_S = 3_600

/** With fewer, what is done beside each other would be done one after the other. */
const LEAST_CONNECTIONS = 4

/** Reads what every process needs. */
export function parseConfig(variables: Variables): ParsedConfig<Config> {
  return read(variables, common)
}

/** Reads the indexer's configuration. Analytics show all tenants: no token, loopback only. */
export function parseIndexerConfig(variables: Variables): ParsedConfig<IndexerConfig> {
  return read(variables, (reader) => {
    const operatorToken = reader.optional('OPERATOR_TOKEN')
    return {
      ...common(reader),
      graphqlHost: operatorToken ? reader.text('GRAPHQL_HOST', '127.0.0.1') : '127.0.0.1',
      graphqlPort: reader.integer('GRAPHQL_PORT', 42_069, 0, 65_535),
      operatorToken,
      readyFile: reader.optional('READY_FILE'),
    }
  })
}

/** Reads the notifier's configuration. It signs webhooks with secrets of the database and holds no key. */
export function parseNotifierConfig(variables: Variables): ParsedConfig<NotifierConfig> {
  return read(variables, (reader) => {
    const config = common(reader)
    return {
      ...config,
      readyFile: reader.optional('READY_FILE'),
      webhookAllowedNetworks: reader.networks('WEBHOOK_ALLOWED_NETWORKS'),
      answersDays: reader.days('KEEP_WEBHOOK_ANSWERS_DAYS', ANSWERS_KEPT_DAYS),
      secretKeys: secretKeys(reader, config.environment),
    }
  })
}

/** In live a hijacked owner's session must leave the other owners some time. */
function recipientDelay(reader: Reader, environment: Environment): number {
  const [usual, least] = environment === 'live' ? [24 * HOUR_S, HOUR_S] : [0, 0]
  return reader.integer('RECIPIENT_DELAY_S', usual, least, 30 * 24 * HOUR_S)
}

/** Redis takes commands from every client that reaches it, unless it requires a password. */
function redisUrl(reader: Reader, environment: Environment): string {
  const text = reader.required('REDIS_URL', 'the redis:// URL of the mailboxes and rate limits')
  const { hostname = '', password = '' } = URL.parse(text) ?? {}
  const isOpen = password === '' && !/^(localhost|127\.[\d.]+|\[::1\]|)$/.test(hostname)
  if (environment === 'live' && isOpen) {
    reader.warning(
      'REDIS_URL has no password: every client that reaches Redis can lift limits and hold up work; set REDIS_PASSWORD',
    )
  }
  return text
}

/** How long a connection may be silent, in ms. */
export function silenceMs(reader: Reader): number {
  return reader.integer('SILENCE_MS', 5_000, 200, 10_000)
}

/** What every process reads. */
export function common(reader: Reader): Config {
  const environment = reader.environment()
  const listed = withRecoverable(reader, chainsOf(environment))
  const registry = withWalletFactories(reader, listed)
  const chains = registry.flatMap((chain) => activeChain(reader, chain))
  if (chains.length === 0) {
    const names = registry.map((chain) => `RPC_URL_${suffix(chain.networkId)}`)
    reader.problem(`no chain is switched on: set at least one of ${names.join(', ')}`)
  }
  const databaseUrl = reader.required('DATABASE_URL', 'the postgres:// URL of the ledger')
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL']) {
    const text = reader.optional(name)
    if (text === null || isDatabaseUrl(text)) continue
    reader.problem(
      `${name} must be a postgres:// URL, with its password percent-encoded: %2F for /, %40 for @`,
    )
  }
  return {
    environment,
    databaseUrl,
    directUrl: reader.text('DATABASE_DIRECT_URL', databaseUrl),
    databaseConnections:
      reader.optional('DATABASE_CONNECTIONS') === null
        ? null
        : reader.integer('DATABASE_CONNECTIONS', LEAST_CONNECTIONS, LEAST_CONNECTIONS, 200),
    redisUrl: redisUrl(reader, environment),
    redisPrefix: reader.text('REDIS_PREFIX', `remit-${environment}`),
    hub: reader.address('HUB_ADDRESS'),
    feeCollector: reader.address('FEE_COLLECTOR'),
    chains,
    registry,
    fees: perToken((symbol) => reader.fee(symbol)),
    x402Fee: {
      rateBps: reader.integer('X402_FEE_BPS', 50, 0, MAX_FEE_BPS),
      cap: reader.registryCap('X402_FEE_CAP', '5', TOKENS.USDC.decimals),
    },
    recipientDelayS: recipientDelay(reader, environment),
    isScreening: isScreening(reader),
    owesDirectFee: reader.onOrOff('X402_DIRECT_FEE', false),
    warnings: reader.warnings,
    logLevel: reader.text('LOG_LEVEL', 'info'),
    silenceMs: silenceMs(reader),
    graceMs: 1_000 * reader.integer('STOP_GRACE_S', 10, 1, 300),
    metrics: metricsAddress(reader),
    traces: traceEndpoint(reader),
  }
}
