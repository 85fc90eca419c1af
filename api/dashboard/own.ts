import type { Route } from '../http/route.ts'
import { APPROVAL_ROUTES } from '../merchant/approvals.ts'
import { APPROVED_RECIPIENT_ROUTES } from '../merchant/approvedRecipients.ts'
import { listAuditRoute } from './pages/audit.ts'
import type { OwnDependencies } from './pages/dependencies.ts'
import { INVITATION_ROUTES } from './pages/invitations.ts'
import { KEY_ROUTES } from './pages/keys.ts'
import { MEMBER_ROUTES } from './pages/members.ts'
import { MONEY_ROUTES } from './pages/moneyRoutes.ts'
import { changeNotificationsRoute, getNotificationsRoute } from './pages/notifications.ts'
import { quickStartRoute } from './pages/quickStart.ts'
import { listRequestsRoute } from './pages/requests.ts'
import { webhookDaysRoute } from './pages/webhookDays.ts'
import { x402OverviewRoute } from './pages/x402Overview.ts'

/** Routes of the dashboard beyond the API's, mounted for browsers only. */

export const OWN_ROUTES: readonly Route<OwnDependencies>[] = [
  ...MEMBER_ROUTES,
  ...INVITATION_ROUTES,
  listAuditRoute,
  ...APPROVAL_ROUTES,
  ...APPROVED_RECIPIENT_ROUTES,
  ...MONEY_ROUTES,
  ...KEY_ROUTES,
  listRequestsRoute,
  x402OverviewRoute,
  quickStartRoute,
  webhookDaysRoute,
  getNotificationsRoute,
  changeNotificationsRoute,
]
