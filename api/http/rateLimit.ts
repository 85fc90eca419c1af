import { AppError } from '../../core/base/errors.ts'
import type { MerchantId, PersonId } from '../../core/base/ids.ts'
import type { LimitVerdict } from '../../store/redis/rateLimit.ts'
import { clientOfExchange, networksOfExchange } from './clientAddress.ts'
import { type Device, openDevices } from './devices.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'

/**
 * Limits of requests by caller (docs/configuration.md#the-api-and-its-limits). Each call writes the X-RateLimit headers of
 * the response, and throws `too_many_requests` when the window is full.
 */
export interface Limits {
  /** Counts an authenticated request of a merchant. */
  merchant(exchange: Exchange, merchantId: MerchantId): Promise<void>
  /** Counts a request by the operator's token. */
  operator(exchange: Exchange): Promise<void>
  /** Counts a request without a valid key, by the client's address. */
  unauthenticated(exchange: Exchange): Promise<void>
  /** Writes the headers of a request whose key could not be looked up, without counting it. */
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
   * Counts a part of a sign-in, or another request without a session: by the device, if an account has signed in
   * with it before, and with all devices of its address; else by the client's address.
   */
  signIn(exchange: Exchange): Promise<void>
  /**
   * Counts an attempt on an account, whether or not there is one, by the client's address, and with the account by
   * the widest of its networks. A device that has signed in to the account before has a window of its own
   * instead, within one of all devices of the account: no one else can have it refused. After as many wrong
   * passwords and codes within an hour as it has attempts in a minute, it counts like any other, too.
   */
  account(exchange: Exchange, email: string): Promise<void>
  /** Counts a code for an account whose password was right, beside `signIn`, as an attempt on that account. */
  code(exchange: Exchange, email: string): Promise<void>
  /** Counts a password or a code that was wrong. True when the account has so many of them that its owner must know. */
  failed(exchange: Exchange, email: string): Promise<boolean>
  /** Whether the account has signed in with this browser before, and it has not failed too often since. */
  isKnown(exchange: Exchange, email: string): Promise<boolean>
  /** The cookie by which the browser is known from now on; another one for a device that has failed too often. */
  remember(exchange: Exchange, email: string): Promise<string>
  /** Counts an attempt to show a password or a code within a session. */
  guess(exchange: Exchange, sessionId: string): Promise<void>
  /** False when the user was notified within the last hour. */
  mayNotify(personId: PersonId): Promise<boolean>
}

/** Failures of an account in an hour, as a multiple of the attempts per minute: beyond them, its networks get less. */
const MANY_FAILURES = 5
/** So many times less. */
const SLOWER = 10
/** Attempts of all devices of an account together, and of all devices at an address, as a multiple of one's. */
const MANY_DEVICES = 5

/** Without a dashboard these limits are never reached. */
const NO_PEOPLE = { limits: { requests: 1, signIns: 1 }, origin: '', secret: '' } as const

export function createLimits(deps: Pick<ApiDependencies, 'limiter' | 'config' | 'peer'>): Limits {
  const { limiter, config } = deps
  const { authenticated, utility, x402, payers, sessions } = config.limits

  const { limits: ofDashboard, ...signed } = config.dashboard ?? NO_PEOPLE
  const { requests: ofPeople, signIns } = ofDashboard
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

  /** Signing in makes any number of devices: those of an account have no more together than a few. */
  async function fromDevice(exchange: Exchange, device: Device): Promise<void> {
    await take(exchange, `device:${nameOf(device)}`, signIns)
    await takeAsWell(exchange, `devices:${device.account}`)
  }

  /** Counts in a wider window beside the one that the headers are about. */
  async function takeAsWell(exchange: Exchange, subject: string): Promise<void> {
    refuseUnless(exchange, await limiter.take(subject, signIns * MANY_DEVICES))
  }

  /** A cookie outlives the password that it came with: one that is used to guess passwords is worth nothing more. */
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
    person: (exchange, personId) => take(exchange, `person:${personId}`, ofPeople),
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
