import {
  descriptionProblems,
  isTooLong,
  MAX_URL_LENGTH,
  URL_TOO_LONG,
} from '../base/description.ts'
import type { ErrorDetail } from '../base/errors.ts'
import type { MerchantId, WebhookEndpointId } from '../base/ids.ts'
import { iso } from '../base/instant.ts'
import type { Environment } from '../chain/table.ts'
import { EVENT_TYPE_NAMES, isEventType } from '../events/eventTypes.ts'

/** Webhook endpoints: where a merchant wants to hear of events. */

export type DisabledReason = 'merchant' | 'gone' | 'failing'

export interface WebhookEndpoint {
  readonly id: WebhookEndpointId
  readonly merchantId: MerchantId
  readonly url: string
  readonly description: string
  /** Null for every type. */
  readonly eventTypes: readonly string[] | null
  readonly active: boolean
  readonly disabledReason: DisabledReason | null
  readonly disabledAt: Date | null
  readonly failingSince: Date | null
  /** When its URL first answered with 2xx; until then it gets one webhook a minute. */
  readonly provenAt: Date | null
  /** Until when the secret before this one signs as well. */
  readonly previousUntil: Date | null
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const MAX_ENDPOINTS = 16

/** A merchant's request, with the types checked and nothing else. */
export interface WebhookEndpointRequest {
  readonly url?: string | undefined
  readonly description?: string | undefined
  readonly eventTypes?: readonly string[] | null | undefined
}

/** What is wrong with the given fields. A URL's destination is checked when it is used. */
export function endpointProblems(
  { url, description, eventTypes }: WebhookEndpointRequest,
  environment: Environment,
): ErrorDetail[] {
  const details: ErrorDetail[] = []
  const urlProblem = url === undefined ? null : webhookUrlProblem(url, environment)
  if (urlProblem !== null) details.push({ path: 'url', message: urlProblem })
  details.push(...descriptionProblems(description))
  if (description?.includes('\0'))
    details.push({ path: 'description', message: 'must not have a NUL' })
  if (eventTypes?.length === 0) {
    details.push({ path: 'eventTypes', message: 'must name a type, or be null for every type' })
  }
  for (const [i, type] of (eventTypes ?? []).entries()) {
    if (isEventType(type)) continue
    const message = `must be one of ${EVENT_TYPE_NAMES.join(', ')}`
    details.push({ path: `eventTypes.${i}`, message })
  }
  return details
}

/** Why we would never send to a URL, before resolving its host; null when we might. */
export function webhookUrlProblem(text: string, environment: Environment): string | null {
  if (text.length > 2 * MAX_URL_LENGTH) return URL_TOO_LONG
  const url = URL.parse(text)
  const protocols = environment === 'live' ? ['https:'] : ['https:', 'http:']
  if (url === null || !protocols.includes(url.protocol)) {
    return `must be a URL with ${environment === 'live' ? 'https' : 'http or https'}`
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not contain credentials: the signature identifies the sender'
  }
  if (url.hash !== '') return 'must not have a fragment'
  if (text.includes('\0')) return 'must not have a NUL'
  return isTooLong(text, url.href) ? URL_TOO_LONG : null
}

/** Host and port of a URL, as they are connected to, however they are written. */
export function destinationOf(text: string): string {
  const { protocol, hostname, port } = new URL(text)
  return `${hostname.replace(/\.$/, '')}:${port || (protocol === 'https:' ? 443 : 80)}`
}

export type WebhookEndpointJson = ReturnType<typeof presentWebhookEndpoint>

/** The endpoint object, without its secret. */
export function presentWebhookEndpoint(endpoint: WebhookEndpoint, now: Date) {
  const { previousUntil } = endpoint
  const isRotating = previousUntil !== null && previousUntil > now
  return {
    id: endpoint.id,
    merchantId: endpoint.merchantId,
    url: endpoint.url,
    description: endpoint.description,
    eventTypes: endpoint.eventTypes,
    active: endpoint.active,
    disabledReason: endpoint.disabledReason,
    disabledAt: iso(endpoint.disabledAt),
    failingSince: iso(endpoint.failingSince),
    provenAt: iso(endpoint.provenAt),
    previousSecretUntil: isRotating ? previousUntil.toISOString() : null,
    createdAt: endpoint.createdAt.toISOString(),
    updatedAt: endpoint.updatedAt.toISOString(),
  }
}
