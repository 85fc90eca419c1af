import type { Page, Route } from 'playwright-core'
import {
  DAYS,
  HELD,
  INVOICE,
  INVOICES,
  ME,
  NOW,
  ONE,
  OVERVIEW,
  PAYOUTS,
  SETTLEMENTS,
} from './fixtures.ts'

/** Has a page get its pictures' data instead of the server's, at a moment that stands still. */
export async function answerWith(page: Page, hasData: boolean): Promise<void> {
  await page.clock.setFixedTime(new Date(NOW))
  await page.route('**/dashboard/api/**', (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const path = pathname.replace(/^.*\/v1/, '/v1')
    if (searchParams.has('invoiceId')) return answer(route, '/v1/held', true)
    return path === '/v1/live' ? refuse(route) : answer(route, path, hasData)
  })
}

/** No content: an EventSource takes it as the end. */
const refuse = (route: Route) => route.fulfill({ status: 204 })

function answer(route: Route, path: string, hasData: boolean) {
  const data = dataFor(path, hasData)
  if (data === undefined) return route.fulfill({ status: 404, json: { code: 'not_found' } })
  const pagination = { limit: 25, next: hasData ? 'next' : null, previous: null }
  return route.fulfill({ json: { success: true, data, metadata: { pagination } } })
}

const LISTS: Readonly<Record<string, readonly unknown[]>> = {
  '/v1/invoices': INVOICES,
  '/v1/recoveries': HELD,
  // Of the one invoice.
  '/v1/held': HELD.slice(0, 1),
  '/v1/settlements': SETTLEMENTS,
  '/v1/payouts': PAYOUTS,
  '/v1/reports/daily': DAYS,
  '/v1/views': [
    { id: 'a', name: 'Part paid', query: 'status=partial' },
    { id: 'b', name: 'This week in USDT', query: 'token=USDT' },
  ],
  '/v1/report-schedules': [
    { id: 'a', report: 'days', every: 'month', dueAt: '2026-04-01T00:00:00.000Z', sentAt: null },
  ],
  '/v1/events': [
    { id: 'a', type: 'invoice.late_payment', timestamp: '2026-03-02T13:50:10.000Z' },
    { id: 'b', type: 'invoice.completed', timestamp: '2026-03-02T13:18:00.000Z' },
  ],
}

function dataFor(path: string, hasData: boolean): unknown {
  if (path.endsWith('/api/me')) return ME
  if (path === `/v1/invoices/${INVOICE}`) return ONE
  if (path === '/v1/overview') return hasData ? OVERVIEW : NOTHING
  return hasData ? LISTS[path] : LISTS[path] && []
}

const NOTHING = {
  ...OVERVIEW,
  ...{ days: [], balances: [], held: [], hasMoreHeld: false, failedRefunds: [] },
  ...{ brokenEndpoints: [], open: { pending: 0, partial: 0, paid: 0 } },
  x402: { days: [], waiting: [] },
}
