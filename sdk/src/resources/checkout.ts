import type { Body } from '../shapes.ts'
import { type CallOptions, type CreateOptions, dataOf, type Transport } from '../transport.ts'

/** What payers may be asked for: sessions are made of it. */
export function pricesOf({ api, changing }: Transport) {
  return {
    create(price: Body<'createPrice'>, options: CreateOptions = {}) {
      return dataOf(api.POST('/v1/prices', { body: price, ...changing(options) }))
    },
    get(id: string, options: CallOptions = {}) {
      return dataOf(api.GET('/v1/prices/{id}', { params: { path: { id } }, ...options }))
    },
  }
}

/** Pages on which payers pay. */
export function checkoutOf(transport: Transport) {
  return { sessions: sessionsOf(transport) }
}

/** The part of it that a publishable key may use, too. */
export function sessionsOf({ api, changing }: Transport) {
  return {
    /** Makes a session, or answers with the one that the same price and `clientReference` have. */
    create(session: Body<'createCheckoutSession'>, options: CallOptions = {}) {
      const mayRepeat =
        typeof session.clientReference === 'string' || typeof session.invoice === 'string'
      const settings = changing(options, mayRepeat)
      return dataOf(api.POST('/v1/checkout/sessions', { body: session, ...settings }))
    },
    /** What the payer is shown. */
    get(id: string, options: CallOptions = {}) {
      const params = { path: { id } }
      return dataOf(api.GET('/v1/checkout/sessions/{id}', { params, ...options }))
    },
  }
}
