import { TOKENS } from '../../core/chain/tokens.ts'
import { withDashboard } from '../../core/merchant/recipientChange.ts'
import { newestEmails } from '../../store/events/emails.ts'
import { renderDashboard } from '../../web/dashboard/document.tsx'
import { renderMailbox } from '../../web/dashboard/mailbox.tsx'
import { MERCHANT_PLACES } from '../../web/dashboard/parts/places.ts'
import { PREVIEW_PATH, renderPreview } from '../../web/dashboard/preview.tsx'
import { type Boot, LANGUAGE_COOKIE, type Token } from '../../web/dashboard/session/boot.ts'
import { de } from '../../web/messages/dashboard/de.ts'
import { en } from '../../web/messages/dashboard/en.ts'
import { chooseLocale } from '../../web/messages/locale.ts'
import { guardDatabase } from '../http/backends.ts'
import { type ApiDependencies, type Exchange, headersOf } from '../http/exchange.ts'
import { fileResponse } from '../http/files.ts'
import { lazily } from '../http/lazily.ts'
import type { Limits } from '../http/rateLimit.ts'
import { targetOf } from '../request/target.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { Dashboard } from './dashboard.ts'

/** The dashboard's page, one for all its paths, its assets, and the development mailbox. */

const PATHS = [
  '/dashboard',
  '/dashboard/sign-in',
  '/dashboard/invitation',
  '/dashboard/confirmed',
  '/dashboard/stop-change',
  '/dashboard/recover',
  '/dashboard/sign-up',
  '/dashboard/security',
  '/dashboard/operator',
  '/dashboard/operator/*',
  ...MERCHANT_PLACES.flat().flatMap((place) => {
    const path = `/dashboard/merchants/:merchantId/${place}`
    return [path, `${path}/*`]
  }),
]
const CATALOGUES = { en, de } as const
const EMAILS_SHOWN = 50

interface DashboardPage {
  readonly method: 'GET'
  readonly path: string
  handle(exchange: Exchange, sent: Readonly<Record<string, unknown>>): Promise<Response>
}

export function dashboardPages(
  deps: Pick<ApiDependencies, 'availability' | 'config' | 'database' | 'tokens'>,
  { config }: Pick<Dashboard, 'config'>,
  limits: Pick<Limits, 'payer'>,
): readonly DashboardPage[] {
  const assets = lazily(async () => {
    const { buildDashboardAssets } = await import('../../web/build.ts')
    return buildDashboardAssets()
  })

  const page = async (exchange: Exchange): Promise<Response> => {
    await limits.payer(exchange)
    const elsewhere = properPlace(exchange.request, config.origin)
    if (elsewhere !== null) return inExchange(exchange, Response.redirect(elsewhere, 302))
    const boot = bootFor(exchange.request, deps, config.isOpen)
    return inExchange(exchange, html(renderDashboard(boot, await assets())))
  }
  const file: DashboardPage = {
    method: 'GET',
    path: '/dashboard/assets/:name',
    async handle(exchange, { name }) {
      await limits.payer(exchange)
      return inExchange(exchange, fileResponse(exchange.request, String(name), await assets()))
    },
  }
  const mailbox: DashboardPage = {
    method: 'GET',
    path: '/dashboard/mailbox',
    async handle(exchange) {
      await limits.payer(exchange)
      const stored = await guardDatabase(deps, (sql) => newestEmails(sql, EMAILS_SHOWN))
      const messages = stored.map((message) => ({
        ...message,
        body: withDashboard(message.body, config.origin),
      }))
      const styles = (await assets()).url('dashboard.css')
      return inExchange(exchange, html(renderMailbox(messages, styles)))
    },
  }
  const preview: DashboardPage = {
    method: 'GET',
    path: PREVIEW_PATH,
    async handle(exchange) {
      await limits.payer(exchange)
      const styles = (await assets()).url('checkout.css')
      return inExchange(exchange, new Response(renderPreview(styles), { headers: PREVIEW_HEADERS }))
    },
  }
  // Live has no sandbox.
  const isSandbox = deps.config.environment === 'sandbox'
  const paths = PATHS.filter(
    (path) =>
      (isSandbox || !/\/sandbox(?:\/|$)/.test(path)) &&
      (config.isOpen || path !== '/dashboard/sign-up'),
  )
  const pages = paths.map((path): DashboardPage => ({ method: 'GET', path, handle: page }))
  return [...pages, file, preview, ...(config.mail.hasMailbox ? [mailbox] : [])]
}

/** The same page under the host name, for a request by IP address; null where the host is right. */
function properPlace(request: Request, origin: string): string | null {
  const isByAddress = /^https?:\/\/(?:127\.0\.0\.1|\[::1\])[:/]/.test(request.url)
  if (!isByAddress || new URL(origin).hostname !== 'localhost') return null
  const { pathname, search } = targetOf(request)
  return `${origin}${pathname}${search}`
}

function bootFor(
  request: Request,
  { config, tokens }: Pick<ApiDependencies, 'config' | 'tokens'>,
  isOpen: boolean,
): Boot {
  const { headers } = request
  const chosen = new Bun.CookieMap(headers.get('cookie') ?? '').get(LANGUAGE_COOKIE)
  const locale = chooseLocale(chosen, headers.get('accept-language'), ['en', 'de'])
  const messages = locale === 'de' ? CATALOGUES.de : CATALOGUES.en
  const networks = config.registry.map(({ networkId: id, name, explorer, ...chain }) => {
    const isOff = config.chains.every(({ networkId }) => networkId !== id)
    const { chainId, symbol: coinSymbol, publicRpc } = chain
    return { id, name, explorer: explorer || null, isOff, chainId, coinSymbol, publicRpc }
  })
  const isSandbox = config.environment === 'sandbox'
  const known = offered(tokens)
  const rates = config.rates?.currencies ?? []
  const currencies = [...new Set([...known.map(({ currency }) => currency), ...rates])]
  return { locale, messages, networks, tokens: known, currencies, isSandbox, isOpen }
}

/** Each token once, regardless of its chains. */
function offered(tokens: Tokens): Token[] {
  const onChains = tokens.chains().flatMap((chain) => chain.tokens)
  return [...new Set(onChains.map(({ symbol }) => symbol))].map((symbol) => ({
    symbol,
    ...TOKENS[symbol],
    takesAuthorizations: onChains.some((one) => one.symbol === symbol && one.eip712 !== undefined),
  }))
}

function html(page: string): Response {
  return new Response(page, { headers: HEADERS })
}

/** Only our own scripts, and none from strings: neither by injection nor by mistake. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  vary: 'accept-language',
} as const

/** The preview's frame: only the dashboard may embed it, and it runs no scripts and sends no forms. */
const PREVIEW_HEADERS = {
  ...HEADERS,
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-frame-options': 'SAMEORIGIN',
} as const

/** The response with the API's common headers; its own take precedence. */
function inExchange(exchange: Exchange, response: Response): Response {
  exchange.set.status = response.status
  response.headers.forEach((value, name) => {
    exchange.set.headers[name] = value
  })
  return new Response(response.body, { status: response.status, headers: headersOf(exchange) })
}
