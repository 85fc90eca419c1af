import type { EventId } from '../base/ids.ts'

/** Events as merchants receive and read them. */

export interface MerchantEvent {
  readonly id: EventId
  readonly type: string
  readonly createdAt: Date
  /** The object of the event, with `environment` and `version`, as JSON text. */
  readonly dataJson: string
}

/** How long events are kept, for merchants who read them late. */
export const EVENTS_KEPT_DAYS = 30

/** The body of a webhook, the same text at every attempt: `{ type, timestamp, data }`. */
export function webhookBody({ type, createdAt, dataJson }: MerchantEvent): string {
  const timestamp = createdAt.toISOString()
  return `{"type":${JSON.stringify(type)},"timestamp":"${timestamp}","data":${dataJson}}`
}

/** The event object of the API, as JSON text: the body of its webhook and the id. */
export function eventJson(event: MerchantEvent): string {
  return `{"id":"${event.id}",${webhookBody(event).slice(1)}`
}

/** The smallest UUIDv7 of a moment: ids below it are older. RFC 9562, section 5.7. */
export function firstIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
