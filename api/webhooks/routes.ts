import type { Route } from '../http/route.ts'
import { replayEvents, rotateSecret, testEndpoint } from './actions.ts'
import { getDelivery, listDeliveries, redeliverEvent } from './deliveries.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
} from './endpoints.ts'
import { getEvent, listEvents } from './events.ts'

export const WEBHOOK_ROUTES: readonly Route[] = [
  createEndpoint,
  listEndpoints,
  getEndpoint,
  changeEndpoint,
  deleteEndpoint,
  rotateSecret,
  testEndpoint,
  replayEvents,
  listDeliveries,
  getDelivery,
  redeliverEvent,
  listEvents,
  getEvent,
]
