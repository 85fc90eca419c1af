import type { Route } from '../../http/route.ts'
import type { AppDependencies } from '../../sections.ts'
import { limitsRoute } from './limits.ts'
import { merchantsRoute, operatorAuditRoute, operatorsRoute } from './operatorLists.ts'
import { ordersRoute, orderWorkRoute, reviewsRoute } from './operatorWork.ts'
import { systemRoute } from './system.ts'

/** The operator's routes, below a path and behind a guard of their own. */
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
