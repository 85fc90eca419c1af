import type { Route } from '../http/route.ts'
import { getChannelRoute, listChannelsRoute } from './channels/list.ts'
import { getVoucherRoute, storeVoucherRoute } from './channels/vouchers.ts'
import { listResourcesRoute, searchResourcesRoute } from './discovery/routes.ts'
import {
  listOwnAddressesRoute,
  registerOwnAddressRoute,
  removeOwnAddressRoute,
} from './endpoints/addresses.ts'
import { createX402EndpointRoute } from './endpoints/create.ts'
import { listX402EndpointsRoute } from './endpoints/list.ts'
import {
  changeX402EndpointRoute,
  deactivateX402EndpointRoute,
  getX402EndpointRoute,
} from './endpoints/one.ts'
import { findRequirementsRoute, getRequirementsRoute } from './endpoints/requirements.ts'
import type { X402Dependencies } from './facilitator/facilitator.ts'
import { supportedRoute } from './facilitator/supported.ts'
import { getPaymentRoute, listPaymentsRoute } from './payments/payments.ts'
import { createX402RefundRoute, listX402RefundsRoute } from './payments/refunds.ts'
import { paymentStatusRoute } from './payments/status.ts'
import { settlePaymentRoute } from './settle/settle.ts'
import { verifyPaymentRoute } from './verify/verify.ts'

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
