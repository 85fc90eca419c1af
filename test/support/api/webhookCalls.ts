import type { AttemptJson, DeliveryJson } from '../../../core/webhook/delivery.ts'
import type { WebhookEndpointJson } from '../../../core/webhook/endpoint.ts'
import { fanOutEvents } from '../../../store/webhook/fanOut.ts'
import type { Answer, ApiRig, CallOptions } from './rig.ts'

/** Calls of the webhook endpoints, with their answers read. */

export const ENDPOINTS = '/v1/webhooks/endpoints'
export const DELIVERIES = '/v1/webhooks/deliveries'
export const UNKNOWN_ID = '0198c1de-7a2f-7000-8000-5d2cb1a7e0f4'
export const HOOK = 'https://shop.example/hook'

export type CreatedEndpoint = WebhookEndpointJson & { readonly secret: string }

export async function createEndpoint(
  rig: ApiRig,
  body: Readonly<Record<string, unknown>> = {},
  options: CallOptions = {},
): Promise<CreatedEndpoint> {
  const answer = await rig.call('POST', ENDPOINTS, { ...options, body: { url: HOOK, ...body } })
  if (answer.status !== 201) throw new Error(`creation answered ${answer.text}`)
  return dataOf<CreatedEndpoint>(answer)
}

export function dataOf<T>(answer: Answer): T {
  const { data }: { data: T } = JSON.parse(answer.text)
  return data
}

export interface EventJson {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface EventPage {
  readonly data: readonly EventJson[]
  readonly metadata: {
    readonly pagination: {
      readonly limit: number
      readonly hasMore: boolean
      readonly nextAfter: string | null
    }
  }
}

export async function events(rig: ApiRig, query = '', key?: string): Promise<EventPage> {
  const answer = await rig.call('GET', `/v1/events${query}`, key === undefined ? {} : { key })
  if (answer.status !== 200) throw new Error(`/v1/events answered ${answer.text}`)
  return JSON.parse(answer.text)
}

export async function deliveries(rig: ApiRig, query = ''): Promise<readonly DeliveryJson[]> {
  return dataOf(await rig.call('GET', `${DELIVERIES}${query}`))
}

export type DeliveryWithAttempts = DeliveryJson & { readonly attempts: readonly AttemptJson[] }

/** Makes what waits in the outbox into deliveries, as a notifier would. */
export async function fanOut(rig: ApiRig): Promise<void> {
  while ((await fanOutEvents(rig.database)) > 0) {
    // There is more.
  }
}

/** Ends all deliveries as failed, as if their schedule were over. */
export async function failAll(rig: ApiRig): Promise<void> {
  await fanOut(rig)
  await rig.database`
    update webhook_delivery set state = 'failed', finished_at = now(), attempts = 10, step = 10,
      last_status = 500, last_error = 'http_500'`
}
