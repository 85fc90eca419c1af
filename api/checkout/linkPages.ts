import { renderSVG } from 'uqr'
import { AppError } from '../../core/base/errors.ts'
import { isSlug, linkUrl, takesPayers, type UsedLink } from '../../core/checkout/link.ts'
import { presentOffer } from '../../core/checkout/present.ts'
import type { SessionId } from '../../core/checkout/session.ts'
import { findLinkBySlug } from '../../store/checkout/links.ts'
import { openPriceSession } from '../../store/checkout/sessions.ts'
import { findLogo } from '../../store/checkout/settings.ts'
import { readOffer } from '../../store/checkout/views.ts'
import type { Refusal } from '../../web/checkout/refusal.tsx'
import { pageUrl } from '../../web/checkout/session/props.ts'
import { guardDatabase } from '../http/backends.ts'
import { openFileToAll } from '../http/cors.ts'
import { type ApiDependencies, type Exchange, headersOf } from '../http/exchange.ts'
import type { Guards } from '../http/guards.ts'
import { targetOf } from '../request/target.ts'
import type { StartSource } from './pageResponse.ts'

/** Pages of payment links, their QR codes, and merchants' logos. */

interface LinkPage {
  readonly method: 'GET' | 'POST'
  readonly path: string
  handle(exchange: Exchange, sent: Readonly<Record<string, unknown>>): Promise<Response>
}

/** Uploaded files never run scripts, even when opened directly. */
const LOGO_POLICY = "default-src 'none'; sandbox"
const QR_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
const A_YEAR = 'public, max-age=31536000, immutable'
const QUIET_ZONE = 4

/** Responses of pages: `refuse` for links that are not open, and missing logos. */
interface Answers {
  refuse(exchange: Exchange, refusal: Refusal): Promise<Response>
  start(exchange: Exchange, source: StartSource): Promise<Response>
}

export function linkPages(
  deps: ApiDependencies,
  guards: Pick<Guards, 'payer'>,
  { refuse, start }: Answers,
): readonly LinkPage[] {
  const linkOf = async (slug: unknown): Promise<UsedLink | null> => {
    if (typeof slug !== 'string' || !isSlug(slug)) return null
    return guardDatabase(deps, (sql) => findLinkBySlug(sql, slug))
  }
  return [
    {
      method: 'GET',
      path: '/pay/:slug',
      async handle(exchange, { slug }) {
        await guards.payer(exchange)
        const link = await linkOf(slug)
        if (link === null) return refuse(exchange, 'lost')
        const source = await startOf(deps, link)
        return source === null ? refuse(exchange, 'ended') : start(exchange, source)
      },
    },
    {
      method: 'POST',
      path: '/pay/:slug',
      async handle(exchange, { slug }) {
        await guards.payer(exchange)
        const link = await linkOf(slug)
        if (link === null) return refuse(exchange, 'lost')
        const { pathname, search, searchParams } = targetOf(exchange.request)
        const isOwn = isOwnForm(exchange.request)
        const id = isOwn ? await beginSession(deps, link) : null
        if (isOwn && id === null) return refuse(exchange, 'ended')
        const carried = { lang: searchParams.get('lang'), parent: null }
        exchange.set.headers.location = id === null ? pathname + search : pageUrl(id, carried)
        return answer(exchange, 303, null)
      },
    },
    {
      method: 'GET',
      path: '/pay/:slug/qr',
      async handle(exchange, { slug }) {
        await guards.payer(exchange)
        const link = await linkOf(slug)
        if (link === null) return refuse(exchange, 'lost')
        if (!takesPayers(link, deps.now())) return refuse(exchange, 'ended')
        openFileToAll(exchange)
        exchange.set.headers['content-type'] = 'image/svg+xml'
        exchange.set.headers['content-security-policy'] = QR_POLICY
        const url = linkUrl(deps.config.publicUrl, link.slug)
        return answer(exchange, 200, renderSVG(url, { border: QUIET_ZONE }))
      },
    },
    {
      method: 'GET',
      path: '/checkout/logo/:logoId',
      async handle(exchange, { logoId }) {
        await guards.payer(exchange)
        const id = typeof logoId === 'string' && isSlug(logoId) ? logoId : null
        const logo = id && (await guardDatabase(deps, (sql) => findLogo(sql, id)))
        if (!logo) return refuse(exchange, 'lost')
        openFileToAll(exchange)
        exchange.set.headers['content-type'] = logo.type
        exchange.set.headers['content-security-policy'] = LOGO_POLICY
        exchange.set.headers['cache-control'] = A_YEAR
        return answer(exchange, 200, new Uint8Array(logo.bytes))
      },
    },
  ]
}

/** The content of the link's page, which starts no session; null when the link or its price is inactive. */
async function startOf(deps: ApiDependencies, link: UsedLink): Promise<StartSource | null> {
  const now = deps.now()
  if (!takesPayers(link, now)) return null
  const found = await guardDatabase(deps, (sql) => readOffer(sql, link))
  // A price for one payment may be inactive by now; its session is still shown to returning payers.
  if (found === null || (!found.offer.isOpen && found.isReusable)) return null
  const { page, offer } = found
  const shown = presentOffer(page, offer, { chains: deps.tokens.chains() }, now)
  return { offer: shown, languages: page.languages }
}

/** Whether a form was sent from the link's own page, according to the browser. */
function isOwnForm(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  return site === null || site === 'same-origin' || site === 'none'
}

/** Creates a session of the link's price; null when the link or its price is inactive. */
async function beginSession(deps: ApiDependencies, link: UsedLink): Promise<SessionId | null> {
  if (!takesPayers(link, deps.now())) return null
  const { merchantId, priceId, id: linkId } = link
  const request = {
    merchantId,
    priceId,
    linkId,
    clientReference: null,
    byPublishable: true,
    returnUrl: null,
  }
  const opened = await guardDatabase(deps, (sql) => openPriceSession(sql, request, deps.now()))
  if (opened.ok) return opened.session.id
  if (opened.code === 'price_not_active' || opened.code === 'price_not_found') return null
  throw new AppError(opened.code, opened.details)
}

function answer(
  exchange: Exchange,
  status: number,
  body: string | Uint8Array<ArrayBuffer> | null,
): Response {
  exchange.set.status = status
  exchange.set.headers['referrer-policy'] = 'no-referrer'
  return new Response(body, { status, headers: headersOf(exchange) })
}
