import type { components } from './schema.ts'

/** Events as webhooks deliver them: `type` determines `data`. */

type Schemas = components['schemas']

/** An event. Its `id` is the same for every attempt and endpoint: store the ids that you have processed. */
export type WebhookEvent = Schemas['Event']

export type EventType = WebhookEvent['type']
