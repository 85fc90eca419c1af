import type { Route } from '../../http/route.ts'
import type { AppDependencies } from '../../sections.ts'
import { limitsRoute } from './limits.ts'
import { merchantsRoute, operatorAuditRoute, operatorsRoute } from './operatorPeople.ts'
import { ordersRoute, orderWorkRoute, reviewsRoute } from './operatorWork.ts'
import { systemRoute } from './system.ts'

/** What those who run the deployment may ask for, below a path of its own and behind a guard of its own. */
export const OPERATOR_ROUTES: readonly Route<AppDependencies>[] = [
  systemRoute,
  merchantsRoute,
  reviewsRoute,
  ordersRoute,
  orderWorkRoute,
  limitsRoute,
  operatorsRoute,
  operatorAuditRoute,
]
