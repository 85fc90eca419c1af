import { paymentInCookies, withoutPayment } from './cookie.ts'
import type { Requirement } from './options.ts'
import { paymentPage } from './page.ts'

/** The payment page for servers with the stock middleware of x402 v2. */

interface StockPaymentRequired {
  readonly accepts: readonly Requirement[]
  readonly error?: string
  readonly resource?: { readonly url?: string; readonly description?: string }
}

/**
 * The paywall of `paymentMiddleware(routes, server, config, stockPaywall)` of `@x402/hono` and `@x402/express`.
 * Requires `honoPaymentCookie` or `expressPaymentCookie` before that middleware, which reads payments from
 * headers only.
 */
export const stockPaywall = {
  generateHtml({ accepts, error, resource }: StockPaymentRequired): string {
    const { url = '', description } = resource ?? {}
    // Without a payment the stock middleware reports that in `error`; the page doesn't show it.
    const problem = error === 'Payment required' ? undefined : error
    const challenge = { url, description, accepts, error: problem }
    return paymentPage(challenge, Math.floor(Date.now() / 1000))
  },
}

const HEADER = 'payment-signature'

interface HonoContext {
  readonly req: { raw: Request; header(name: string): string | undefined }
  header(name: string, value: string, options: { readonly append: true }): void
}

/** For Hono, before the stock middleware: passes a payment of the page on as the header that it reads, once. */
export async function honoPaymentCookie(
  context: HonoContext,
  next: () => Promise<void>,
): Promise<void> {
  const { req } = context
  const cookies = req.header('cookie')
  const payment = paymentInCookies(cookies)
  if (payment === null || req.header(HEADER) !== undefined) return next()
  const headers = new Headers(req.raw.headers)
  headers.set(HEADER, payment)
  req.raw = new Request(req.raw, { headers })
  await next()
  const taken = withoutPayment(cookies)
  if (taken !== null) context.header('set-cookie', taken, { append: true })
}

interface ExpressRequest {
  readonly headers: Record<string, string | string[] | undefined>
}

interface ExpressResponse {
  appendHeader(name: string, value: string): unknown
}

/** The same for Express. */
export function expressPaymentCookie(
  { headers }: ExpressRequest,
  response: ExpressResponse,
  next: () => void,
): void {
  takeFromCookies(headers, response)
  next()
}

function takeFromCookies(headers: ExpressRequest['headers'], response: ExpressResponse): void {
  const cookies = typeof headers.cookie === 'string' ? headers.cookie : null
  const payment = paymentInCookies(cookies)
  if (payment === null || headers[HEADER] !== undefined) return
  headers[HEADER] = payment
  const taken = withoutPayment(cookies)
  if (taken !== null) response.appendHeader('set-cookie', taken)
}
