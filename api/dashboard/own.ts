import type { Route } from '../http/route.ts'
import { APPROVAL_ROUTES } from '../merchant/approvals.ts'
import { APPROVED_RECIPIENT_ROUTES } from '../merchant/approvedRecipients.ts'
import { KEY_ROUTES } from './developers/keys.ts'
import { quickStartRoute } from './developers/quickStart.ts'
import { listRequestsRoute } from './developers/requests.ts'
import { x402OverviewRoute } from './developers/x402.ts'
import { listAuditRoute } from './members/audit.ts'
import { INVITATION_ROUTES } from './members/invitations.ts'
import { MEMBER_ROUTES } from './members/members.ts'
import type { OwnDependencies } from './money/dependencies.ts'
import { MONEY_ROUTES } from './money/routes.ts'

/** What the dashboard has beyond the API: routes like the API's own, mounted for browsers only. */

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
]
