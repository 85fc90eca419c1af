import { EXPOSE, type PlainAnswer } from './dialects.ts'
import { paymentInCookies } from './page/cookie.ts'
import { admit, PAYMENT_HEADERS, type Passage, type PaywallOptions } from './paywall.ts'

/** The paywall for each framework. Only structural types are used, so no framework is imported. */

interface HonoContext {
  readonly req: { readonly method: string; header(name: string): string | undefined }
  header(name: string, value: string, options?: { readonly append: boolean }): void
}

/** Middleware for Hono: `app.get('/report', honoPaywall({ remit, url }), handler)`. */
export function honoPaywall(options: PaywallOptions) {
  return async (context: HonoContext, next: () => Promise<void>): Promise<Response | undefined> => {
    const { req } = context
    const passage = await visit(options, req.method, (name) => req.header(name))
    if (!passage.paid) {
      // In Hono, headers of the context override those of a response.
      const { [EXPOSE]: exposed } = passage.answer.headers
      if (exposed !== undefined) context.header(EXPOSE, exposed, { append: true })
      return responseOf(passage.answer)
    }
    await next()
    for (const [name, value] of Object.entries(passage.headers)) {
      context.header(name, value, { append: name === EXPOSE })
    }
    return undefined
  }
}

interface ElysiaContext {
  readonly request: Request
  readonly set: { headers: Record<string, string | number> }
}

/** A hook for Elysia: `app.get('/report', handler, { beforeHandle: elysiaPaywall({ remit, url }) })`. */
export function elysiaPaywall(options: PaywallOptions) {
  return async ({ request, set }: ElysiaContext): Promise<Response | undefined> => {
    const passage = await visit(options, request.method, (name) => request.headers.get(name))
    if (!passage.paid) return responseOf(passage.answer)
    const own = Object.keys(set.headers).find((name) => name.toLowerCase() === EXPOSE)
    const exposed = exposing(own && set.headers[own], passage.headers)
    if (own !== undefined) delete set.headers[own]
    Object.assign(set.headers, passage.headers, exposed)
    return undefined
  }
}

interface ExpressRequest {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

interface ExpressResponse {
  statusCode: number
  getHeader?(name: string): unknown
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

/** Middleware for Express and Connect: `app.get('/report', expressPaywall({ remit, url }), handler)`. */
export function expressPaywall(options: PaywallOptions) {
  return async (
    request: ExpressRequest,
    response: ExpressResponse,
    next: (error?: unknown) => void,
  ): Promise<void> => {
    try {
      const passage = await visit(options, request.method, (name) => request.headers[name])
      const ours = passage.paid ? passage.headers : passage.answer.headers
      const headers = { ...ours, ...exposing(response.getHeader?.(EXPOSE), ours) }
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      if (passage.paid) return next()
      response.statusCode = passage.answer.status
      response.end(passage.answer.body)
    } catch (error) {
      next(error)
    }
  }
}

type ReadHeader = (name: string) => string | readonly string[] | null | undefined

/** A navigating browser gets a page if it hasn't paid, and pays by the cookies that the page sets. */
function visit(
  options: PaywallOptions,
  method: string | undefined,
  read: ReadHeader,
): Promise<Passage> {
  const text = (name: string) => {
    const value = read(name)
    return typeof value === 'string' ? value : null
  }
  const isForBrowser = method === 'GET' && (text('accept')?.includes('text/html') ?? false)
  const [header = null] = PAYMENT_HEADERS.map(text).filter((value) => value !== null)
  return admit(
    options,
    header ?? (isForBrowser ? paymentInCookies(text('cookie')) : null),
    isForBrowser,
  )
}

/** The server's list of exposed headers, extended with ours. */
function exposing(own: unknown, ours: Readonly<Record<string, string>>) {
  const names = [own, ours[EXPOSE]].flat().filter((name) => name !== undefined)
  return names.length === 0 ? {} : { [EXPOSE]: names.join(', ') }
}

function responseOf({ status, headers, body }: PlainAnswer): Response {
  return new Response(body, { status, headers })
}
