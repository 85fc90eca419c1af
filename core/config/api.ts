import type { Keyring } from '../base/keyring.ts'
import type { IpNetwork } from '../base/network.ts'
import { TOKENS } from '../chain/tokens.ts'
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
  readonly limits: Readonly<ReturnType<typeof limits>>
  /** How long a valid verify holds its amount of the payer's balance, in s; 0 where it holds nothing. */
  readonly holdSeconds: number
  /** Null while it is switched off. */
  readonly dashboard: DashboardConfig | null
  /** The source of rates; null where amounts can only be in a token's own currency. */
  readonly rates: RateSource | null
  /** The operator's token for the figures of all merchants; null disables them. */
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
      limits: limits(reader),
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

function limits(reader: Reader) {
  return {
    authenticated: reader.integer('RATE_LIMIT_AUTHENTICATED', 120, 1),
    utility: reader.integer('RATE_LIMIT_UTILITY', 60, 1),
    x402: reader.integer('RATE_LIMIT_X402', 300_000, 1),
    /** Units per minute and client address for what requests cost: core/access/costs.ts. */
    budget: reader.integer('REQUEST_BUDGET', 120_000, 1),
    /** Lines of the log per minute and client address about requests that failed. */
    failureLines: reader.integer('LOG_FAILURES', 6_000, 0),
    /** Payments under way for one payer of a token on a chain. */
    claimsPerPayer: reader.integer('X402_CLAIMS_PER_PAYER', 2_000, 1),
    /** Requests of payers per minute and client address. */
    payers: reader.integer('RATE_LIMIT_PAYERS', 300, 1),
    /** Sessions per minute, publishable key and client address. */
    sessions: reader.integer('RATE_LIMIT_SESSIONS', 30, 1),
    /** Invoices that a merchant's payers may have made within a day and not paid. */
    unpaidPerDay: reader.integer('CHECKOUT_UNPAID_PER_DAY', 2_000, 1),
    /** How many of those may come from one client address. */
    unpaidPerClient: reader.integer('CHECKOUT_UNPAID_PER_CLIENT', 200, 1),
    /** What the gas of a merchant's invoices that are paid by signature may cost within a day, in millionths of a dollar. */
    gaslessPerMerchant: reader.amount('GASLESS_PER_MERCHANT_DAY', '10', TOKENS.USDC.decimals),
    /** How many signatures of a merchant's payers one client may send within a day that pay nothing. */
    gaslessUnpaidPerClient: reader.integer('GASLESS_UNPAID_PER_CLIENT', 20, 1),
    /** Streams of sessions that one client address, and this process, keep open. */
    streamsPerClient: reader.integer('CHECKOUT_STREAMS_PER_CLIENT', 50, 0),
    streams: reader.integer('CHECKOUT_STREAMS', 10_000, 0),
  }
}

function nativeRecovery(reader: Reader): boolean {
  const value = reader.text('SIGNATURE_RECOVERY', 'any')
  if (value !== 'any' && value !== 'native') {
    reader.problem('SIGNATURE_RECOVERY must be any or native')
  }
  return value === 'native'
}
