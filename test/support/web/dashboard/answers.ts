import type { Page, Route } from 'playwright-core'
import * as developers from './developerFixtures.ts'
import * as money from './fixtures.ts'
import * as operator from './operatorFixtures.ts'
import * as people from './peopleFixtures.ts'
import { FOUND, REFUNDS } from './refundFixtures.ts'

/** Whom a page is shown to, and whether there is anything on it. */
export interface Scene {
  readonly hasData: boolean
  /** A person of the merchant by default. */
  readonly visitor?: 'operator' | 'stranger' | 'withoutFactor'
}

/** Has a page get its pictures' data instead of the server's, at a moment that stands still. */
export async function answerWith(page: Page, scene: Scene): Promise<void> {
  await page.clock.setFixedTime(new Date(money.NOW))
  await page.route(/\/dashboard\/(?:api|auth)\//, (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const path = pathname.replace(/^.*\/(?:v1|dashboard)\//, '/')
    if (path === '/api/me') return answerMe(route, scene)
    if (path === '/live') return refuse(route)
    if (searchParams.has('invoiceId')) return answer(route, money.HELD.slice(0, 1))
    const data = dataFor(path, scene.hasData)
    if (data === undefined) return route.fulfill({ status: 404, json: { code: 'not_found' } })
    // The library for signing in has no envelopes.
    return path.startsWith('/auth/') ? route.fulfill({ json: data }) : answer(route, data)
  })
}

/** No content: an EventSource takes it as the end. */
const refuse = (route: Route) => route.fulfill({ status: 204 })

function answer(route: Route, data: unknown) {
  const next = Array.isArray(data) && data.length > 0 ? 'next' : null
  const pagination = { limit: 25, next, previous: null }
  return route.fulfill({ json: { success: true, data, metadata: { pagination } } })
}

function answerMe(route: Route, { visitor }: Scene) {
  if (visitor === 'stranger') return route.fulfill({ status: 401, json: { code: 'unauthorized' } })
  if (visitor === 'withoutFactor') {
    return answer(route, { ...money.ME, person: { ...money.ME.person, hasSecondFactor: false } })
  }
  return answer(route, visitor === 'operator' ? { ...money.ME, isOperator: true } : money.ME)
}

/** Lists, which are empty where there is nothing. */
const LISTS: Readonly<Record<string, readonly unknown[]>> = {
  '/invoices': money.INVOICES,
  '/recoveries': money.HELD,
  '/payment-links': money.LINKS,
  '/settlements': money.SETTLEMENTS,
  '/payouts': money.PAYOUTS,
  '/refunds': REFUNDS,
  '/reports/daily': money.DAYS,
  '/views': [
    { id: 'a', name: 'Partially paid', query: 'status=partial' },
    { id: 'b', name: 'This week in USDT', query: 'token=USDT' },
  ],
  '/report-schedules': [
    { id: 'a', report: 'days', every: 'month', dueAt: '2026-04-01T00:00:00.000Z', sentAt: null },
  ],
  '/events': developers.EVENTS,
  '/webhooks/endpoints': developers.ENDPOINTS,
  '/webhooks/deliveries': developers.DELIVERIES,
  '/x402/endpoints': developers.X402_ENDPOINTS,
  '/x402/payments': developers.X402_PAYMENTS,
  '/invitations': people.INVITATIONS,
  '/approvals': people.APPROVALS,
  '/settings/approved-recipients': people.APPROVED_RECIPIENTS,
  '/auth/passkey/list-user-passkeys': people.PASSKEYS,
  '/api/operator/reviews': operator.REVIEWS,
  '/api/operator/orders': operator.ORDERS,
}

/** Everything else: with data, and where there is nothing. */
const OBJECTS: Readonly<Record<string, readonly [unknown, unknown]>> = {
  ...Object.fromEntries(money.PRICES.map((price) => [`/prices/${price.id}`, same(price)])),
  [`/invoices/${money.INVOICE}`]: same(money.ONE),
  [`/webhooks/endpoints/${developers.ENDPOINTS[0]?.id}`]: same(developers.ENDPOINTS[0]),
  [`/webhooks/endpoints/${developers.ENDPOINTS[0]?.id}/days`]: [developers.DELIVERY_DAYS, []],
  '/find': [FOUND, { invoices: [], refunds: [], objects: [] }],
  '/overview': [money.OVERVIEW, money.NOTHING],
  '/api-keys': [developers.KEYS, []],
  '/quick-start': same(developers.OWN),
  '/requests': [developers.REQUESTS, { requests: [], next: null }],
  '/x402/overview': [developers.FIGURES, developers.NO_FIGURES],
  '/sandbox': [developers.SANDBOX, developers.NO_SANDBOX],
  '/members': [people.MEMBERS, people.MEMBERS.slice(0, 1)],
  '/notifications': same({ approvals: true }),
  '/settings/checkout': [people.SETTINGS, people.NO_SETTINGS],
  '/settings/recipient': [people.RECIPIENT, people.NO_RECIPIENT],
  '/settings/approvals': [people.POLICY, people.NO_POLICY],
  '/audit': [people.AUDIT, { entries: [], next: null }],
  '/auth/list-sessions': [people.SESSIONS, people.SESSIONS.slice(0, 1)],
  '/api/invitations/look': same(people.OFFER),
  '/api/recipient-changes/look': same(people.STOP),
  '/api/operator/audit': [operator.CHANGES, { entries: [], next: null }],
  '/api/operator/system': [operator.SYSTEM, operator.QUIET_SYSTEM],
  '/api/operator/limits': same(operator.LIMITS),
  '/api/operator/merchants': [operator.MERCHANTS, { merchants: [], next: null }],
  '/api/operator/operators': [operator.OPERATORS, operator.OPERATORS.slice(0, 1)],
}

function same(data: unknown): readonly [unknown, unknown] {
  return [data, data]
}

function dataFor(path: string, hasData: boolean): unknown {
  const list = LISTS[path]
  if (list !== undefined) return hasData ? list : []
  return OBJECTS[path]?.[hasData ? 0 : 1]
}
