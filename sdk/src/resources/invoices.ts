import { pageOf, throughPages } from '../pages.ts'
import type { Body, Query } from '../shapes.ts'
import {
  answerOf,
  type CallOptions,
  type CreateOptions,
  dataOf,
  type Transport,
} from '../transport.ts'

type Filter = Omit<Query<'listInvoices'>, 'page' | 'offset' | 'after' | 'before'>

/** Invoices, the payments to them, and refunds. */
export function invoicesOf({ api, changing }: Transport) {
  async function list(query: Query<'listInvoices'> = {}, options: CallOptions = {}) {
    return pageOf(await answerOf(api.GET('/v1/invoices', { params: { query }, ...options })))
  }

  return {
    /** Makes an invoice. With `externalRef`, a repeated call answers with the one that it made first. */
    create(invoice: Body<'createInvoice'>, options: CreateOptions = {}) {
      const mayRepeat = typeof invoice.externalRef === 'string'
      const settings = changing(options, mayRepeat)
      return dataOf(api.POST('/v1/invoices', { body: invoice, ...settings }))
    },
    /** One invoice with all its transactions. */
    get(id: string, options: CallOptions = {}) {
      return dataOf(api.GET('/v1/invoices/{id}', { params: { path: { id } }, ...options }))
    },
    /** A page of the invoices, the newest first. */
    list,
    /** Every invoice that matches, the newest first, read page by page as they are used up. */
    iterate(filter: Filter = {}, options: CallOptions = {}) {
      return throughPages((after) => list({ ...filter, after }, options))
    },
    /** Every payment to an invoice, in the order detected. */
    async transactions(id: string, options: CallOptions = {}) {
      const params = { path: { id } }
      return dataOf(api.GET('/v1/invoices/{id}/transactions', { params, ...options }))
    },
    /** Ends an invoice: what arrives from now on is late. */
    expire(id: string, options: CallOptions = {}) {
      const params = { path: { id } }
      return dataOf(api.POST('/v1/invoices/{id}/expire', { params, ...changing(options) }))
    },
    /** Tells of a transaction that paid an invoice and was not seen. */
    submitTransaction(id: string, sent: Body<'submitTransaction'>, options: CallOptions = {}) {
      const call = { params: { path: { id } }, body: sent, ...changing(options) }
      return dataOf(api.POST('/v1/invoices/{id}/transactions', call))
    },
    /** Accepts a late payment as if it had been received in time. */
    acceptLate(id: string, transactionId: string, options: CallOptions = {}) {
      const call = { params: { path: { id, transactionId } }, ...changing(options) }
      return dataOf(api.POST('/v1/invoices/{id}/transactions/{transactionId}/accept', call))
    },
    /** Takes what has come for enough. */
    acceptPartial(id: string, options: CallOptions = {}) {
      const params = { path: { id } }
      return dataOf(api.POST('/v1/invoices/{id}/accept-partial', { params, ...changing(options) }))
    },
  }
}

/** Money that goes back to payers, and money that is held. */
export function refundsOf({ api, changing }: Transport) {
  return {
    /** Asks for a refund. Its `idempotencyKey` makes it safe to repeat, which is done when the server is busy. */
    create(invoiceId: string, refund: Body<'createRefund'>, options: CallOptions = {}) {
      const call = { params: { path: { id: invoiceId } }, body: refund, ...changing(options, true) }
      return dataOf(api.POST('/v1/invoices/{id}/refunds', call))
    },
    /** Records what you have sent back out of your treasury, by its transaction. Repeating it changes nothing. */
    recordExternal(
      invoiceId: string,
      sent: Body<'recordExternalRefund'>,
      options: CallOptions = {},
    ) {
      const call = { params: { path: { id: invoiceId } }, body: sent, ...changing(options, true) }
      return dataOf(api.POST('/v1/invoices/{id}/refunds/external', call))
    },
    /** Every refund of an invoice, in the order of the requests. */
    list(invoiceId: string, options: CallOptions = {}) {
      const params = { path: { id: invoiceId } }
      return dataOf(api.GET('/v1/invoices/{id}/refunds', { params, ...options }))
    },
  }
}

/** Everything that is held, why, and what can be done about it. */
export function recoveriesOf({ api }: Transport) {
  async function list(query: Query<'listRecoveries'> = {}, options: CallOptions = {}) {
    return pageOf(await answerOf(api.GET('/v1/recoveries', { params: { query }, ...options })))
  }
  return {
    list,
    iterate(options: CallOptions = {}) {
      return throughPages((after) => list({ after }, options))
    },
  }
}
