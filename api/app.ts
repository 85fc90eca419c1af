import { Elysia, t } from 'elysia'
import { listChains, listTokens } from './chains.ts'
import { docs } from './docs.ts'
import { health, ready } from './health.ts'
import { answerFault } from './http/errors.ts'
import type { Exchange } from './http/exchange.ts'
import { createGuards } from './http/guards.ts'
import type { KnownPathIds } from './http/id.ts'
import { createLimits } from './http/rateLimit.ts'
import type { Route } from './http/route.ts'
import { INVOICE_ROUTES } from './invoices/routes.ts'
import { listRecoveries } from './recoveries.ts'
import { reportDays, reportTransactions } from './reports.ts'
import { faucet } from './sandbox/faucet.ts'
import { playScenario } from './sandbox/scenarios.ts'
import { WEBHOOK_ROUTES } from './webhooks/routes.ts'
import type { X402Dependencies } from './x402/facilitator.ts'
import { X402_ROUTES } from './x402/routes.ts'

/** What the routes work with, all of them together. */
export type AppDependencies = X402Dependencies

/** In live their paths are unknown. */
const SANDBOX_ROUTES: readonly Route[] = [faucet, playScenario]

const ROUTES: readonly Route<AppDependencies>[] = [
  ...INVOICE_ROUTES,
  listRecoveries,
  listChains,
  listTokens,
  health,
  ready,
  ...X402_ROUTES,
  reportTransactions,
  reportDays,
  ...WEBHOOK_ROUTES,
]

/**
 * The HTTP API. Elysia routes; each route authenticates, counts and reads the request in this order by
 * itself, because Elysia would read and validate a body before it knew whose it is. Bodies are parsed
 * by us (`parse: 'none'`), and answers are JSON text already.
 */
export function createApp(deps: AppDependencies) {
  const guards = createGuards(deps, createLimits(deps))
  const app = new Elysia({ name: 'remit', normalize: false })
    .decorate(STATE)
    .onRequest((context) => {
      context.traceId = crypto.randomUUID()
      context.startedAt = performance.now()
      context.merchantId = null
      context.onSent = null
      const { headers } = context.set
      headers['x-trace-id'] = context.traceId
      headers['x-content-type-options'] = 'nosniff'
      headers['cache-control'] = 'no-store'
    })
    .onError((context) => answerFault(deps, context, context, findRoute))
    .onAfterResponse((context) => {
      context.onSent?.()
      if (!deps.log.isLevelEnabled('info')) return
      deps.log.info({
        traceId: context.traceId,
        method: context.request.method,
        path: context.path,
        status: context.set.status ?? 200,
        ms: Math.round((performance.now() - context.startedAt) * 10) / 10,
        ...(context.merchantId === null ? {} : { merchantId: context.merchantId }),
      })
    })

  const isSandbox = deps.config.environment === 'sandbox'
  for (const route of [...ROUTES, ...(isSandbox ? SANDBOX_ROUTES : [])]) {
    const { method, path, ids, detail } = route
    const answer = route.open(deps, guards)
    const handle = (context: Routed) => answer(context, context.params ?? {})
    const hooks = { parse: 'none', ...described(ids) } as const
    app.route(method, path, handle, { ...hooks, detail })
    if (!path.startsWith(X402_PATH)) continue
    // Stock clients put a slash of their own between a base address that ends in one and the path.
    const doubled = path.replace(X402_PATH, `${X402_PATH}/`)
    app.route(method, doubled, handle, { ...hooks, detail: { hide: true } })
  }
  app.use(docs(deps.config))

  function findRoute(method: string, path: string): boolean {
    return app.routes.some((route) => route.method === method && isOn(route.path, path))
  }

  return app
}

const X402_PATH = '/v1/x402/'

/** The router leaves out the parameters of a path that has none. */
type Routed = Exchange & { readonly params?: Readonly<Record<string, unknown>> }

/** Identifiers are described and not checked: the routes do that, when they know who asks. */
function described(ids: KnownPathIds) {
  const named = Object.entries(ids).map(([name, { description, example }]) => [
    name,
    t.Any({ type: 'string', description, example }),
  ])
  return named.length === 0 ? {} : { params: t.Object(Object.fromEntries(named)) }
}

/** Whether a path is one of a route's, e.g. /v1/invoices/7 of /v1/invoices/:id. */
function isOn(route: string, path: string): boolean {
  const wanted = route.split('/')
  const given = path.replace(/(.)\/$/, '$1').split('/')
  if (wanted.length !== given.length) return false
  return wanted.every((part, index) => part.startsWith(':') || part === given[index])
}

/** Per request; Elysia makes a copy of these for each. */
const STATE: Pick<Exchange, 'traceId' | 'startedAt' | 'merchantId' | 'onSent'> = {
  traceId: '',
  startedAt: 0,
  merchantId: null,
  onSent: null,
}
