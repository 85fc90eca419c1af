import type { Keyring } from '../base/keyring.ts'
import type { IpNetwork } from '../base/network.ts'
import { type DashboardConfig, dashboardConfig } from './dashboard.ts'
import { publicUrl } from './origins.ts'
import { type Config, common } from './processes.ts'
import { type RateSource, rateSource } from './rates.ts'
import { type ParsedConfig, type Reader, read, type Variables } from './reader.ts'
import { secretKeys } from './secretKeys.ts'

export interface ApiConfig extends Config {
  readonly host: string
  readonly port: number
  /** Where payers reach this API: scheme, host and port, without a slash at the end. */
  readonly publicUrl: string
  readonly limits: {
    readonly authenticated: number
    readonly utility: number
    readonly x402: number
    /** Units per minute and client address for what requests cost: core/access/costs.ts. */
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

const DEFAULT_LIMITS = {
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
