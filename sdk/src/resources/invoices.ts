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
    /** Creates an invoice. With `externalRef`, repeated calls return the existing one. */
    create(invoice: Body<'createInvoice'>, options: CreateOptions = {}) {
      const mayRepeat = typeof invoice.externalRef === 'string'
      const settings = changing(options, mayRepeat)
      return dataOf(api.POST('/v1/invoices', { body: invoice, ...settings }))
    },
    /** An invoice with all its transactions. */
    get(id: string, options: CallOptions = {}) {
      return dataOf(api.GET('/v1/invoices/{id}', { params: { path: { id } }, ...options }))
    },
    /** A page of the invoices, the newest first. */
    list,
    /** Every matching invoice, the newest first, read page by page on demand. */
    iterate(filter: Filter = {}, options: CallOptions = {}) {
      return throughPages((after) => list({ ...filter, after }, options))
    },
    /** Every payment to an invoice, in the order detected. */
    async transactions(id: string, options: CallOptions = {}) {
      const params = { path: { id } }
      return dataOf(api.GET('/v1/invoices/{id}/transactions', { params, ...options }))
    },
    /** Expires an invoice: further payments are late. */
    expire(id: string, options: CallOptions = {}) {
      const params = { path: { id } }
      return dataOf(api.POST('/v1/invoices/{id}/expire', { params, ...changing(options) }))
    },
    /** Submits a transaction that paid an invoice and was not detected. */
    submitTransaction(id: string, sent: Body<'submitTransaction'>, options: CallOptions = {}) {
      const call = { params: { path: { id } }, body: sent, ...changing(options) }
      return dataOf(api.POST('/v1/invoices/{id}/transactions', call))
    },
    /** Accepts a late payment as if it had been received in time. */
    acceptLate(id: string, transactionId: string, options: CallOptions = {}) {
      const call = { params: { path: { id, transactionId } }, ...changing(options) }
      return dataOf(api.POST('/v1/invoices/{id}/transactions/{transactionId}/accept', call))
    },
    /** Accepts an underpayment. */
    acceptPartial(id: string, options: CallOptions = {}) {
      const params = { path: { id } }
      return dataOf(api.POST('/v1/invoices/{id}/accept-partial', { params, ...changing(options) }))
    },
  }
}

/** Refunds, and held money. */
export function refundsOf({ api, changing }: Transport) {
  return {
    /** Requests a refund. Its `idempotencyKey` makes retries safe; the client retries if the server is busy. */
    create(invoiceId: string, refund: Body<'createRefund'>, options: CallOptions = {}) {
      const call = { params: { path: { id: invoiceId } }, body: refund, ...changing(options, true) }
      return dataOf(api.POST('/v1/invoices/{id}/refunds', call))
    },
    /** Records a refund from your treasury, by its transaction. Repeating it changes nothing. */
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

/** Held money, with the reason and the possible actions. */
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
