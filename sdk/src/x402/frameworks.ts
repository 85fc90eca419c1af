import type { PlainAnswer } from './dialects.ts'
import { admit, PAYMENT_HEADERS, type PaywallOptions } from './paywall.ts'

/** The paywall in the form of each framework. Of a framework only its forms are used, so none is imported. */

interface HonoContext {
  readonly req: { header(name: string): string | undefined }
  header(name: string, value: string): void
}

/** Middleware for Hono: `app.get('/report', honoPaywall({ remit, url }), handler)`. */
export function honoPaywall(options: PaywallOptions) {
  return async (context: HonoContext, next: () => Promise<void>): Promise<Response | undefined> => {
    const passage = await admit(
      options,
      paymentIn((name) => context.req.header(name)),
    )
    if (!passage.paid) return responseOf(passage.answer)
    await next()
    for (const [name, value] of Object.entries(passage.headers)) context.header(name, value)
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
    const passage = await admit(
      options,
      paymentIn((name) => request.headers.get(name)),
    )
    if (!passage.paid) return responseOf(passage.answer)
    Object.assign(set.headers, passage.headers)
    return undefined
  }
}

interface ExpressRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

interface ExpressResponse {
  statusCode: number
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
      const passage = await admit(
        options,
        paymentIn((name) => request.headers[name]),
      )
      const headers = passage.paid ? passage.headers : passage.answer.headers
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      if (passage.paid) return next()
      response.statusCode = passage.answer.status
      response.end(passage.answer.body)
    } catch (error) {
      next(error)
    }
  }
}

function paymentIn(read: (name: string) => string | string[] | null | undefined): string | null {
  for (const name of PAYMENT_HEADERS) {
    const value = read(name)
    if (typeof value === 'string') return value
  }
  return null
}

function responseOf({ status, headers, body }: PlainAnswer): Response {
  return new Response(body, { status, headers })
}
