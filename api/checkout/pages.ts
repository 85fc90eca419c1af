import { AppError } from '../../core/base/errors.ts'
import { isSessionId, type SessionId } from '../../core/checkout/session.ts'
import { rememberChoice } from '../../store/checkout/sessions.ts'
import type { Assets } from '../../web/build.ts'
import type { Refusal } from '../../web/checkout/refusal.tsx'
import { isLocale } from '../../web/messages/locale.ts'
import { guardDatabase } from '../http/backends.ts'
import { knownFault } from '../http/errors.ts'
import { type ApiDependencies, type Exchange, headersOf } from '../http/exchange.ts'
import { fileResponse } from '../http/files.ts'
import type { Guards } from '../http/guards.ts'
import { lazily } from '../http/lazily.ts'
import { targetOf } from '../request/target.ts'
import { answerForm, FORMS } from './forms.ts'
import { linkPages } from './linkPages.ts'
import {
  type PageSource,
  pageResponse,
  refusalResponse,
  type StartSource,
  startResponse,
} from './pageResponse.ts'
import { readSession } from './sessions.ts'

/** Checkout pages: the page of a session, its assets, and its forms without JavaScript. */

/** A path and its handler. */
export interface Page {
  readonly method: 'GET' | 'POST'
  readonly path: string
  handle(exchange: Exchange, sent: Readonly<Record<string, unknown>>): Promise<Response>
}

export function checkoutPages(deps: ApiDependencies, guards: Pick<Guards, 'payer'>) {
  const assets = lazily(async () => {
    const { buildAssets } = await import('../../web/build.ts')
    return buildAssets()
  })

  const refuse = async (exchange: Exchange, refusal: Refusal) =>
    inExchange(exchange, refusalResponse(exchange.request, refusal, await assets()))

  const start = async (exchange: Exchange, source: StartSource) =>
    inExchange(exchange, startResponse(exchange.request, source, await assets()))

  const page: Page = {
    method: 'GET',
    path: '/checkout/:id',
    async handle(exchange, { id }) {
      await guards.payer(exchange)
      const source = await sourceOf(deps, String(id))
      if (source === null) return refuse(exchange, 'lost')
      const locale = targetOf(exchange.request).searchParams.get('lang')
      if (locale !== null && isLocale(locale) && locale !== source.chosenLocale) {
        await guardDatabase(deps, (sql) => rememberChoice(sql, source.sessionId, { locale }))
      }
      return inExchange(exchange, pageResponse(exchange.request, source, await assets()))
    },
  }
  const file: Page = {
    method: 'GET',
    path: '/checkout/assets/:name',
    async handle(exchange, { name }) {
      await guards.payer(exchange)
      return inExchange(exchange, fileResponse(exchange.request, String(name), await assets()))
    },
  }
  const forms = Object.entries(FORMS).map(
    ([name, form]): Page => ({
      method: 'POST',
      path: `/checkout/:id/${name}`,
      async handle(exchange, { id }) {
        await guards.payer(exchange)
        const response = await answerForm(deps, exchange, String(id), form)
        return response === null ? refuse(exchange, 'lost') : inExchange(exchange, response)
      },
    }),
  )
  // A malformed id is treated like an unknown session.
  const elsewhere = ['/checkout/*', '/pay/*'].map(
    (path): Page => ({
      method: 'GET',
      path,
      async handle(exchange) {
        await guards.payer(exchange)
        return refuse(exchange, 'lost')
      },
    }),
  )
  return [page, file, ...forms, ...linkPages(deps, guards, { refuse, start }), ...elsewhere].map(
    (one) => refusingInWords(deps, one, assets),
  )
}

/** The page. Browsers get errors as pages, all other clients as the error envelope. */
function refusingInWords(deps: ApiDependencies, page: Page, assets: () => Promise<Assets>): Page {
  return {
    ...page,
    async handle(exchange, sent) {
      try {
        return await page.handle(exchange, sent)
      } catch (error) {
        const { request, set } = exchange
        if (!takesHtml(request)) throw error
        const { status } = knownFault(deps, exchange, error)
        const refusal = status === 429 ? 'often' : status < 500 ? 'lost' : 'away'
        const waitSeconds = Number(set.headers['retry-after'] ?? Number.NaN)
        const known = Number.isNaN(waitSeconds) ? {} : { waitSeconds }
        const response = refusalResponse(request, refusal, await assets(), { status, ...known })
        return inExchange(exchange, response)
      }
    },
  }
}

/** Whether this is a browser's navigation, not a script's request. */
function takesHtml(request: Request): boolean {
  return /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(request.headers.get('accept') ?? '')
}

/** What the page is made from, and the session that it is of: an invoice has one of its own. */
type SessionSource = PageSource & { readonly sessionId: SessionId }

async function sourceOf(deps: ApiDependencies, id: string): Promise<SessionSource | null> {
  if (!isSessionId(id)) return null
  try {
    const { rows, view } = await readSession(deps, id)
    const { allowedOrigins, languages } = rows.page
    const { id: sessionId, locale } = rows.session
    const hasEmail = deps.config.dashboard !== null
    return { view, allowedOrigins, languages, sessionId, chosenLocale: locale, hasEmail }
  } catch (error) {
    if (error instanceof AppError && error.code === 'session_not_found') return null
    throw error
  }
}

/** The response with the API's common headers; its own take precedence. */
function inExchange(exchange: Exchange, response: Response): Response {
  exchange.set.status = response.status
  response.headers.forEach((value, name) => {
    exchange.set.headers[name] = value
  })
  return new Response(response.body, { status: response.status, headers: headersOf(exchange) })
}
