import { AppError } from '../../core/errors.ts'
import type { MerchantId, PersonId } from '../../core/ids.ts'
import { clientOfExchange } from './clientAddress.ts'
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
  /** Counts a try to sign in, or what else is asked without a session, by the client's address. */
  signIn(exchange: Exchange): Promise<void>
  /** Counts a try to sign in by the account's address, whether or not there is such an account. */
  account(exchange: Exchange, email: string): Promise<void>
}

/** Without a dashboard nobody gets as far as being counted for it. */
const NO_PEOPLE = { requests: 1, signIns: 1 } as const

export function createLimits(deps: Pick<ApiDependencies, 'limiter' | 'config' | 'peer'>): Limits {
  const { limiter, config } = deps
  const { authenticated, utility, x402, payers, sessions } = config.limits

  const { requests: ofPeople, signIns } = config.dashboard?.limits ?? NO_PEOPLE

  const client = (exchange: Exchange) => clientOfExchange(deps, exchange)

  async function take(exchange: Exchange, subject: string, limit: number): Promise<void> {
    const verdict = await limiter.take(subject, limit)
    writeHeaders(exchange, limit, verdict.remaining)
    if (verdict.isAdmitted) return
    exchange.set.headers['retry-after'] = String(verdict.retryAfter)
    throw new AppError('too_many_requests')
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
    signIn: (exchange) => take(exchange, `sign-in:${client(exchange)}`, signIns),
    account: (exchange, email) =>
      take(exchange, `account:${Bun.CryptoHasher.hash('sha256', email).toHex()}`, signIns),
    x402(exchange, merchantId) {
      const subject = merchantId === null ? client(exchange) : merchantId
      return take(exchange, `x402:${subject}`, x402)
    },
  }
}

function writeHeaders(exchange: Exchange, limit: number, remaining: number): void {
  exchange.set.headers['x-ratelimit-limit'] = String(limit)
  exchange.set.headers['x-ratelimit-remaining'] = String(remaining)
}
