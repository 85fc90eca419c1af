import type { Route } from '../http/route.ts'
import {
  listOwnAddressesRoute,
  registerOwnAddressRoute,
  removeOwnAddressRoute,
} from './addresses.ts'
import { getChannelRoute, listChannelsRoute } from './channels/list.ts'
import { getVoucherRoute, storeVoucherRoute } from './channels/vouchers.ts'
import { listResourcesRoute, searchResourcesRoute } from './discovery/routes.ts'
import { createX402EndpointRoute } from './endpoints/create.ts'
import { listX402EndpointsRoute } from './endpoints/list.ts'
import {
  changeX402EndpointRoute,
  deactivateX402EndpointRoute,
  getX402EndpointRoute,
} from './endpoints/one.ts'
import { findRequirementsRoute, getRequirementsRoute } from './endpoints/requirements.ts'
import type { X402Dependencies } from './facilitator.ts'
import { getPaymentRoute, listPaymentsRoute } from './payments.ts'
import { createX402RefundRoute, listX402RefundsRoute } from './refunds.ts'
import { settlePaymentRoute } from './settle.ts'
import { paymentStatusRoute } from './status.ts'
import { supportedRoute } from './supported.ts'
import { verifyPaymentRoute } from './verify.ts'

export const X402_ROUTES: readonly Route<X402Dependencies>[] = [
  verifyPaymentRoute,
  settlePaymentRoute,
  supportedRoute,
  listResourcesRoute,
  searchResourcesRoute,
  paymentStatusRoute,
  listPaymentsRoute,
  getPaymentRoute,
  createX402RefundRoute,
  listX402RefundsRoute,
  listChannelsRoute,
  getChannelRoute,
  getVoucherRoute,
  storeVoucherRoute,
  registerOwnAddressRoute,
  listOwnAddressesRoute,
  removeOwnAddressRoute,
  createX402EndpointRoute,
  listX402EndpointsRoute,
  findRequirementsRoute,
  getX402EndpointRoute,
  changeX402EndpointRoute,
  deactivateX402EndpointRoute,
  getRequirementsRoute,
]
