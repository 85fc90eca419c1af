import type { OfferView } from '../../core/checkout/present.ts'
import { isOrigin } from '../../core/checkout/returning.ts'
import type { CheckoutView } from '../../core/checkout/view.ts'
import type { Assets } from '../../web/build.ts'
import { renderCheckout } from '../../web/checkout/page.tsx'
import { type Refusal, renderRefusal } from '../../web/checkout/refusal.tsx'
import { PROBLEMS } from '../../web/checkout/session/props.ts'
import { renderStart } from '../../web/checkout/start.tsx'
import { chooseLocale, isLocale, offeredLocales } from '../../web/messages/locale.ts'
import { takesGzip } from '../http/files.ts'
import { targetOf } from '../request/target.ts'

/** The data of a session's page. */
export interface PageSource {
  readonly view: CheckoutView
  /** Whole origins: scheme, host and port. */
  readonly allowedOrigins: readonly string[]
  /** The languages that the merchant offers; empty for all. */
  readonly languages: readonly string[]
  /** The language that the payer chose before; null for none. */
  readonly chosenLocale?: string | null
  /** Whether emails are sent. */
  readonly hasEmail?: boolean
}

const HTML = 'text/html; charset=utf-8'

/**
 * The page of a session. It sets no cookie, is not cached, sends no referrer and loads nothing from other
 * origins. Only an allowed origin of the merchant may frame it, and only the one that the request names.
 */
export function pageResponse(request: Request, source: PageSource, assets: Assets): Response {
  const query = targetOf(request).searchParams
  const byHand = query.get('lang')
  const { view, allowedOrigins, languages, chosenLocale = null, hasEmail = false } = source
  const locales = offeredLocales(languages)
  const locale = chooseLocale(
    byHand ?? chosenLocale,
    request.headers.get('accept-language'),
    locales,
  )
  const nonce = newNonce()
  const requestedParent = query.get('parent')
  const parent =
    requestedParent !== null && allowedOrigins.includes(requestedParent) ? requestedParent : null
  const network = query.get('network') ?? view.chosenNetwork
  const networks = [
    ...(view.payment?.addresses ?? []),
    ...view.tokens.flatMap((token) => token.networks),
  ]
  const page = renderCheckout(view, {
    locale,
    locales,
    assets,
    parent,
    nonce,
    network: networks.find(({ networkId }) => networkId === network)?.networkId ?? null,
    isChoosing: query.get('choose') === '1',
    problem: PROBLEMS.find((problem) => problem === query.get('problem')) ?? null,
    receipt: hasEmail ? (query.get('receipt') === 'sent' ? 'sent' : 'possible') : null,
    lang: byHand !== null && isLocale(byHand) ? byHand : null,
  })
  return html(request, 200, page, headersOf(parent, nonce))
}

/** The data of a payment link's page. */
export interface StartSource {
  readonly offer: OfferView
  /** The languages that the merchant offers; empty for all. */
  readonly languages: readonly string[]
}

/** The page of a payment link, with a button that sends a form to the same address. */
export function startResponse(request: Request, source: StartSource, assets: Assets): Response {
  const { pathname, search, searchParams } = targetOf(request)
  const locales = offeredLocales(source.languages)
  const accepted = request.headers.get('accept-language')
  const locale = chooseLocale(searchParams.get('lang'), accepted, locales)
  const nonce = newNonce()
  const action = pathname + search
  const page = renderStart({ locale, assets, offer: source.offer, action, nonce })
  return html(request, 200, page, headersOf(null, nonce))
}

const STATUSES: Readonly<Record<Refusal, number>> = { lost: 404, ended: 410, often: 429, away: 503 }
const FORM_OF_SESSION = /^(\/checkout\/[^/]+)\/[^/]*$/
/** The default Retry-After, in seconds. */
const USUAL_WAIT_S = 60

/**
 * A page in place of a session's, with its status; `status` overrides it. It shows no data of a session, so
 * any origin that the request names may frame it: the payer reads the reason there.
 */
export function refusalResponse(
  request: Request,
  refusal: Refusal,
  assets: Assets,
  { status = STATUSES[refusal], waitSeconds = USUAL_WAIT_S } = {},
): Response {
  const { pathname, search, searchParams } = targetOf(request)
  const requestedParent = searchParams.get('parent')
  const parent = requestedParent !== null && isOrigin(requestedParent) ? requestedParent : null
  const locales = offeredLocales([])
  const accepted = request.headers.get('accept-language')
  const locale = chooseLocale(searchParams.get('lang'), accepted, locales)
  const isPassing = refusal === 'often' || refusal === 'away'
  // A form must be sent again from its page, where the payer sees the input.
  const path = request.method === 'POST' ? pathname.replace(FORM_OF_SESSION, '$1') : pathname
  const again = isPassing ? path + search : null
  const page = renderRefusal({ locale, assets, refusal, waitSeconds, again })
  return html(request, status, page, headersOf(parent, newNonce()))
}

function newNonce(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64')
}

function html(
  request: Request,
  status: number,
  page: string,
  headers: Readonly<Record<string, string>>,
): Response {
  const described = { ...headers, 'content-type': HTML, vary: 'accept-encoding, accept-language' }
  if (!takesGzip(request)) return new Response(page, { status, headers: described })
  return new Response(Bun.gzipSync(page, { level: 5 }), {
    status,
    headers: { ...described, 'content-encoding': 'gzip' },
  })
}

function headersOf(parent: string | null, nonce: string): Readonly<Record<string, string>> {
  // No Trusted Types: wallets inject scripts that run under the page's policy.
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${parent ?? "'none'"}`,
  ]
  return {
    'content-security-policy': policy.join('; '),
    ...(parent === null ? { 'x-frame-options': 'DENY' } : {}),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    // Some wallets open as a popup of the page.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  }
}
