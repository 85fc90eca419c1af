import type { components } from './schema.ts'

/** Events as webhooks deliver them: `type` determines `data`. */

type Schemas = components['schemas']

/** An event. Its `id` is the same at every attempt and for every endpoint: keep those that you have acted on. */
export type WebhookEvent = Schemas['Event']

export type EventType = WebhookEvent['type']
