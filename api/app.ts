import { Elysia, t } from 'elysia'
import { listChainsDetail, listChainsRoute, listTokensDetail, listTokensRoute } from './chains.ts'
import { docs } from './docs.ts'
import { healthDetail, healthRoute, readyDetail, readyRoute } from './health.ts'
import { createDoors } from './http/auth.ts'
import { answerFault } from './http/errors.ts'
import type { ApiDependencies, Exchange } from './http/exchange.ts'
import type { PathId, PathIds } from './http/id.ts'
import { createLimits } from './http/rateLimit.ts'
import { createInvoiceDetail, createInvoiceRoute } from './invoices/create.ts'
import { expireInvoiceDetail, expireInvoiceRoute } from './invoices/expire.ts'
import {
  getInvoiceDetail,
  getInvoiceRoute,
  listTransactionsDetail,
  listTransactionsRoute,
} from './invoices/get.ts'
import { listInvoicesDetail, listInvoicesRoute } from './invoices/list.ts'
import { INVOICE_ID_PARAMETER } from './invoices/schema.ts'
import { moneyRoutes } from './money.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { X402_PATH, x402Routes } from './x402/routes.ts'

/**
 * The HTTP API. Elysia routes; each route authenticates, counts and reads the request in this order by
 * itself, because Elysia would read and validate a body before it knew whose it is. Bodies are parsed
 * by us (`parse: 'none'`), and answers are JSON text already.
 */
export function createApp(deps: ApiDependencies) {
  const limits = createLimits(deps)
  const doors = createDoors(deps, limits)
  const { authenticate, receive } = doors
  const createInvoice = createInvoiceRoute(deps, receive)
  const listInvoices = listInvoicesRoute(deps, authenticate)
  const getInvoice = getInvoiceRoute(deps, authenticate)
  const listTransactions = listTransactionsRoute(deps, authenticate)
  const expireInvoice = expireInvoiceRoute(deps, authenticate)
  const byId = idParameter(INVOICE_ID_PARAMETER)

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
    .post('/v1/invoices', createInvoice, { parse: 'none', detail: createInvoiceDetail })
    .get('/v1/invoices', listInvoices, { detail: listInvoicesDetail })
    .get('/v1/invoices/:id', (context) => getInvoice(context, context.params.id), {
      ...byId,
      detail: getInvoiceDetail,
    })
    .get(
      '/v1/invoices/:id/transactions',
      (context) => listTransactions(context, context.params.id),
      { ...byId, detail: listTransactionsDetail },
    )
    .post('/v1/invoices/:id/expire', (context) => expireInvoice(context, context.params.id), {
      ...byId,
      parse: 'none',
      detail: expireInvoiceDetail,
    })
    .get('/v1/utils/chains', listChainsRoute(deps, limits), { detail: listChainsDetail })
    .get('/v1/utils/tokens', listTokensRoute(deps, limits), { detail: listTokensDetail })
    .get('/health', healthRoute(), { detail: healthDetail })
    .get('/ready', readyRoute(deps), { detail: readyDetail })

  for (const { method, path, answer, detail, id } of x402Routes(deps, doors)) {
    const hooks = { parse: 'none', ...(id === undefined ? {} : idParameter(id)) } as const
    const handle = (context: ContextWithId) => answer(context, context.params?.id)
    app.route(method, `${X402_PATH}${path}`, handle, { ...hooks, detail })
    // Stock clients put a slash of their own between a base address that ends in one and the path.
    app.route(method, `${X402_PATH}/${path}`, handle, { ...hooks, detail: { hide: true } })
  }
  for (const { method, path, answer, detail, ids } of moneyRoutes(deps, doors)) {
    const handle = (context: ContextWithIds) => answer(context, context.params ?? {})
    const named = Object.entries(ids).map(([name, id]) => [name, t.Any({ type: 'string', ...id })])
    const hooks = named.length === 0 ? {} : { params: t.Object(Object.fromEntries(named)) }
    app.route(method, path, handle, { parse: 'none', ...hooks, detail })
  }
  for (const { method, path, answer, detail, id } of webhookRoutes(deps, doors)) {
    const hooks = { parse: 'none', ...(id === undefined ? {} : idParameter(id)) } as const
    const handle = (context: ContextWithId) => answer(context, context.params?.id)
    app.route(method, path, handle, { ...hooks, detail })
  }
  app.use(docs(deps.config))

  function findRoute(method: string, path: string): boolean {
    return app.routes.some((route) => route.method === method && isOn(route.path, path))
  }

  return app
}

/** The router leaves out the parameters of a path that has none. */
type ContextWithId = Exchange & { readonly params?: { readonly id?: unknown } }

type ContextWithIds = Exchange & { readonly params?: PathIds }

/** Described and not checked: the routes do that themselves, when they know who asks. */
function idParameter(parameter: PathId) {
  return { params: t.Object({ id: t.Any({ type: 'string', ...parameter }) }) }
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
