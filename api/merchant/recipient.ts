import { AppError } from '../../core/base/errors.ts'
import { asRecipientChangeId, type MerchantId } from '../../core/base/ids.ts'
import type { Actor } from '../../core/events/audit.ts'
import {
  CHANGE_STATES,
  presentChange,
  presentRecipient,
  readChecked,
} from '../../core/merchant/recipientChange.ts'
import { checkRecipient, getMerchant } from '../../store/access/merchants.ts'
import type { Transaction } from '../../store/database/database.ts'
import { ownersToNotify } from '../../store/events/ownerEmails.ts'
import {
  cancelChange,
  changesSince,
  listChanges,
  requestRecipient,
} from '../../store/merchant/recipientChanges.ts'
import { signRequests } from '../../store/merchant/requestMacs.ts'
import { guardDatabase } from '../http/backends.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import { type Route, route } from '../http/route.ts'
import { bodyOf } from '../request/body.ts'
import { INVOICE_ID, PAYER, TREASURY } from '../request/examples.ts'
import { pathId } from '../request/id.ts'
import { one } from '../request/responses.ts'
import {
  address,
  integer,
  list,
  named,
  nullable,
  object,
  optionalText,
  optionalTime,
  pastedField,
  text,
  time,
  uuid,
} from '../request/schema.ts'
import { approvalFor } from './approvers.ts'
import { notifyOwnersCancelled } from './notifyOwners.ts'

/** /v1/settings/recipient: a merchant's recipient and its changes. */

const AT = '2026-08-01T12:00:00.000Z'
const CHANGE_ID = pathId(
  'recipient change',
  INVOICE_ID,
  'recipient_change_not_found',
  asRecipientChangeId,
)

const changeSchema = named('RecipientChange', 'A change of the recipient.', {
  id: uuid('The change.', INVOICE_ID),
  recipient: address('The new address.', PAYER),
  replaces: nullable(address('The recipient at the time of the request.', TREASURY)),
  status: text('Its status. It can be cancelled while `waiting`.', 'waiting', {
    enum: [...CHANGE_STATES],
  }),
  requestedBy: text('The requester.', 'Ada Lovelace <ada@example.com>'),
  requestedAt: time('When.', AT),
  inForceAt: optionalTime('When it becomes active; null while it awaits approval.', AT),
  endedAt: optionalTime('When it became active or was cancelled.', null),
  endedBy: optionalText('The actor or the reason that cancelled it.', null),
})

const recipientSchema = object('The recipient.', {
  recipient: nullable(address('The active address; null if there is none.', TREASURY)),
  delaySeconds: integer('The delay of a change, in seconds.', 86_400),
  changes: list('The newest changes, the newest first.', changeSchema),
})

const getRecipientRoute = route({
  operation: 'GET /v1/settings/recipient',
  access: 'merchant',
  summary: 'Read the recipient',
  description: 'The recipient of settled money and its changes.',
  operationId: 'getRecipient',
  successes: { 200: one('The recipient.', recipientSchema) },
  handle: async (deps, { exchange, caller: { merchantId } }) => {
    const [merchant, changes] = await guardDatabase(deps, (sql) =>
      Promise.all([getMerchant(sql, merchantId), listChanges(sql, merchantId)]),
    )
    const { recipientDelayS } = deps.config
    const shown = presentRecipient(merchant?.recipient ?? null, recipientDelayS, changes)
    return sendObject(exchange, 200, shown)
  },
})

const changeRecipientRoute = route({
  operation: 'POST /v1/settings/recipient',
  access: 'merchant',
  body: bodyOf('The address.', {
    address: pastedField('An account of yours, with its EIP-55 checksum.', PAYER),
  }),
  summary: 'Change the recipient',
  description:
    'Requests another address for settled money. It becomes active after a delay; every owner gets an email and ' +
    'can cancel it. A request by key requires an owner, or two owners if changes need an approval.',
  operationId: 'changeRecipient',
  successes: { 201: one('The change.', changeSchema) },
  errors: ['invalid_recipient', 'owner_missing', 'recipient_change_open'],
  handle: async (deps, { exchange, caller: { merchantId }, body }) => {
    const actor = actorOf(exchange)
    const checked = readChecked(body.address)
    if (!checked.ok) throw invalidAddress(checked.message)
    const { address: recipient } = checked
    const change = await guardDatabase(deps, (database) =>
      database.begin(async (sql) => {
        const verdict = await checkRecipient(sql, deps.config, recipient)
        if (!verdict.ok) throw invalidAddress(verdict.message)
        const merchant = await getMerchant(sql, merchantId)
        if (merchant?.recipient === recipient) throw invalidAddress('is already the recipient')
        await requireFewChanges(sql, exchange, merchantId, actor, deps.now())
        const wanted = { merchantId, recipient, actor }
        const requested = await requestRecipient(sql, wanted, deps.config.recipientDelayS)
        if (requested === null) throw openAlready()
        if (requested.state === 'needs_approval') {
          await approvalFor(deps.config, merchantId, actor)(sql)
        } else await signRequests(sql, deps.config.secretKeys, merchantId)
        // A stolen key must not act unnoticed: a leader notifies the owners, who need a dashboard.
        const { dashboard, recipientDelayS } = deps.config
        const owners =
          dashboard === null ? [] : await ownersToNotify(sql, merchantId, recipientDelayS)
        if (owners.length === 0 && actor.type === 'key') throw new AppError('owner_missing')
        return requested
      }),
    )
    wakeLeaders(deps)
    return sendObject(exchange, 201, presentChange(change))
  },
})

const cancelChangeRoute = route({
  operation: 'DELETE /v1/settings/recipient/changes/:id',
  access: 'merchant',
  ids: { id: CHANGE_ID },
  summary: 'Cancel a change of the recipient',
  description: 'Cancels a pending change.',
  operationId: 'cancelRecipientChange',
  successes: { 200: one('The cancelled change.', changeSchema) },
  errors: ['recipient_change_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids: { id } }) => {
    const actor = actorOf(exchange)
    const change = await guardDatabase(deps, (database) =>
      database.begin(async (sql) => {
        const ended = await cancelChange(sql, merchantId, id, actor)
        if (ended === null) throw new AppError('recipient_change_not_found')
        await notifyOwnersCancelled(sql, deps.config, ended, actor.name)
        return ended
      }),
    )
    wakeLeaders(deps)
    return sendObject(exchange, 200, presentChange(change))
  },
})

export const RECIPIENT_ROUTES: readonly Route[] = [
  getRecipientRoute,
  changeRecipientRoute,
  cancelChangeRoute,
]

/** Changes per day that a merchant's keys may request, and its members separately. */
const CHANGES_PER_DAY = 10
const DAY_MS = 86_400_000

/**
 * Each change is emailed to every owner, by the mailer that also sends sign-in emails. Requests by keys
 * and by members are counted separately, so that a stolen key can't block an owner's request.
 */
async function requireFewChanges(
  sql: Transaction,
  { set }: Pick<Exchange, 'set'>,
  merchantId: MerchantId,
  { type }: Pick<Actor, 'type'>,
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS)
  const recent = await changesSince(sql, merchantId, type, since, CHANGES_PER_DAY)
  const oldest = recent.length < CHANGES_PER_DAY ? undefined : recent.at(-1)
  if (oldest === undefined) return
  set.headers['retry-after'] = String(Math.ceil((oldest.getTime() - since.getTime()) / 1_000))
  const message = `was requested ${CHANGES_PER_DAY} times within 24 hours: wait before you request it again`
  throw new AppError('too_many_requests', [{ path: 'address', message }])
}

function actorOf({ actor }: Exchange) {
  if (actor === null) throw new AppError('unauthorized')
  return actor
}

function invalidAddress(message: string): AppError {
  return new AppError('invalid_recipient', [{ path: 'address', message }])
}

function openAlready(): AppError {
  const message = 'can’t be requested while another change is pending: cancel that first'
  return new AppError('recipient_change_open', [{ path: 'address', message }])
}

/** Wakes the leader: a change without a delay is due at once. */
function wakeLeaders({ wake, config }: Pick<ApiDependencies, 'wake' | 'config'>): void {
  wake(
    config.chains.map(({ networkId }) => networkId),
    { type: 'work_waiting' },
  )
}
