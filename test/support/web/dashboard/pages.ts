import type { Scene } from './answers.ts'
import { ENDPOINTS } from './developerFixtures.ts'
import { INVOICE, MERCHANT } from './fixtures.ts'

/** Every page of the dashboard, by the name of its pictures. */

export interface ShownPage extends Pick<Scene, 'visitor'> {
  readonly path: string
  /** True for one that looks the same with and without data. */
  readonly isAlike?: boolean
}

const of = (place: string) => `/dashboard/merchants/${MERCHANT}/${place}`
const operator = (part: string): ShownPage => ({
  path: `/dashboard/operator${part}`,
  visitor: 'operator',
})

const PAGES = {
  signIn: { path: '/dashboard/sign-in', visitor: 'stranger', isAlike: true },
  invitation: { path: '/dashboard/invitation#token', visitor: 'stranger', isAlike: true },
  signUp: { path: '/dashboard/sign-up', visitor: 'stranger', isAlike: true },
  confirmed: { path: '/dashboard/confirmed', visitor: 'stranger', isAlike: true },
  recover: { path: '/dashboard/recover#token', visitor: 'stranger', isAlike: true },
  stopChange: { path: '/dashboard/stop-change#token', visitor: 'stranger', isAlike: true },
  mailbox: { path: '/dashboard/mailbox', visitor: 'stranger', isAlike: true },
  factor: { path: of('invoices'), visitor: 'withoutFactor', isAlike: true },
  overview: { path: of('overview') },
  invoices: { path: of('invoices') },
  links: { path: of('invoices/links') },
  newInvoice: { path: of('invoices/new'), isAlike: true },
  invoice: { path: of(`invoices/${INVOICE}`), isAlike: true },
  recoveries: { path: of('recoveries') },
  refunds: { path: of('refunds') },
  settlements: { path: of('settlements') },
  payouts: { path: of('settlements/payouts') },
  reports: { path: of('reports?from=2026-02-08&to=2026-03-02') },
  x402: { path: of('x402') },
  x402Payments: { path: of('x402/payments') },
  x402Payers: { path: of('x402/payers') },
  keys: { path: of('developers') },
  webhooks: { path: of('developers/webhooks') },
  webhook: { path: of(`developers/webhooks/${ENDPOINTS[0]?.id}`) },
  events: { path: of('developers/events') },
  requests: { path: of('developers/requests') },
  quickStart: { path: of('developers/quick-start'), isAlike: true },
  sandbox: { path: of('sandbox') },
  members: { path: of('members') },
  settings: { path: of('settings/checkout') },
  settingsPayouts: { path: of('settings') },
  settingsApprovals: { path: of('settings/approvals') },
  settingsNotifications: { path: of('settings/notifications'), isAlike: true },
  audit: { path: of('audit') },
  security: { path: '/dashboard/security' },
  operatorSystem: operator(''),
  operatorRelayers: operator('/relayers'),
  operatorWork: operator('/work'),
  operatorMerchants: operator('/merchants'),
  operatorLimits: { ...operator('/limits'), isAlike: true },
  operatorLog: operator('/log'),
} as const satisfies Readonly<Record<string, ShownPage>>

/** Every page with data, and those that look otherwise without. */
export const CASES = Object.entries<ShownPage>(PAGES).flatMap(([name, page]) =>
  [true, false]
    .filter((hasData) => hasData || page.isAlike !== true)
    .map((hasData) => ({ name, page, hasData })),
)
