import { AppError } from '../../core/errors.ts'
import type { MerchantId, PersonId } from '../../core/ids.ts'
import { clientOfExchange, networksOfExchange } from './clientAddress.ts'
import { type Device, openDevices } from './devices.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'

/**
 * The limits of specification section 8. Each call writes the X-RateLimit headers, which go out
 * with any answer, and throws `too_many_requests` when the window is full.
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
  /** Counts a session that is asked for with a merchant's publishable key, by key and address. */
  session(exchange: Exchange, merchantId: MerchantId): Promise<void>
  /** Counts a request of somebody who is signed in, which is none of a merchant's servers. */
  person(exchange: Exchange, personId: PersonId): Promise<void>
  /**
   * Counts a part of a sign-in, or another request without a session: by the device, if an account has signed in
   * with it before, else by the client's address.
   */
  signIn(exchange: Exchange): Promise<void>
  /**
   * Counts an attempt on an account, whether or not there is one, by the client's address, and with the account by
   * the widest of its networks. A device that has signed in to the account before has a window of its own
   * instead: no one else can have it refused.
   */
  account(exchange: Exchange, email: string): Promise<void>
  /** Counts a password that was wrong. True when the account has so many of them that its owner must know. */
  failed(email: string): Promise<boolean>
  /** Whether the account has signed in with this browser before. */
  isKnown(exchange: Exchange, email: string): boolean
  /** The cookie by which the browser is known from now on. */
  remember(exchange: Exchange, email: string): string
  /** Counts an attempt to show a password or a code within a session. */
  guess(exchange: Exchange, sessionId: string): Promise<void>
  /** False when the person was notified within the last hour. */
  mayNotify(personId: PersonId): Promise<boolean>
}

/** Failures of an account in an hour, as a multiple of the attempts per minute: beyond them, its networks get less. */
const MANY_FAILURES = 5
/** So many times less. */
const SLOWER = 10

/** Without a dashboard nobody gets as far as being counted for it. */
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
    if (verdict.isAdmitted) return
    exchange.set.headers['retry-after'] = String(verdict.retryAfter)
    throw new AppError('too_many_requests')
  }

  function fromDevice(exchange: Exchange, device: Device | null): Promise<void> {
    const subject =
      device === null ? `sign-in:${client(exchange)}` : `device:${device.account}:${device.id}`
    return take(exchange, subject, signIns)
  }

  async function fromStranger(exchange: Exchange, email: string): Promise<void> {
    const network = networksOfExchange(deps, exchange).at(-1)
    await fromDevice(exchange, null)
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
    signIn: (exchange) => fromDevice(exchange, devices.any(cookies(exchange))),
    async account(exchange, email) {
      const device = devices.of(cookies(exchange), email)
      await (device === null ? fromStranger(exchange, email) : fromDevice(exchange, device))
    },
    async failed(email) {
      const limit = signIns * MANY_FAILURES
      const { remaining } = await limiter.hourly.take(`failures:${accountOf(email)}`, limit)
      return remaining === 0
    },
    isKnown: (exchange, email) => devices.of(cookies(exchange), email) !== null,
    remember: (exchange, email) => devices.remember(cookies(exchange), email),
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
