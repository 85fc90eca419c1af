import type { Doors } from '../http/auth.ts'
import type { ApiDependencies, Exchange } from '../http/exchange.ts'
import type { PathId } from '../http/id.ts'
import type { Documented } from '../http/schema.ts'
import { settleDetail, verifyDetail } from './description.ts'
import { createEndpointDetail, createEndpointRoute } from './endpoints/create.ts'
import { listEndpointsDetail, listEndpointsRoute } from './endpoints/list.ts'
import {
  changeEndpointDetail,
  changeEndpointRoute,
  deactivateEndpointDetail,
  deactivateEndpointRoute,
  getEndpointDetail,
  getEndpointRoute,
} from './endpoints/one.ts'
import {
  findRequirementsDetail,
  findRequirementsRoute,
  getRequirementsDetail,
  getRequirementsRoute,
} from './endpoints/requirements.ts'
import { ENDPOINT_ID_PARAMETER } from './endpoints/schema.ts'
import {
  getPaymentDetail,
  getPaymentRoute,
  listPaymentsDetail,
  listPaymentsRoute,
} from './payments.ts'
import { PAYMENT_ID_PARAMETER } from './schema.ts'
import { settleRoute } from './settle.ts'
import { paymentStatusDetail, paymentStatusRoute } from './status.ts'
import { supportedDetail, supportedRoute } from './supported.ts'
import { verifyRoute } from './verify.ts'

/** Everything under /v1/x402. */

export const X402_PATH = '/v1/x402'

export interface X402Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below X402_PATH. */
  readonly path: string
  /** `id` is the identifier in the path, as it was sent. */
  readonly answer: (exchange: Exchange, id?: unknown) => Promise<string>
  readonly detail: Documented
  /** Describes the identifier in the path, of routes that have one. */
  readonly id?: PathId
}

export function x402Routes(deps: ApiDependencies, doors: Doors): readonly X402Route[] {
  const { authenticate, authenticateX402, admitX402 } = doors
  return [
    {
      method: 'POST',
      path: '/verify',
      answer: verifyRoute(deps, admitX402),
      detail: verifyDetail,
    },
    {
      method: 'POST',
      path: '/settle',
      answer: settleRoute(deps, admitX402),
      detail: settleDetail,
    },
    {
      method: 'GET',
      path: '/supported',
      answer: supportedRoute(deps, admitX402),
      detail: supportedDetail,
    },
    {
      method: 'GET',
      path: '/payments/status',
      answer: paymentStatusRoute(deps, admitX402),
      detail: paymentStatusDetail,
    },
    {
      method: 'GET',
      path: '/payments',
      answer: listPaymentsRoute(deps, authenticate),
      detail: listPaymentsDetail,
    },
    {
      method: 'GET',
      path: '/payments/:id',
      answer: getPaymentRoute(deps, authenticate),
      detail: getPaymentDetail,
      id: PAYMENT_ID_PARAMETER,
    },
    {
      method: 'POST',
      path: '/endpoints',
      answer: createEndpointRoute(deps, authenticate),
      detail: createEndpointDetail,
    },
    {
      method: 'GET',
      path: '/endpoints',
      answer: listEndpointsRoute(deps, authenticate),
      detail: listEndpointsDetail,
    },
    {
      method: 'GET',
      path: '/endpoints/requirements',
      answer: findRequirementsRoute(deps, authenticateX402),
      detail: findRequirementsDetail,
    },
    {
      method: 'GET',
      path: '/endpoints/:id',
      answer: getEndpointRoute(deps, authenticate),
      detail: getEndpointDetail,
      id: ENDPOINT_ID_PARAMETER,
    },
    {
      method: 'PATCH',
      path: '/endpoints/:id',
      answer: changeEndpointRoute(deps, authenticate),
      detail: changeEndpointDetail,
      id: ENDPOINT_ID_PARAMETER,
    },
    {
      method: 'DELETE',
      path: '/endpoints/:id',
      answer: deactivateEndpointRoute(deps, authenticate),
      detail: deactivateEndpointDetail,
      id: ENDPOINT_ID_PARAMETER,
    },
    {
      method: 'GET',
      path: '/endpoints/:id/requirements',
      answer: getRequirementsRoute(deps, authenticateX402),
      detail: getRequirementsDetail,
      id: ENDPOINT_ID_PARAMETER,
    },
  ]
}
