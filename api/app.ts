import { Elysia } from 'elysia'
import type { Environment } from '../core/chain/table.ts'
import { checkoutPages } from './checkout/pages.ts'
import { widgetPage } from './checkout/widget.ts'
import { x402Invoices } from './checkout/x402Invoices.ts'
import type { Dashboard } from './dashboard/dashboard.ts'
import { mountDashboard } from './dashboard/mount.ts'
import { docs } from './docs/docs.ts'
import { clientOfExchange } from './http/clientAddress.ts'
import { answerPreflight } from './http/cors.ts'
import { answerFault, writeAllow } from './http/errors.ts'
import type { Exchange } from './http/exchange.ts'
import { createGuards } from './http/guards.ts'
import { createLimits } from './http/rateLimit.ts'
import { openRequestLog } from './http/requestLog.ts'
import type { Handle } from './http/route.ts'
import { beginSpan, endSpan } from './http/tracing.ts'
import { type AppDependencies, SECTIONS, type Section } from './sections.ts'

/**
 * The HTTP API. Elysia only routes, because it would read and validate a body before the guards run.
 * Our routes authenticate, count and read the request themselves (`parse: 'none'`), and answer JSON
 * text. `dashboard` is null where the dashboard is disabled.
 */
export function createApp(deps: AppDependencies, dashboard: Dashboard | null = null) {
  const requestLog = openRequestLog(deps.log, deps.config.limits.failureLines)
  const limits = createLimits(deps)
  const guards = createGuards(deps, limits)
  const app = new Elysia({ name: 'remit', normalize: false }).decorate(STATE)

  const begin = (context: Routed) => {
    context.exchange = context
    context.traceId = crypto.randomUUID()
    context.startedAt = performance.now()
    context.server = app.server
    context.merchantId = null
    context.operationId = ''
    context.keyHint = null
    context.actor = null
    context.about = null
    context.onSent = null
    context.errorCode = null
    context.span = deps.tracer === undefined ? null : beginSpan(deps.tracer, context)
    const { headers } = context.set
    headers['x-trace-id'] = context.traceId
    headers['x-content-type-options'] = 'nosniff'
    const forwardedFor = context.request.headers.get('x-forwarded-for')
    if (forwardedFor !== null) deps.forwarding.note(deps.peer(context), forwardedFor, deps.now())
  }

  const end = (context: Routed) => {
    const { about, merchantId, request, route = '', span, startedAt, traceId } = context
    context.onSent?.()
    if (span !== null) endSpan(context, route)
    const status = context.set.status ?? 200
    const ms = performance.now() - startedAt
    deps.onAnswered?.({
      ...{ method: request.method, route },
      ...{ status: Number(status), seconds: ms / 1_000 },
    })
    dashboard?.requests.note(context, route)
    const level = about?.err === undefined ? 'info' : 'warn'
    if (!deps.log.isLevelEnabled(level)) return
    const hasFailed = Number(status) >= 400 || about?.reason !== undefined
    if (hasFailed && !requestLog.admits(clientOfExchange(deps, context))) return
    const line = {
      ...{ traceId, method: request.method, route, status, ms: Math.round(ms * 10) / 10 },
      ...(merchantId === null ? {} : { merchantId }),
      ...about,
    }
    if (level === 'info') deps.log.info(line)
    else deps.log.warn(line, 'the limits of a request could not be read')
  }

  /** Elysia calls it on a turn of its own, where an error would end the process. */
  const endSafely = (context: Routed) => {
    try {
      end(context)
    } catch (err) {
      deps.log.error(
        { err, traceId: context.traceId },
        'the end of a request could not be recorded',
      )
    }
  }

  app
    // Elysia reads the source of these two: headers and status are set, and faults have an answer.
    .onRequest(({ set }) => {
      set.headers['cache-control'] = 'no-store'
    })
    .onError(({ exchange, error, code }) =>
      exchange === null ? '' : answerFault(deps, exchange, { error, code }, findRoute),
    )
    .onRequest(unread(begin))
    .onAfterResponse(unread(endSafely))

  const sections = sectionsOf(deps.config.environment)
  for (const { name, routes } of sections) {
    for (const { method, path, detail, isCrossOrigin, open } of routes) {
      const answer = open(deps, guards)
      mount(method, path, answer, { parse: 'none', detail: { tags: [name], ...detail } })
      if (isCrossOrigin) preflight(method, path)
      if (!path.startsWith(X402_PATH)) continue
      // Stock clients add a slash between base URL and path even when the base URL ends in one.
      const doubled = path.replace(X402_PATH, `${X402_PATH}/`)
      mount(method, doubled, answer)
      if (isCrossOrigin) preflight(method, doubled)
    }
  }
  for (const { path, isCrossOrigin, handle } of [
    ...docs(app, deps.config, sections, guards),
    widgetPage(deps.config, guards),
  ]) {
    mount('GET', path, handle)
    if (isCrossOrigin) preflight('GET', path)
  }

  const invoices = x402Invoices(deps, guards)
  mount('GET', invoices.path, invoices.handle)
  mount('POST', invoices.path, invoices.handle)
  preflight('GET, POST', invoices.path)

  const mounted = dashboard === null ? [] : mountDashboard(deps, dashboard, limits, sections)
  for (const { method, path, handle } of [...checkoutPages(deps, guards), ...mounted]) {
    mount(method, path, handle)
  }

  function preflight(method: string, path: string): void {
    mount('OPTIONS', path, async (exchange) => {
      writeAllow(exchange, findRoute)
      return answerPreflight(exchange, method)
    })
  }

  function mount(
    method: string,
    path: string,
    answer: Handle,
    options: Parameters<typeof app.route>[3] = HIDDEN,
  ): void {
    const handle = async (context: Routed) => {
      context.route = path
      return answer(context, context.params ?? {})
    }
    app.route(method, path, unread(handle), options)
  }

  function findRoute(method: string, path: string): boolean {
    return app.routes.some((route) => route.method === method && isOn(route.path, path))
  }

  return app
}

/** The OpenAPI document of an environment, from the definitions of its routes. Opens no connection. */
export async function describeEnvironment(environment: Environment) {
  const { describeApp } = await import('./docs/document.ts')
  const app = new Elysia({ normalize: false })
  const sections = sectionsOf(environment)
  for (const { name, routes } of sections) {
    for (const { method, path, detail } of routes) {
      app.route(method, path, () => '', { detail: { tags: [name], ...detail } })
    }
  }
  return describeApp(app, { environment }, sections)
}

function sectionsOf(environment: Environment): readonly Section[] {
  return SECTIONS.filter(({ isSandboxOnly }) => environment === 'sandbox' || !isSandboxOnly)
}

const X402_PATH = '/v1/x402/'
/** For routes that the OpenAPI document omits. */
const HIDDEN = { parse: 'none', detail: { hide: true } } as const

/** The router omits `params` for a path without parameters. */
type Routed = Omit<Exchange, 'server'> & {
  /** Itself, for a function that may not pass its context on (see below). */
  exchange: Exchange | null
  readonly params?: Readonly<Record<string, unknown>>
  /** The path of its route; empty while it has none. */
  route?: string
  server: Exchange['server']
}

/**
 * The same function without its source. Elysia reads in a source what of the context is used, and prepares
 * headers, cookies and query for each request of a function that passes the context on; ours read the request.
 */
function unread<A extends unknown[], R>(use: (...given: A) => R): (...given: A) => R {
  return use.bind(null)
}

/** Whether a path matches a route, e.g. /v1/invoices/7 matches /v1/invoices/:id. */
function isOn(route: string, path: string): boolean {
  const wanted = route.split('/')
  const given = path.replace(/(.)\/$/, '$1').split('/')
  if (wanted.length !== given.length) return false
  return wanted.every((part, index) => part.startsWith(':') || part === given[index])
}

/** Elysia copies these for each request. */
const STATE: Pick<
  Exchange,
  | 'traceId'
  | 'startedAt'
  | 'merchantId'
  | 'operationId'
  | 'keyHint'
  | 'actor'
  | 'about'
  | 'onSent'
  | 'errorCode'
  | 'span'
> & { exchange: Exchange | null } = {
  exchange: null,
  traceId: '',
  startedAt: 0,
  merchantId: null,
  operationId: '',
  keyHint: null,
  actor: null,
  about: null,
  onSent: null,
  errorCode: null,
  span: null,
}
