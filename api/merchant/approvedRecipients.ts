import { AppError } from '../../core/base/errors.ts'
import { iso } from '../../core/base/instant.ts'
import { checksumAddress } from '../../core/chain/evm.ts'
import { readChecked } from '../../core/merchant/recipientChange.ts'
import { checkRecipient } from '../../store/access/merchants.ts'
import {
  addApprovedRecipient,
  listApprovedRecipients,
  removeApprovedRecipient,
} from '../../store/merchant/approvedRecipients.ts'
import { guardDatabase } from '../http/backends.ts'
import { sendObject, sendWholeList } from '../http/exchange.ts'
import { type Route, route } from '../http/route.ts'
import { bodyOf } from '../request/body.ts'
import { PAYER } from '../request/examples.ts'
import { ADDRESS_PARAMETER } from '../request/id.ts'
import { many, one } from '../request/responses.ts'
import { text } from '../request/schema.ts'
import { approverOf } from './approvals.ts'
import { requestApproval } from './approvers.ts'

/** The addresses that invoices and x402 payments may use while recipient changes need an approval. */

const listRoute = route({
  operation: 'GET /v1/settings/approved-recipients',
  access: 'merchant',
  summary: 'List approved recipients',
  description:
    'While an approval rule is active, only these addresses and the recipient may receive money.',
  operationId: 'listApprovedRecipients',
  successes: { 200: many('The list.', text('An address.', '{}')) },
  handle: async (deps, { exchange, caller: { merchantId } }) => {
    const found = await guardDatabase(deps, (sql) => listApprovedRecipients(sql, merchantId))
    const list = found.map(({ address, createdAt, usableFrom, ...people }) => ({
      address: checksumAddress(address),
      ...people,
      createdAt: createdAt.toISOString(),
      usableFrom: iso(usableFrom),
    }))
    return sendWholeList(exchange, list)
  },
})

const addRoute = route({
  operation: 'POST /v1/settings/approved-recipients',
  access: 'merchant',
  body: bodyOf('The address.', {
    address: text('The address, with its EIP-55 checksum.', PAYER),
  }),
  summary: 'Approve a recipient',
  description:
    'Takes effect at once. If changes of the recipient need an approval, it takes effect after approval and delay.',
  operationId: 'addApprovedRecipient',
  successes: { 200: one('The result.', text('It.', '{}')) },
  handle: async (deps, { exchange, caller, body }) => {
    const by = approverOf(exchange, caller)
    const checked = readChecked(body.address)
    if (!checked.ok) throw invalidAddress(checked.message)
    const outcome = await guardDatabase(deps, (database) =>
      database.begin(async (sql) => {
        const verdict = await checkRecipient(sql, deps.config, checked.address)
        if (!verdict.ok) throw invalidAddress(verdict.message)
        const came = await addApprovedRecipient(sql, by, checked.address)
        if (came === 'asked') await requestApproval(sql, deps.config, by)
        return came
      }),
    )
    if (outcome === 'open') throw new AppError('approval_open')
    return sendObject(exchange, 200, { id: body.address, isInForce: outcome === 'done' })
  },
})

const removeRoute = route({
  operation: 'DELETE /v1/settings/approved-recipients/:address',
  access: 'merchant',
  ids: { address: ADDRESS_PARAMETER },
  summary: 'Remove an approved recipient',
  description: 'Takes effect at once, for new requests.',
  operationId: 'removeApprovedRecipient',
  successes: { 200: one('The removed address.', text('It.', '{}')) },
  handle: async (deps, { exchange, caller, ids: { address } }) => {
    const by = approverOf(exchange, caller)
    await guardDatabase(deps, (sql) => removeApprovedRecipient(sql, by, address))
    return sendObject(exchange, 200, { id: checksumAddress(address) })
  },
})

export const APPROVED_RECIPIENT_ROUTES: readonly Route[] = [listRoute, addRoute, removeRoute]

/** The refusal of a recipient that is not approved. */
export function recipientNotApproved(path: string): AppError {
  const message = 'must be an approved recipient: an owner adds it, and another member approves it'
  return new AppError('approval_required', [{ path, message }])
}

function invalidAddress(message: string): AppError {
  return new AppError('invalid_recipient', [{ path: 'address', message }])
}
