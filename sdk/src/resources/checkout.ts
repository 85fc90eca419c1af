import { pageOf, throughPages } from '../pages.ts'
import type { Body, Query } from '../shapes.ts'
import {
  answerOf,
  type CallOptions,
  type CreateOptions,
  dataOf,
  type Transport,
} from '../transport.ts'

type Filter<Name extends 'listPrices' | 'listPaymentLinks'> = Omit<
  Query<Name>,
  'page' | 'offset' | 'after' | 'before'
>

/** Prices, from which sessions and payment links are created. */
export function pricesOf({ api, changing }: Transport) {
  async function list(query: Query<'listPrices'> = {}, options: CallOptions = {}) {
    return pageOf(await answerOf(api.GET('/v1/prices', { params: { query }, ...options })))
  }

  return {
    create(price: Body<'createPrice'>, options: CreateOptions = {}) {
      return dataOf(api.POST('/v1/prices', { body: price, ...changing(options) }))
    },
    get(id: string, options: CallOptions = {}) {
      return dataOf(api.GET('/v1/prices/{id}', { params: { path: { id } }, ...options }))
    },
    list,
    iterate(filter: Filter<'listPrices'> = {}, options: CallOptions = {}) {
      return throughPages((after) => list({ ...filter, after }, options))
    },
    /** Changes a price. The amount is immutable. */
    change(id: string, changes: Body<'changePrice'>, options: CallOptions = {}) {
      const call = { params: { path: { id } }, body: changes, ...changing(options) }
      return dataOf(api.PATCH('/v1/prices/{id}', call))
    },
    /** Deletes a price. Existing invoices can still be paid. */
    remove(id: string, options: CallOptions = {}) {
      const call = { params: { path: { id } }, ...changing(options) }
      return dataOf(api.DELETE('/v1/prices/{id}', call))
    },
  }
}

/** Payment links: permanent URLs at which any payer can pay a price. */
export function paymentLinksOf({ api, changing }: Transport) {
  async function list(query: Query<'listPaymentLinks'> = {}, options: CallOptions = {}) {
    return pageOf(await answerOf(api.GET('/v1/payment-links', { params: { query }, ...options })))
  }

  return {
    create(link: Body<'createPaymentLink'>, options: CreateOptions = {}) {
      return dataOf(api.POST('/v1/payment-links', { body: link, ...changing(options) }))
    },
    get(id: string, options: CallOptions = {}) {
      return dataOf(api.GET('/v1/payment-links/{id}', { params: { path: { id } }, ...options }))
    },
    list,
    iterate(filter: Filter<'listPaymentLinks'> = {}, options: CallOptions = {}) {
      return throughPages((after) => list({ ...filter, after }, options))
    },
    /** Changes the limit, the end or the price of a link, or deactivates it. */
    change(id: string, changes: Body<'changePaymentLink'>, options: CallOptions = {}) {
      const call = { params: { path: { id } }, body: changes, ...changing(options) }
      return dataOf(api.PATCH('/v1/payment-links/{id}', call))
    },
  }
}

/** Checkout sessions and settings. */
export function checkoutOf(transport: Transport) {
  return { sessions: sessionsOf(transport), settings: settingsOf(transport) }
}

function settingsOf({ api, changing }: Transport) {
  return {
    get(options: CallOptions = {}) {
      return dataOf(api.GET('/v1/settings/checkout', { ...options }))
    },
    /** Changes the given fields. */
    change(changes: Body<'changeCheckoutSettings'>, options: CallOptions = {}) {
      return dataOf(api.PATCH('/v1/settings/checkout', { body: changes, ...changing(options) }))
    },
  }
}

/** The operations that are also available with a publishable key. */
export function sessionsOf({ api, changing }: Transport) {
  return {
    /** Creates a session, or returns the existing one of the same price and `clientReference`. */
    create(session: Body<'createCheckoutSession'>, options: CallOptions = {}) {
      const mayRepeat =
        typeof session.clientReference === 'string' || typeof session.invoice === 'string'
      const settings = changing(options, mayRepeat)
      return dataOf(api.POST('/v1/checkout/sessions', { body: session, ...settings }))
    },
    /** The payer's view of a session. */
    get(id: string, options: CallOptions = {}) {
      const params = { path: { id } }
      return dataOf(api.GET('/v1/checkout/sessions/{id}', { params, ...options }))
    },
  }
}
