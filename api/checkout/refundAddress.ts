import { AppError } from '../../core/base/errors.ts'
import { pasted } from '../../core/base/text.ts'
import type { SessionId } from '../../core/checkout/session.ts'
import { parseRecipient } from '../../core/invoice/recipient.ts'
import { leaveRefundAddress } from '../../store/checkout/refundAddress.ts'
import { guardDatabase } from '../http/backends.ts'
import { type ApiDependencies, sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { bodyOf } from '../request/body.ts'
import { PAYER } from '../request/examples.ts'
import { one } from '../request/responses.ts'
import { pastedField } from '../request/schema.ts'
import { SESSION_ID_PARAMETER, viewSchema } from './schema.ts'
import { readCheckoutView, readForPage, readSession } from './sessions.ts'

export const leaveRefundAddressRoute = route({
  operation: 'POST /v1/checkout/sessions/:id/refund-address',
  access: 'payer',
  ids: { id: SESSION_ID_PARAMETER },
  isCrossOrigin: true,
  body: bodyOf('The address for refunds.', {
    address: pastedField(
      'An address of the payer, in lower case or with its EIP-55 checksum.',
      PAYER,
    ),
  }),
  summary: 'Set a refund address',
  description:
    'For payers who pay from an exchange. It is shown to the merchant; nothing is refunded automatically. ' +
    'After a payment is detected, an address can be set only once.',
  operationId: 'leaveRefundAddress',
  successes: { 200: one('The updated view.', viewSchema) },
  errors: [
    'invalid_refund_address',
    'session_not_found',
    'origin_not_allowed',
    'refund_address_kept',
  ],
  handle: async (deps, { exchange, ids, body: { address } }) => {
    await readForPage(deps, exchange, ids.id)
    await leaveAddress(deps, ids.id, address)
    return sendObject(exchange, 200, await readCheckoutView(deps, ids.id))
  },
})

/** Stores a payer's refund address. Throws if it is invalid. */
export async function leaveAddress(
  deps: ApiDependencies,
  id: SessionId,
  text: string,
): Promise<void> {
  const { hub, chains } = deps.config
  const verdict = parseRecipient(pasted(text), hub, chains)
  if (!verdict.ok) {
    const { message } = verdict
    throw new AppError('invalid_refund_address', [{ path: 'address', message }])
  }
  const { rows } = await readSession(deps, id)
  const stored = await guardDatabase(deps, (sql) =>
    leaveRefundAddress(sql, rows.session.id, verdict.address),
  )
  if (!stored.ok) throw new AppError(stored.code, stored.details)
}
