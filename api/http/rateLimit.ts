import { AppError } from '../../core/base/errors.ts'
import type { MerchantId, PersonId } from '../../core/base/ids.ts'
import type { LimitVerdict } from '../../store/redis/rateLimit.ts'
import { clientOfExchange, networksOfExchange } from './clientAddress.ts'
import { type Device, openDevices } from './devices.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'

/**
 * Rate limits by caller (docs/configuration.md#the-api-and-its-limits). Each call sets the X-RateLimit headers of
 * the response, and throws `too_many_requests` if the window is full.
 */
export interface Limits {
  /** Counts an authenticated request of a merchant. */
  merchant(exchange: Exchange, merchantId: MerchantId): Promise<void>
  /** Counts a request by the operator's token. */
  operator(exchange: Exchange): Promise<void>
  /** Counts a request without a valid key, by the client's address. */
  unauthenticated(exchange: Exchange): Promise<void>
  /** Sets the headers of a request whose key could not be read, without counting it. */
  showUnauthenticated(exchange: Exchange): Promise<void>
  /** Counts a request of a public endpoint, by the client's address. */
  utility(exchange: Exchange): Promise<void>
  /** Counts a request of the pay-per-request endpoints, by merchant, else by client address. */
  x402(exchange: Exchange, merchantId: MerchantId | null): Promise<void>
  /** Counts a request of a payer, by the client's address. */
  payer(exchange: Exchange): Promise<void>
  /** Counts a session requested with a merchant's publishable key, by key and address. */
  session(exchange: Exchange, merchantId: MerchantId): Promise<void>
  /** Counts a signed-in user's request, apart from those of a merchant's servers. */
  person(exchange: Exchange, personId: PersonId): Promise<void>
  /**
   * Counts a step of a sign-in, or another request without a session: by the device, if an account has signed in
   * with it before, and by all devices of its address; else by the client's address.
   */
  signIn(exchange: Exchange): Promise<void>
  /**
   * Counts an attempt on an account, existing or not, by the client's address and by the account with the widest
   * of its networks. A known device of the account has its own window instead, within one of all devices of the
   * account, so that others can't lock it out. After as many wrong passwords and codes within an hour as it has
   * attempts per minute, it is counted like any other client as well.
   */
  account(exchange: Exchange, email: string): Promise<void>
  /** Counts a code after the right password as an attempt on the account, in addition to `signIn`. */
  code(exchange: Exchange, email: string): Promise<void>
  /** Counts a wrong password or code. True if the account's owner must be notified. */
  failed(exchange: Exchange, email: string): Promise<boolean>
  /** Whether the account has signed in with this browser before, without too many failures since. */
  isKnown(exchange: Exchange, email: string): Promise<boolean>
  /** The cookie that identifies the browser as a device; a new device after too many failures. */
  remember(exchange: Exchange, email: string): Promise<string>
  /** Counts a password or a code sent within a session. */
  guess(exchange: Exchange, sessionId: string): Promise<void>
  /** False if the user was notified within the last hour. */
  mayNotify(personId: PersonId): Promise<boolean>
}

/** Failures of an account per hour, as a multiple of attempts per minute, above which its networks' limits shrink. */
const MANY_FAILURES = 5
/** The divisor of these limits. */
const SLOWER = 10
/** Attempts of all devices of an account, and of all devices at an address, as a multiple of one device's. */
const MANY_DEVICES = 5

/** Without a dashboard these limits are unused. */
const NO_DASHBOARD = { limits: { requests: 1, signIns: 1 }, origin: '', secret: '' } as const

export function createLimits(deps: Pick<ApiDependencies, 'limiter' | 'config' | 'peer'>): Limits {
  const { limiter, config } = deps
  const { authenticated, utility, x402, payers, sessions } = config.limits

  const { limits: ofDashboard, ...signed } = config.dashboard ?? NO_DASHBOARD
  const { requests: ofUsers, signIns } = ofDashboard
  const devices = openDevices(signed)
  const cookies = (exchange: Exchange) => exchange.request.headers.get('cookie')

  const client = (exchange: Exchange) => clientOfExchange(deps, exchange)

  async function take(exchange: Exchange, subject: string, limit: number): Promise<void> {
    const verdict = await limiter.take(subject, limit)
    writeHeaders(exchange, limit, verdict.remaining)
    refuseUnless(exchange, verdict)
  }

  function refuseUnless(exchange: Exchange, verdict: LimitVerdict): void {
    if (verdict.isAdmitted) return
    exchange.set.headers['retry-after'] = String(verdict.retryAfter)
    throw new AppError('too_many_requests')
  }

  const nameOf = (device: Device) => `${device.account}:${device.id}`
  const byAddress = (exchange: Exchange) => take(exchange, `sign-in:${client(exchange)}`, signIns)

  /** Sign-ins create any number of devices: together those of an account have the attempts of a few. */
  async function fromDevice(exchange: Exchange, device: Device): Promise<void> {
    await take(exchange, `device:${nameOf(device)}`, signIns)
    await takeAsWell(exchange, `devices:${device.account}`)
  }

  /** Counts in a wider window, in addition to that of the headers. */
  async function takeAsWell(exchange: Exchange, subject: string): Promise<void> {
    refuseUnless(exchange, await limiter.take(subject, signIns * MANY_DEVICES))
  }

  /** A cookie outlives a changed password: once it is used to guess passwords, it is ignored. */
  async function isGuessing(device: Device): Promise<boolean> {
    const verdict = await limiter.hourly.peek(`device-failures:${nameOf(device)}`, signIns)
    return !verdict.isAdmitted
  }

  async function isKnown(exchange: Exchange, email: string): Promise<boolean> {
    const device = devices.of(cookies(exchange), email)
    return device !== null && !(await isGuessing(device))
  }

  async function signIn(exchange: Exchange): Promise<void> {
    const device = devices.any(cookies(exchange))
    if (device === null) return byAddress(exchange)
    await fromDevice(exchange, device)
    if (await isGuessing(device)) return byAddress(exchange)
    await takeAsWell(exchange, `devices-at:${client(exchange)}`)
  }

  async function onAccount(exchange: Exchange, email: string): Promise<void> {
    const network = networksOfExchange(deps, exchange).at(-1)
    const account = accountOf(email)
    const failures = await limiter.hourly.peek(`failures:${account}`, signIns * MANY_FAILURES)
    const limit = failures.isAdmitted ? signIns : Math.max(1, Math.floor(signIns / SLOWER))
    await take(exchange, `account:${account}:${network}`, limit)
  }

  return {
    merchant: (exchange, merchantId) => take(exchange, `merchant:${merchantId}`, authenticated),
    operator: (exchange) => take(exchange, 'operator', authenticated),
    unauthenticated: (exchange) =>
      take(exchange, `unauthenticated:${client(exchange)}`, authenticated),
    async showUnauthenticated(exchange) {
      const verdict = await limiter.peek(`unauthenticated:${client(exchange)}`, authenticated)
      writeHeaders(exchange, authenticated, verdict.remaining)
    },
    utility: (exchange) => take(exchange, `utility:${client(exchange)}`, utility),
    payer: (exchange) => take(exchange, `payer:${client(exchange)}`, payers),
    session: (exchange, merchantId) =>
      take(exchange, `session:${merchantId}:${client(exchange)}`, sessions),
    person: (exchange, personId) => take(exchange, `person:${personId}`, ofUsers),
    signIn,
    async account(exchange, email) {
      const device = devices.of(cookies(exchange), email)
      if (device !== null) await fromDevice(exchange, device)
      if (device !== null && !(await isGuessing(device))) return
      await byAddress(exchange)
      await onAccount(exchange, email)
    },
    async code(exchange, email) {
      if (!(await isKnown(exchange, email))) await onAccount(exchange, email)
    },
    async failed(exchange, email) {
      const device = devices.of(cookies(exchange), email)
      if (device !== null) {
        await limiter.hourly.take(`device-failures:${nameOf(device)}`, signIns)
      }
      const limit = signIns * MANY_FAILURES
      const { remaining } = await limiter.hourly.take(`failures:${accountOf(email)}`, limit)
      return remaining === 0
    },
    isKnown,
    async remember(exchange, email) {
      return devices.remember((await isKnown(exchange, email)) ? cookies(exchange) : null, email)
    },
    guess: (exchange, sessionId) => take(exchange, `guess:${sessionId}`, signIns),
    mayNotify: async (personId) =>
      (await limiter.hourly.take(`notified:${personId}`, 1)).isAdmitted,
    x402(exchange, merchantId) {
      const subject = merchantId === null ? client(exchange) : merchantId
      return take(exchange, `x402:${subject}`, x402)
    },
  }
}

function accountOf(email: string): string {
  return Bun.CryptoHasher.hash('sha256', email).toHex()
}

function writeHeaders(exchange: Exchange, limit: number, remaining: number): void {
  exchange.set.headers['x-ratelimit-limit'] = String(limit)
  exchange.set.headers['x-ratelimit-remaining'] = String(remaining)
}
