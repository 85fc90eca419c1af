import type { Route } from '../http/route.ts'
import { replayEventsRoute, rotateSecretRoute, testEndpointRoute } from './actions.ts'
import { getDeliveryRoute, listDeliveriesRoute, redeliverEventRoute } from './deliveries.ts'
import {
  changeWebhookEndpointRoute,
  createWebhookEndpointRoute,
  deleteWebhookEndpointRoute,
  getWebhookEndpointRoute,
  listWebhookEndpointsRoute,
} from './endpoints.ts'
import { getEventRoute, listEventsRoute } from './events.ts'

export const WEBHOOK_ROUTES: readonly Route[] = [
  createWebhookEndpointRoute,
  listWebhookEndpointsRoute,
  getWebhookEndpointRoute,
  changeWebhookEndpointRoute,
  deleteWebhookEndpointRoute,
  rotateSecretRoute,
  testEndpointRoute,
  replayEventsRoute,
  listDeliveriesRoute,
  getDeliveryRoute,
  redeliverEventRoute,
  listEventsRoute,
  getEventRoute,
]
