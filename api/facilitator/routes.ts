import { getChannelRoute, listChannelsRoute } from '../channels/list.ts'
import { getVoucherRoute, storeVoucherRoute } from '../channels/vouchers.ts'
import type { Route } from '../http/route.ts'
import { createX402RefundRoute, listX402RefundsRoute } from '../refund/x402Refunds.ts'
import {
  listOwnAddressesRoute,
  registerOwnAddressRoute,
  removeOwnAddressRoute,
} from '../x402/endpoints/addresses.ts'
import { createX402EndpointRoute } from '../x402/endpoints/create.ts'
import { listX402EndpointsRoute } from '../x402/endpoints/list.ts'
import { listResourcesRoute, searchResourcesRoute } from '../x402/endpoints/listings.ts'
import {
  changeX402EndpointRoute,
  deactivateX402EndpointRoute,
  getX402EndpointRoute,
} from '../x402/endpoints/one.ts'
import { getPaymentRoute, listPaymentsRoute } from '../x402/endpoints/payments.ts'
import { findRequirementsRoute, getRequirementsRoute } from '../x402/endpoints/requirements.ts'
import { paymentStatusRoute } from '../x402/endpoints/status.ts'
import type { X402Dependencies } from '../x402/facilitator.ts'
import { settlePaymentRoute } from './settle.ts'
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
