import type { Route } from '../../http/route.ts'
import { resetRoute } from './reset.ts'
import { sendSampleRoute } from './sampleEvents.ts'
import { advanceTimeRoute, getSandboxRoute } from './sandboxChains.ts'

/** Routes of the sandbox's dashboard. In live these paths return 404. */
export const SANDBOX_ROUTES: readonly Route[] = [
  getSandboxRoute,
  sendSampleRoute,
  advanceTimeRoute,
  resetRoute,
]
