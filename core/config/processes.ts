import type { Address } from '../chain/evm.ts'
import {
  type Chain,
  chainsOf,
  type Environment,
  perToken,
  TOKENS,
  type TokenSymbol,
} from '../chain/registry.ts'
import { type FeePolicy, MAX_FEE_BPS } from '../fee.ts'
import type { BaseUnits } from '../money.ts'
import type { IpNetwork } from '../network.ts'
import { ANSWERS_KEPT_DAYS, BYTES_KEPT_DAYS, WORK_KEPT_DAYS } from '../retention.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { type ActiveChain, activeChain, suffix } from './chains.ts'
import { type DashboardConfig, dashboardConfig } from './dashboard.ts'
import { type MetricsAddress, metricsAddress } from './metrics.ts'
import { publicUrl } from './origins.ts'
import { type RateSource, rateSource } from './rates.ts'
import { type ParsedConfig, type Reader, read, type Variables } from './reader.ts'
import { withRecoverable } from './recoverable.ts'
import { isScreening, type ScreeningSource, screeningSource } from './screening.ts'
import { secretKeys } from './secretKeys.ts'
import { type SignerSource, signerOf, signersOf } from './signers.ts'
import { traceEndpoint } from './tracing.ts'
import { withWalletFactories } from './walletFactories.ts'

/**
 * The configuration of each process, parsed once from environment variables.
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
  /** How long another recipient that a merchant asks for waits before it is in force, in seconds. */
  readonly recipientDelayS: number
  /** Whether money waits until the operator's service has let its payer pass. */
  readonly isScreening: boolean
  /** Merchants who are paid at addresses of their own owe that fee; otherwise they owe nothing. */
  readonly owesDirectFee: boolean
  readonly logLevel: string
  /** Where the process serves its metrics; null for nowhere. */
  readonly metrics: MetricsAddress | null
  /** Where spans are sent by OTLP over HTTP; null for nowhere. */
  readonly traces: string | null
}

export interface ApiConfig extends Config {
  readonly host: string
  readonly port: number
  /** Where payers reach this API: scheme, host and port, without a slash at the end. */
  readonly publicUrl: string
  readonly limits: {
    readonly authenticated: number
    readonly utility: number
    readonly x402: number
    /** Units per minute and client address for what requests cost beyond their number: core/costs.ts. */
    readonly budget: number
    /** Lines of the log per minute and client address about requests that failed. */
    readonly failureLines: number
    /** Payments under way for one payer of a token on a chain. */
    readonly claimsPerPayer: number
    /** Requests of payers per minute and client address. */
    readonly payers: number
    /** Sessions per minute, publishable key and client address. */
    readonly sessions: number
    /** Invoices that a merchant's payers may have made within a day and not paid. */
    readonly unpaidPerDay: number
    /** How many of those may come from one client address. */
    readonly unpaidPerClient: number
    /** Streams of sessions that one client address, and this process, keep open. */
    readonly streamsPerClient: number
    readonly streams: number
  }
  /** How long a valid verify holds its amount of the payer's balance, in s; 0 where it holds nothing. */
  readonly holdSeconds: number
  /** Null while it is switched off. */
  readonly dashboard: DashboardConfig | null
  /** Where rates come from; null where amounts can only be in what a token stands for. */
  readonly rates: RateSource | null
  /** By which the operator asks for the figures of all merchants; null where nobody may. */
  readonly operatorToken: string | null
  /** Whether x402 payers may have code: contract wallets, accounts that delegated by EIP-7702. */
  readonly takesWallets: boolean
  /** Whether the process must not start where signatures would be recovered in JavaScript. */
  readonly needsNativeRecovery: boolean
  /** Networks (CIDR) whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly IpNetwork[]
  /** A relayer whose native balance is below this, in wei, is reported as low. */
  readonly lowBalanceWei: bigint
  /** Encrypt the secrets of webhooks and authenticators in the database. */
  readonly secretKeys: Keyring
}

export interface IndexerConfig extends Config {
  readonly graphqlHost: string
  readonly graphqlPort: number
  readonly operatorToken: string | null
  /** A file that is there while a deployment may go on; null for none. */
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

export interface WorkerConfig extends Config {
  /** A file that is there once the process works; null for none. */
  readonly readyFile: string | null
  readonly owner: Address
  /** Who is asked about payers; null where nobody is. */
  readonly screening: ScreeningSource | null
  /** Where the keys are that sign registry entries and refunds, and those that send transactions, */
  readonly configSigner: SignerSource
  readonly refundSigner: SignerSource
  /** by networkId. */
  readonly relayers: ReadonlyMap<string, readonly SignerSource[]>
  readonly relayer: {
    readonly batchMax: number
    readonly inFlightMax: number
    readonly keysPerWorker: number
    readonly leaseMs: number
    /** A key whose native balance falls below this, in wei, raises an alarm. */
    readonly lowBalanceWei: bigint
  }
  readonly x402: {
    /** The most payments that share a transaction. */
    readonly batchMax: number
    /** How long payments wait to be batched while a transaction is in flight, in ms. */
    readonly flushMs: number
    /** A forwarder is paid out once it holds this much, in base units, */
    readonly distributeFrom: BaseUnits
    /** or once its oldest payment has waited for so long, in ms. */
    readonly distributeAfterMs: number
  }
  /** For how many days rows are kept that have served their purpose: core/retention.ts. */
  readonly retention: { readonly workDays: number; readonly bytesDays: number }
}

const HOUR_S = 3_600

/** With fewer, what is done beside each other would be done one after the other. */
const LEAST_CONNECTIONS = 4

export const DEFAULT_LIMITS = {
  authenticated: 120,
  utility: 60,
  x402: 300_000,
  budget: 120_000,
  failureLines: 6_000,
  claimsPerPayer: 2_000,
  payers: 300,
  sessions: 30,
  unpaidPerDay: 2_000,
  unpaidPerClient: 200,
  streamsPerClient: 50,
  streams: 10_000,
} as const

/** Reads what every process needs. */
export function parseConfig(variables: Variables): ParsedConfig<Config> {
  return read(variables, common)
}

/** Reads the API's configuration. In live, a process with an open port refuses to hold a signing key. */
export function parseApiConfig(variables: Variables): ParsedConfig<ApiConfig> {
  return read(variables, (reader) => {
    const config = common(reader)
    if (config.environment === 'live') reader.refuseSigningKeys()
    const host = reader.text('HOST', '127.0.0.1')
    const port = reader.integer('PORT', 3000, 0, 65_535)
    return {
      ...config,
      host,
      port,
      publicUrl: publicUrl(reader),
      holdSeconds: reader.integer('X402_HOLD_S', 30, 0, 300),
      dashboard: dashboardConfig(reader, config.environment),
      limits: {
        authenticated: reader.integer('RATE_LIMIT_AUTHENTICATED', DEFAULT_LIMITS.authenticated, 1),
        utility: reader.integer('RATE_LIMIT_UTILITY', DEFAULT_LIMITS.utility, 1),
        x402: reader.integer('RATE_LIMIT_X402', DEFAULT_LIMITS.x402, 1),
        budget: reader.integer('REQUEST_BUDGET', DEFAULT_LIMITS.budget, 1),
        failureLines: reader.integer('LOG_FAILURES', DEFAULT_LIMITS.failureLines, 0),
        claimsPerPayer: reader.integer('X402_CLAIMS_PER_PAYER', DEFAULT_LIMITS.claimsPerPayer, 1),
        payers: reader.integer('RATE_LIMIT_PAYERS', DEFAULT_LIMITS.payers, 1),
        sessions: reader.integer('RATE_LIMIT_SESSIONS', DEFAULT_LIMITS.sessions, 1),
        unpaidPerDay: reader.integer('CHECKOUT_UNPAID_PER_DAY', DEFAULT_LIMITS.unpaidPerDay, 1),
        unpaidPerClient: reader.integer(
          'CHECKOUT_UNPAID_PER_CLIENT',
          DEFAULT_LIMITS.unpaidPerClient,
          1,
        ),
        streamsPerClient: reader.integer(
          'CHECKOUT_STREAMS_PER_CLIENT',
          DEFAULT_LIMITS.streamsPerClient,
          0,
        ),
        streams: reader.integer('CHECKOUT_STREAMS', DEFAULT_LIMITS.streams, 0),
      },
      rates: rateSource(reader, config.environment),
      operatorToken: reader.optional('OPERATOR_TOKEN'),
      takesWallets: reader.onOrOff('X402_WALLETS', true),
      needsNativeRecovery: nativeRecovery(reader),
      trustedProxies: reader.networks('TRUSTED_PROXIES'),
      lowBalanceWei: reader.lowBalance(),
      secretKeys: secretKeys(reader, config.environment),
    }
  })
}

function nativeRecovery(reader: Reader): boolean {
  const value = reader.text('SIGNATURE_RECOVERY', 'any')
  if (value !== 'any' && value !== 'native') {
    reader.problem('SIGNATURE_RECOVERY must be any or native')
  }
  return value === 'native'
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

/** Reads the workers' configuration, the only one with signing keys, or with the way to them. */
export function parseWorkerConfig(variables: Variables): ParsedConfig<WorkerConfig> {
  return read(variables, (reader) => {
    const config = common(reader)
    const screening = screeningSource(reader, config.environment)
    const shared = signersOf(reader, 'RELAYER_KEYS', 'RELAYER_SIGNERS')
    const relayers = new Map(
      config.chains.map(({ networkId }) => [networkId, relayersOf(reader, networkId, shared)]),
    )
    return {
      ...config,
      readyFile: reader.optional('READY_FILE'),
      owner: reader.address('HUB_OWNER'),
      screening,
      configSigner: signerOf(reader, 'CONFIG_SIGNER'),
      refundSigner: signerOf(reader, 'REFUND_SIGNER'),
      relayers,
      relayer: {
        batchMax: reader.integer('RELAYER_BATCH_MAX', 50, 1, 100),
        inFlightMax: reader.integer('RELAYER_IN_FLIGHT_MAX', 8, 1, 64),
        keysPerWorker: reader.integer('RELAYER_KEYS_PER_WORKER', 2, 1, 64),
        leaseMs: reader.integer('RELAYER_LEASE_MS', 15_000, 1_000, 600_000),
        lowBalanceWei: reader.lowBalance(),
      },
      x402: {
        batchMax: reader.integer('X402_BATCH_MAX', 100, 1, 100),
        flushMs: reader.integer('X402_FLUSH_MS', 60, 0, 5_000),
        distributeFrom: reader.amount('X402_DISTRIBUTE_FROM', '10', TOKENS.USDC.decimals),
        distributeAfterMs: reader.integer('X402_DISTRIBUTE_AFTER_S', 3_600, 0, 2_592_000) * 1_000,
      },
      retention: {
        workDays: reader.days('KEEP_WORK_DAYS', WORK_KEPT_DAYS),
        bytesDays: reader.days('KEEP_TRANSACTION_BYTES_DAYS', BYTES_KEPT_DAYS),
      },
    }
  })
}

/** The relayers of one chain: its own, or those for all chains. */
function relayersOf(
  reader: Reader,
  networkId: string,
  shared: readonly SignerSource[],
): readonly SignerSource[] {
  const [keys, signers] = [
    `RELAYER_KEYS_${suffix(networkId)}`,
    `RELAYER_SIGNERS_${suffix(networkId)}`,
  ]
  const own = signersOf(reader, keys, signers)
  const relayers = own.length > 0 ? own : shared
  if (relayers.length === 0) {
    reader.problem(
      `${keys} is missing: set the private keys, separated by commas, that send transactions on ${networkId} (or RELAYER_KEYS for all chains), or ${signers} to the URLs of signers`,
    )
  }
  return relayers
}

/** In live whoever has taken over an owner's session must not be able to leave the others no time at all. */
function recipientDelay(reader: Reader, environment: Environment): number {
  const [usual, least] = environment === 'live' ? [24 * HOUR_S, HOUR_S] : [0, 0]
  return reader.integer('RECIPIENT_DELAY_S', usual, least, 30 * 24 * HOUR_S)
}

function common(reader: Reader): Config {
  const environment = reader.environment()
  const listed = withRecoverable(reader, chainsOf(environment))
  const registry = withWalletFactories(reader, listed)
  const chains = registry.flatMap((chain) => activeChain(reader, chain))
  if (chains.length === 0) {
    const names = registry.map((chain) => `RPC_URL_${suffix(chain.networkId)}`)
    reader.problem(`no chain is switched on: set at least one of ${names.join(', ')}`)
  }
  const databaseUrl = reader.required('DATABASE_URL', 'the postgres:// URL of the ledger')
  return {
    environment,
    databaseUrl,
    directUrl: reader.text('DATABASE_DIRECT_URL', databaseUrl),
    databaseConnections:
      reader.optional('DATABASE_CONNECTIONS') === null
        ? null
        : reader.integer('DATABASE_CONNECTIONS', LEAST_CONNECTIONS, LEAST_CONNECTIONS, 200),
    redisUrl: reader.required('REDIS_URL', 'the redis:// URL of the mailboxes and rate limits'),
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
    logLevel: reader.text('LOG_LEVEL', 'info'),
    metrics: metricsAddress(reader),
    traces: traceEndpoint(reader),
  }
}
