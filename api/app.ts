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
  const app = new Elysia({ name: 'remit', normalize: false })
    .decorate(STATE)
    .onRequest((context) => {
      context.traceId = crypto.randomUUID()
      context.startedAt = performance.now()
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
      headers['cache-control'] = 'no-store'
      const forwardedFor = context.request.headers.get('x-forwarded-for')
      if (forwardedFor !== null) deps.forwarding.note(deps.peer(context), forwardedFor, deps.now())
    })
    .onError((context) => answerFault(deps, context, context, findRoute))
    .onAfterResponse((context) => {
      context.onSent?.()
      if (context.span !== null) endSpan(context, context.route ?? '')
      deps.onAnswered?.({
        method: context.request.method,
        route: context.route ?? '',
        status: Number(context.set.status ?? 200),
        seconds: (performance.now() - context.startedAt) / 1_000,
      })
      dashboard?.requests.note(context, context.route ?? '')
      const { about } = context
      const level = about?.err === undefined ? 'info' : 'warn'
      if (!deps.log.isLevelEnabled(level)) return
      const status = context.set.status ?? 200
      const hasFailed = Number(status) >= 400 || about?.reason !== undefined
      if (hasFailed && !requestLog.admits(clientOfExchange(deps, context))) return
      const line = {
        traceId: context.traceId,
        method: context.request.method,
        route: context.route ?? '',
        status,
        ms: Math.round((performance.now() - context.startedAt) * 10) / 10,
        ...(context.merchantId === null ? {} : { merchantId: context.merchantId }),
        ...about,
      }
      if (level === 'info') deps.log.info(line)
      else deps.log.warn(line, 'the limits of a request could not be read')
    })

  const sections = sectionsOf(deps.config.environment)
  for (const { name, routes } of sections) {
    for (const { method, path, detail, isCrossOrigin, open } of routes) {
      const answer = open(deps, guards)
      const handle = (context: Routed) => answer(context, context.params ?? {})
      app.route(method, path, handle, { parse: 'none', detail: { tags: [name], ...detail } })
      if (isCrossOrigin) preflight(method, path)
      if (!path.startsWith(X402_PATH)) continue
      // Stock clients add a slash between base URL and path even when the base URL ends in one.
      const doubled = path.replace(X402_PATH, `${X402_PATH}/`)
      app.route(method, doubled, handle, HIDDEN)
      if (isCrossOrigin) preflight(method, doubled)
    }
  }
  for (const { path, isCrossOrigin, handle } of [
    ...docs(app, deps.config, sections, guards),
    widgetPage(deps.config, guards),
  ]) {
    app.route('GET', path, handle, HIDDEN)
    if (isCrossOrigin) preflight('GET', path)
  }

  const invoices = x402Invoices(deps, guards)
  for (const method of ['GET', 'POST'] as const) {
    const handle = (context: Routed) => invoices.handle(context, context.params ?? {})
    app.route(method, invoices.path, handle, HIDDEN)
  }
  preflight('GET, POST', invoices.path)

  const mounted = dashboard === null ? [] : mountDashboard(deps, dashboard, limits, sections)
  for (const { method, path, handle } of [...checkoutPages(deps, guards), ...mounted]) {
    const answer = (context: Routed) => handle(context, context.params ?? {})
    app.route(method, path, answer, HIDDEN)
  }

  function preflight(method: string, path: string): void {
    const answer = (context: Exchange) => {
      writeAllow(context, findRoute)
      return answerPreflight(context, method)
    }
    app.route('OPTIONS', path, answer, HIDDEN)
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
type Routed = Exchange & { readonly params?: Readonly<Record<string, unknown>> }

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
> = {
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
