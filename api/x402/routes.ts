import type { Route } from '../http/route.ts'
import { createEndpoint } from './endpoints/create.ts'
import { listEndpoints } from './endpoints/list.ts'
import { changeEndpoint, deactivateEndpoint, getEndpoint } from './endpoints/one.ts'
import { findRequirements, getRequirements } from './endpoints/requirements.ts'
import type { X402Dependencies } from './facilitator.ts'
import { getPayment, listPayments } from './payments.ts'
import { settlePayment } from './settle.ts'
import { paymentStatus } from './status.ts'
import { supported } from './supported.ts'
import { verifyPayment } from './verify.ts'

export const X402_ROUTES: readonly Route<X402Dependencies>[] = [
  verifyPayment,
  settlePayment,
  supported,
  paymentStatus,
  listPayments,
  getPayment,
  createEndpoint,
  listEndpoints,
  findRequirements,
  getEndpoint,
  changeEndpoint,
  deactivateEndpoint,
  getRequirements,
]
