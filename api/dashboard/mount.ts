import type { Exchange } from '../http/exchange.ts'
import type { Access } from '../http/guards.ts'
import type { Limits } from '../http/rateLimit.ts'
import type { Route } from '../http/route.ts'
import type { AppDependencies, Section } from '../sections.ts'
import { answerAcceptance, answerInvitation, answerMe, answerRecovery } from './account.ts'
import { answerAuth } from './auth/mount.ts'
import { AUTH_PATH } from './auth/paths.ts'
import type { Dashboard } from './dashboard.ts'
import { sessionGuards } from './guards.ts'
import { operatorGuards } from './operatorGuard.ts'
import { OWN_ROUTES } from './own.ts'
import type { OwnDependencies } from './pages/dependencies.ts'
import { OPERATOR_ROUTES } from './pages/operatorRoutes.ts'
import { SANDBOX_ROUTES } from './pages/sandboxRoutes.ts'
import { dashboardPages } from './pages.ts'
import { openQueuesBoard, QUEUES_PATH } from './queues.ts'
import { answerStop, answerStopLink } from './stopLinks.ts'

/**
 * The dashboard's paths. Its pages have no database access of their own:
 * each operation that a merchant's key may call is mounted again below the merchant's path,
 * with guards that require a user instead of a key.
 */

/** A path and its handler. */
export interface Mounted {
  readonly method: string
  readonly path: string
  handle(exchange: Exchange, sent: Sent): Promise<string | Response>
}

type Sent = Readonly<Record<string, unknown>>

const API_PATH = '/dashboard/api'
/** Access by a merchant's secret key; other routes are for payers or public. */
const FOR_MERCHANTS: readonly Access[] = ['merchant', 'merchantEarly', 'x402Merchant']

export function mountDashboard(
  deps: AppDependencies,
  dashboard: Dashboard,
  limits: Limits,
  sections: readonly Section[],
): readonly Mounted[] {
  const people: readonly Mounted[] = [
    {
      method: 'GET',
      path: `${API_PATH}/me`,
      handle: (exchange) => answerMe(deps, dashboard, limits, exchange),
    },
    {
      method: 'POST',
      path: `${API_PATH}/invitations/look`,
      handle: (exchange) => answerInvitation(deps, dashboard, limits, exchange),
    },
    {
      method: 'POST',
      path: `${API_PATH}/invitations/accept`,
      handle: (exchange) => answerAcceptance(deps, dashboard, limits, exchange),
    },
    {
      method: 'POST',
      path: `${API_PATH}/recipient-changes/look`,
      handle: (exchange) => answerStopLink(deps, dashboard, limits, exchange),
    },
    {
      method: 'POST',
      path: `${API_PATH}/recipient-changes/cancel`,
      handle: (exchange) => answerStop(deps, dashboard, limits, exchange),
    },
    {
      method: 'POST',
      path: `${API_PATH}/recoveries`,
      handle: (exchange) => answerRecovery(deps, dashboard, limits, exchange),
    },
  ]
  const auth = (['GET', 'POST'] as const).map((method) => ({
    method,
    path: `${AUTH_PATH}/*`,
    handle: (exchange: Exchange) => answerAuth(deps, dashboard, limits, exchange),
  }))
  const operations = merchantRoutes(sections).map((route) =>
    mountOperation(deps, dashboard, limits, route),
  )
  const guards = operatorGuards(deps, dashboard, limits)
  const ofOperators = OPERATOR_ROUTES.map(
    ({ method, path, open }): Mounted => ({
      method,
      path: `${API_PATH}/operator${path}`,
      handle: open(deps, guards),
    }),
  )
  const board = openQueuesBoard(deps, dashboard, limits)
  const queues = ['', '/*'].map(
    (end): Mounted => ({
      method: 'GET',
      path: `${QUEUES_PATH}${end}`,
      handle: board,
    }),
  )
  const pages = dashboardPages(deps, dashboard, limits)
  return [...people, ...auth, ...operations, ...ofOperators, ...queues, ...pages]
}

/** The operations open to users: those of merchants' keys, and the dashboard's own. */
export function merchantRoutes(sections: readonly Section[]): readonly Route<OwnDependencies>[] {
  const all = sections.flatMap(({ routes }) => routes)
  const isSandbox = sections.some(({ isSandboxOnly }) => isSandboxOnly)
  const own = [...OWN_ROUTES, ...(isSandbox ? SANDBOX_ROUTES : [])]
  return [...all.filter(({ access }) => FOR_MERCHANTS.includes(access)), ...own]
}

function mountOperation(
  deps: AppDependencies,
  dashboard: Dashboard,
  limits: Limits,
  { method, path, operationId, open }: Route<OwnDependencies>,
): Mounted {
  const merchants = new WeakMap<Exchange, unknown>()
  const merchantOf = (exchange: Exchange) => merchants.get(exchange)
  const guards = sessionGuards(deps, dashboard, limits, { operationId, merchantOf })
  const answer = open({ ...deps, dashboard }, guards)
  return {
    method,
    path: `${API_PATH}/merchants/:merchantId${path}`,
    handle(exchange, sent) {
      merchants.set(exchange, sent.merchantId)
      return answer(exchange, sent)
    },
  }
}
