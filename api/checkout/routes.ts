import type { Route } from '../http/route.ts'
import { chooseRoute } from './choice.ts'
import { sessionEventsRoute } from './events.ts'
import { createPriceRoute, getPriceRoute } from './prices.ts'
import { leaveRefundAddressRoute } from './refundAddress.ts'
import { createSessionRoute, getSessionRoute } from './sessions.ts'
import { lookUpTransactionRoute } from './transactions.ts'

export const PRICE_ROUTES: readonly Route[] = [createPriceRoute, getPriceRoute]

export const CHECKOUT_ROUTES: readonly Route[] = [
  createSessionRoute,
  getSessionRoute,
  sessionEventsRoute,
  chooseRoute,
  lookUpTransactionRoute,
  leaveRefundAddressRoute,
]
