import type { Route } from '../../http/route.ts'
import type { OwnDependencies } from './dependencies.ts'
import { findRoute } from './find.ts'
import { liveRoute } from './live.ts'
import { listAllRefundsRoute, listPayoutsRoute, listSettlementsRoute } from './outgoing.ts'
import { overviewRoute } from './overview.ts'
import { createScheduleRoute, deleteScheduleRoute, listSchedulesRoute } from './schedules.ts'
import { deleteViewRoute, listViewsRoute, saveViewRoute } from './views.ts'

/** Routes of the dashboard's pages about money. */
export const MONEY_ROUTES: readonly Route<OwnDependencies>[] = [
  liveRoute,
  overviewRoute,
  findRoute,
  listSettlementsRoute,
  listPayoutsRoute,
  listAllRefundsRoute,
  listViewsRoute,
  saveViewRoute,
  deleteViewRoute,
  listSchedulesRoute,
  createScheduleRoute,
  deleteScheduleRoute,
]
