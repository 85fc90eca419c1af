import { pageOf, throughPages } from '../pages.ts'
import type { Body, Query } from '../shapes.ts'
import { answerOf, type CallOptions, dataOf, type Transport } from '../transport.ts'

type DeliveryFilter = Omit<Query<'listWebhookDeliveries'>, 'page' | 'offset' | 'after' | 'before'>
type EventFilter = Omit<Query<'listEvents'>, 'first'>

/** Webhook endpoints and deliveries. */
export function webhooksOf({ api, changing }: Transport) {
  async function listDeliveries(
    query: Query<'listWebhookDeliveries'> = {},
    options: CallOptions = {},
  ) {
    const call = { params: { query }, ...options }
    return pageOf(await answerOf(api.GET('/v1/webhooks/deliveries', call)))
  }

  const endpoints = {
    /** Registers a URL. The secret is returned only once. */
    create(endpoint: Body<'createWebhookEndpoint'>, options: CallOptions = {}) {
      return dataOf(api.POST('/v1/webhooks/endpoints', { body: endpoint, ...changing(options) }))
    },
    async list(query: Query<'listWebhookEndpoints'> = {}, options: CallOptions = {}) {
      const call = { params: { query }, ...options }
      return pageOf(await answerOf(api.GET('/v1/webhooks/endpoints', call)))
    },
    get(id: string, options: CallOptions = {}) {
      const call = { params: { path: { id } }, ...options }
      return dataOf(api.GET('/v1/webhooks/endpoints/{id}', call))
    },
    change(id: string, changes: Body<'changeWebhookEndpoint'>, options: CallOptions = {}) {
      const call = { params: { path: { id } }, body: changes, ...changing(options) }
      return dataOf(api.PATCH('/v1/webhooks/endpoints/{id}', call))
    },
    remove(id: string, options: CallOptions = {}) {
      const call = { params: { path: { id } }, ...changing(options) }
      return dataOf(api.DELETE('/v1/webhooks/endpoints/{id}', call))
    },
    /** Creates a new secret. For 24 hours both sign; with `overlap: false` only the new one. */
    rotateSecret(
      id: string,
      rotation: NonNullable<Body<'rotateWebhookSecret'>> = {},
      options: CallOptions = {},
    ) {
      const call = { params: { path: { id } }, body: rotation, ...changing(options) }
      return dataOf(api.POST('/v1/webhooks/endpoints/{id}/rotate-secret', call))
    },
    /** Sends an event of the type `test`. */
    test(id: string, options: CallOptions = {}) {
      const call = { params: { path: { id } }, ...changing(options) }
      return dataOf(api.POST('/v1/webhooks/endpoints/{id}/test', call))
    },
    /** Replays failed deliveries. */
    replay(id: string, wanted: Body<'replayWebhooks'>, options: CallOptions = {}) {
      const call = { params: { path: { id } }, body: wanted, ...changing(options) }
      return dataOf(api.POST('/v1/webhooks/endpoints/{id}/replay', call))
    },
  }

  const deliveries = {
    list: listDeliveries,
    iterate(filter: DeliveryFilter = {}, options: CallOptions = {}) {
      return throughPages((after) => listDeliveries({ ...filter, after }, options))
    },
    /** A delivery with its attempts. */
    get(id: string, options: CallOptions = {}) {
      const call = { params: { path: { id } }, ...options }
      return dataOf(api.GET('/v1/webhooks/deliveries/{id}', call))
    },
    redeliver(id: string, options: CallOptions = {}) {
      const call = { params: { path: { id } }, ...changing(options) }
      return dataOf(api.POST('/v1/webhooks/deliveries/{id}/redeliver', call))
    },
  }

  return { endpoints, deliveries }
}

/** The events of the last 30 days, to poll instead of receiving webhooks. */
export function eventsOf({ api }: Transport) {
  async function list(query: Query<'listEvents'> = {}, options: CallOptions = {}) {
    return pageOf(await answerOf(api.GET('/v1/events', { params: { query }, ...options })))
  }

  return {
    /** A page of events, the oldest first. */
    list,
    /** Every event after the event `after`, or all events, the oldest first. */
    async *iterate(filter: EventFilter = {}, options: CallOptions = {}) {
      for (let after = filter.after; ; ) {
        const page = await list({ ...filter, ...(after !== undefined && { after }) }, options)
        yield* page.data
        const { hasMore, nextAfter } = page.pagination
        if (!hasMore || nextAfter === null) return
        after = nextAfter
      }
    },
    get(id: string, options: CallOptions = {}) {
      return dataOf(api.GET('/v1/events/{id}', { params: { path: { id } }, ...options }))
    },
  }
}
