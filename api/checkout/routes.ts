import type { Route } from '../http/route.ts'
import { chooseRoute } from './choice.ts'
import { sessionEventsRoute } from './events.ts'
import { createPriceRoute, getPriceRoute } from './prices.ts'
import { createSessionRoute, getSessionRoute } from './sessions.ts'

export const PRICE_ROUTES: readonly Route[] = [createPriceRoute, getPriceRoute]

export const CHECKOUT_ROUTES: readonly Route[] = [
  createSessionRoute,
  getSessionRoute,
  sessionEventsRoute,
  chooseRoute,
]
