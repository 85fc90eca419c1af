import type { Route } from '../http/route.ts'
import type { X402Dependencies } from '../x402/facilitator.ts'
import { payBySignatureRoute } from './authorizations.ts'
import { chooseRoute } from './choice.ts'
import { sessionEventsRoute } from './events.ts'
import { changeLinkRoute, createLinkRoute, getLinkRoute, listLinksRoute } from './links.ts'
import { changePriceRoute, deletePriceRoute, listPricesRoute } from './priceChanges.ts'
import { createPriceRoute, getPriceRoute } from './prices.ts'
import { leaveRefundAddressRoute } from './refundAddress.ts'
import { createSessionRoute, getSessionRoute } from './sessions.ts'
import {
  changeSettingsRoute,
  getSettingsRoute,
  removeLogoRoute,
  saveLogoRoute,
} from './settings.ts'
import { lookUpTransactionRoute } from './transactions.ts'

export const PRICE_ROUTES: readonly Route[] = [
  createPriceRoute,
  listPricesRoute,
  getPriceRoute,
  changePriceRoute,
  deletePriceRoute,
  createLinkRoute,
  listLinksRoute,
  getLinkRoute,
  changeLinkRoute,
]

export const CHECKOUT_ROUTES: readonly Route<X402Dependencies>[] = [
  createSessionRoute,
  getSessionRoute,
  sessionEventsRoute,
  chooseRoute,
  payBySignatureRoute,
  lookUpTransactionRoute,
  leaveRefundAddressRoute,
  getSettingsRoute,
  changeSettingsRoute,
  saveLogoRoute,
  removeLogoRoute,
]
