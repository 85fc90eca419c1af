import { pageOf, throughPages } from '../pages.ts'
import type { Body, Query } from '../shapes.ts'
import { answerOf, type CallOptions, dataOf, type Transport } from '../transport.ts'

type PaymentFilter = Omit<Query<'listX402Payments'>, 'page' | 'offset' | 'after' | 'before'>

type ChannelFilter = Omit<
  Query<'listX402Channels'>,
  'page' | 'offset' | 'after' | 'before' | 'limit'
>

/** Pay per request: prices of URLs, and the facilitator. */
export function x402Of({ api, changing }: Transport) {
  async function listPayments(query: Query<'listX402Payments'> = {}, options: CallOptions = {}) {
    return pageOf(await answerOf(api.GET('/v1/x402/payments', { params: { query }, ...options })))
  }

  const endpoints = {
    /** Registers a price of a URL; repeated calls return the existing endpoint. */
    create(endpoint: Body<'createX402Endpoint'>, options: CallOptions = {}) {
      return dataOf(api.POST('/v1/x402/endpoints', { body: endpoint, ...changing(options) }))
    },
    async list(query: Query<'listX402Endpoints'> = {}, options: CallOptions = {}) {
      const call = { params: { query }, ...options }
      return pageOf(await answerOf(api.GET('/v1/x402/endpoints', call)))
    },
    get(id: string, options: CallOptions = {}) {
      return dataOf(api.GET('/v1/x402/endpoints/{id}', { params: { path: { id } }, ...options }))
    },
    change(id: string, changes: Body<'changeX402Endpoint'>, options: CallOptions = {}) {
      const call = { params: { path: { id } }, body: changes, ...changing(options) }
      return dataOf(api.PATCH('/v1/x402/endpoints/{id}', call))
    },
    /** Deactivates an endpoint: payments for it are refused. */
    deactivate(id: string, options: CallOptions = {}) {
      const call = { params: { path: { id } }, ...changing(options) }
      return dataOf(api.DELETE('/v1/x402/endpoints/{id}', call))
    },
    /** The payment requirements for the 402 response of a URL. */
    requirements(url: string, options: CallOptions = {}) {
      const call = { params: { query: { url } }, ...options }
      return dataOf(api.GET('/v1/x402/endpoints/requirements', call))
    },
  }

  const payments = {
    list: listPayments,
    iterate(filter: PaymentFilter = {}, options: CallOptions = {}) {
      return throughPages((after) => listPayments({ ...filter, after }, options))
    },
    get(id: string, options: CallOptions = {}) {
      return dataOf(api.GET('/v1/x402/payments/{id}', { params: { path: { id } }, ...options }))
    },
    /** Refunds the part of a payment that your forwarder holds. Its `idempotencyKey` makes retries safe. */
    refund(id: string, refund: Body<'createX402Refund'>, options: CallOptions = {}) {
      const call = { params: { path: { id } }, body: refund, ...changing(options, true) }
      return dataOf(api.POST('/v1/x402/payments/{id}/refunds', call))
    },
    /** Every refund of a payment, in the order of the requests. */
    refunds(id: string, options: CallOptions = {}) {
      const params = { path: { id } }
      return dataOf(api.GET('/v1/x402/payments/{id}/refunds', { params, ...options }))
    },
    /** The status of a payment. Nonces are public: a status alone must never grant access to a resource. */
    status(query: Query<'getX402PaymentStatus'>, options: CallOptions = {}) {
      const call = { params: { query }, ...options }
      return dataOf(api.GET('/v1/x402/payments/status', call))
    },
  }

  const addresses = {
    /**
     * Registers your own address as `payTo`, by its signature over `OwnAddress(address payTo,string
     * merchantId)`; for a contract wallet set its network. Repeating it changes nothing.
     */
    register(address: string, agreement: Body<'registerOwnAddress'>, options: CallOptions = {}) {
      const call = { params: { path: { address } }, body: agreement, ...changing(options) }
      return dataOf(api.POST('/v1/x402/addresses/{address}', call))
    },
    list(options: CallOptions = {}) {
      return dataOf(api.GET('/v1/x402/addresses', { ...options }))
    },
    /** Removes an address: payments to it are refused. Returns the remaining addresses. */
    remove(address: string, options: CallOptions = {}) {
      const call = { params: { path: { address } }, ...changing(options) }
      return dataOf(api.DELETE('/v1/x402/addresses/{address}', call))
    },
  }

  const channels = {
    async list(query: Query<'listX402Channels'> = {}, options: CallOptions = {}) {
      return pageOf(await answerOf(api.GET('/v1/x402/channels', { params: { query }, ...options })))
    },
    iterate(filter: ChannelFilter = {}, options: CallOptions = {}) {
      return throughPages((after) => channels.list({ ...filter, after, limit: 100 }, options))
    },
    get(channelId: string, options: CallOptions = {}) {
      const call = { params: { path: { id: channelId } }, ...options }
      return dataOf(api.GET('/v1/x402/channels/{id}', call))
    },
    voucher(channelId: string, options: CallOptions = {}) {
      const call = { params: { path: { id: channelId } }, ...options }
      return dataOf(api.GET('/v1/x402/channels/{id}/voucher', call))
    },
    /** Stores a voucher. Lower vouchers are ignored, and repeating it changes nothing. */
    store(channelId: string, voucher: Body<'storeChannelVoucher'>, options: CallOptions = {}) {
      const call = { params: { path: { id: channelId } }, body: voucher }
      return dataOf(
        api.PUT('/v1/x402/channels/{id}/voucher', { ...call, ...changing(options, true) }),
      )
    },
  }

  return {
    endpoints,
    addresses,
    payments,
    channels,
    /** Whether a payment would be settled. Check `isValid`. */
    verify(payment: Body<'verifyPayment'>, options: CallOptions = {}) {
      return answerOf(api.POST('/v1/x402/verify', { body: payment, ...changing(options) }))
    },
    /** Executes a payment. Check `success`: each payment succeeds once. */
    settle(payment: Body<'settlePayment'>, options: CallOptions = {}) {
      return answerOf(api.POST('/v1/x402/settle', { body: payment, ...changing(options) }))
    },
    /** The public catalogue of all merchants' resources. */
    discovery: {
      list(query: Query<'listX402Resources'> = {}, options: CallOptions = {}) {
        const call = { params: { query }, ...options }
        return answerOf(api.GET('/v1/x402/discovery/resources', call))
      },
      search(query: Query<'searchX402Resources'>, options: CallOptions = {}) {
        const call = { params: { query }, ...options }
        return answerOf(api.GET('/v1/x402/discovery/search', call))
      },
    },
    /** The supported schemes and networks. */
    supported(options: CallOptions = {}) {
      return answerOf(api.GET('/v1/x402/supported', { ...options }))
    },
  }
}
