import type { Data } from '../shapes.ts'
import { type CallOptions, dataOf, type Transport } from '../transport.ts'

/** Where a merchant's settled money goes. */
export function recipientOf({ api }: Transport) {
  return {
    /** The address in force, how long another one waits, and the newest changes. */
    get(options: CallOptions = {}): Promise<Data<'getRecipient'>> {
      return dataOf(api.GET('/v1/settings/recipient', { ...options }))
    },
    /** Asks for another address, with its EIP-55 checksum. It waits, and every owner is told by mail. */
    change(address: string, options: CallOptions = {}): Promise<Data<'changeRecipient'>> {
      return dataOf(api.POST('/v1/settings/recipient', { body: { address }, ...options }))
    },
    /** Ends a change that is not in force. */
    cancel(id: string, options: CallOptions = {}): Promise<Data<'cancelRecipientChange'>> {
      const params = { path: { id } }
      return dataOf(api.DELETE('/v1/settings/recipient/changes/{id}', { params, ...options }))
    },
  }
}
