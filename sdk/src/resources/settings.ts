import type { Data } from '../shapes.ts'
import { type CallOptions, dataOf, type Transport } from '../transport.ts'

/** The recipient of a merchant's settled money. */
export function recipientOf({ api }: Transport) {
  return {
    /** The active address, the delay of a change, and the newest changes. */
    get(options: CallOptions = {}): Promise<Data<'getRecipient'>> {
      return dataOf(api.GET('/v1/settings/recipient', { ...options }))
    },
    /** Requests another address, with its EIP-55 checksum. It is delayed, and every owner is notified by email. */
    change(address: string, options: CallOptions = {}): Promise<Data<'changeRecipient'>> {
      return dataOf(api.POST('/v1/settings/recipient', { body: { address }, ...options }))
    },
    /** Cancels a pending change. */
    cancel(id: string, options: CallOptions = {}): Promise<Data<'cancelRecipientChange'>> {
      const params = { path: { id } }
      return dataOf(api.DELETE('/v1/settings/recipient/changes/{id}', { params, ...options }))
    },
  }
}
