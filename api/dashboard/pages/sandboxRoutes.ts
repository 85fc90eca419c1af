import type { Route } from '../../http/route.ts'
import { resetRoute } from './reset.ts'
import { sendSampleRoute } from './sampleEvents.ts'
import { advanceTimeRoute, getSandboxRoute } from './sandboxChains.ts'

/** What the portal of a sandbox has beyond the API. In live none of these paths is found. */
export const SANDBOX_ROUTES: readonly Route[] = [
  getSandboxRoute,
  sendSampleRoute,
  advanceTimeRoute,
  resetRoute,
]
