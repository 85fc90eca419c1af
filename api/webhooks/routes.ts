import type { Doors } from '../http/auth.ts'
import type { ApiDependencies, Exchange } from '../http/exchange.ts'
import type { PathId } from '../http/id.ts'
import type { Documented } from '../http/schema.ts'
import {
  replayDetail,
  replayRoute,
  rotateSecretDetail,
  rotateSecretRoute,
  testEndpointDetail,
  testEndpointRoute,
} from './actions.ts'
import { createEndpointDetail, createEndpointRoute } from './create.ts'
import {
  getDeliveryDetail,
  getDeliveryRoute,
  listDeliveriesDetail,
  listDeliveriesRoute,
  redeliverDetail,
  redeliverRoute,
} from './deliveries.ts'
import {
  changeEndpointDetail,
  changeEndpointRoute,
  deleteEndpointDetail,
  deleteEndpointRoute,
  getEndpointDetail,
  getEndpointRoute,
  listEndpointsDetail,
  listEndpointsRoute,
} from './endpoints.ts'
import {
  EVENT_ID_PARAMETER,
  getEventDetail,
  getEventRoute,
  listEventsDetail,
  listEventsRoute,
} from './events.ts'
import { DELIVERY_ID_PARAMETER, ENDPOINT_ID_PARAMETER } from './schema.ts'

/** Everything by which merchants hear of events. */

export interface WebhookRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** `id` is the identifier in the path, as it was sent. */
  readonly answer: (exchange: Exchange, id?: unknown) => Promise<string>
  readonly detail: Documented
  /** Describes the identifier in the path, of routes that have one. */
  readonly id?: PathId
}

const ENDPOINTS = '/v1/webhooks/endpoints'
const DELIVERIES = '/v1/webhooks/deliveries'

export function webhookRoutes(
  deps: ApiDependencies,
  { authenticate }: Doors,
): readonly WebhookRoute[] {
  const route = (
    method: WebhookRoute['method'],
    path: string,
    make: (deps: ApiDependencies, door: Doors['authenticate']) => WebhookRoute['answer'],
    detail: Documented,
  ) => ({ method, path, answer: make(deps, authenticate), detail })
  const endpoint = { id: ENDPOINT_ID_PARAMETER }
  const delivery = { id: DELIVERY_ID_PARAMETER }
  const one = `${ENDPOINTS}/:id`
  return [
    route('POST', ENDPOINTS, createEndpointRoute, createEndpointDetail),
    route('GET', ENDPOINTS, listEndpointsRoute, listEndpointsDetail),
    { ...route('GET', one, getEndpointRoute, getEndpointDetail), ...endpoint },
    { ...route('PATCH', one, changeEndpointRoute, changeEndpointDetail), ...endpoint },
    { ...route('DELETE', one, deleteEndpointRoute, deleteEndpointDetail), ...endpoint },
    {
      ...route('POST', `${one}/rotate-secret`, rotateSecretRoute, rotateSecretDetail),
      ...endpoint,
    },
    { ...route('POST', `${one}/test`, testEndpointRoute, testEndpointDetail), ...endpoint },
    { ...route('POST', `${one}/replay`, replayRoute, replayDetail), ...endpoint },
    route('GET', DELIVERIES, listDeliveriesRoute, listDeliveriesDetail),
    { ...route('GET', `${DELIVERIES}/:id`, getDeliveryRoute, getDeliveryDetail), ...delivery },
    {
      ...route('POST', `${DELIVERIES}/:id/redeliver`, redeliverRoute, redeliverDetail),
      ...delivery,
    },
    route('GET', '/v1/events', listEventsRoute, listEventsDetail),
    {
      ...route('GET', '/v1/events/:id', getEventRoute, getEventDetail),
      id: EVENT_ID_PARAMETER,
    },
  ]
}
