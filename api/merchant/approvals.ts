import { AppError } from '../../core/base/errors.ts'
import { type ApprovalRequestId, asApprovalRequestId, asPersonId } from '../../core/base/ids.ts'
import { parseAmount } from '../../core/base/money.ts'
import {
  type ApprovalPolicy,
  presentApproval,
  presentPolicy,
  RULE_DECIMALS,
} from '../../core/merchant/approval.ts'
import type { Transaction } from '../../store/database/database.ts'
import {
  type Approved,
  type Approver,
  approveRequest,
  listRequests,
  readPolicy,
  refuseRequest,
  requestPolicy,
} from '../../store/merchant/approvals.ts'
import { signVote } from '../../store/merchant/requestMacs.ts'
import { guardDatabase } from '../http/backends.ts'
import { type ApiDependencies, type Exchange, sendObject, sendWholeList } from '../http/exchange.ts'
import type { MerchantCaller } from '../http/guards.ts'
import { type Route, route } from '../http/route.ts'
import { bodyOf, invalidBody } from '../request/body.ts'
import { INVOICE_ID } from '../request/examples.ts'
import { pathId } from '../request/id.ts'
import { many, one } from '../request/responses.ts'
import { amountField, flag, optional, text } from '../request/schema.ts'
import { requestApproval } from './approvers.ts'

/** Approval rules and requests: for members only, not for API keys. */

const REQUEST_ID = pathId('request', INVOICE_ID, 'approval_not_found', asApprovalRequestId)

const listApprovalsRoute = route({
  operation: 'GET /v1/approvals',
  access: 'merchant',
  summary: 'List approval requests',
  description: 'The pending requests, then the newest closed ones.',
  operationId: 'listApprovals',
  successes: { 200: many('The requests.', text('A request.', '{}')) },
  handle: async (deps, { exchange, caller: { merchantId } }) => {
    const { actor } = exchange
    const personId = actor?.type === 'person' ? asPersonId(actor.id) : null
    const requests = await guardDatabase(deps, (sql) => listRequests(sql, merchantId, personId))
    const { registry } = deps.config
    return sendWholeList(
      exchange,
      requests.map((request) => presentApproval(request, registry)),
    )
  },
})

const approveRoute = route({
  operation: 'POST /v1/approvals/:id/approve',
  access: 'merchant',
  ids: { id: REQUEST_ID },
  summary: 'Approve a request',
  description: 'Must be called by a member other than the requester.',
  operationId: 'approveRequest',
  successes: { 200: one('The result.', text('The result.', '{}')) },
  handle: async (deps, { exchange, caller, ids: { id } }) => {
    const by = approverOf(exchange, caller)
    const outcome = await guardDatabase(deps, (database) =>
      database.begin((sql) => approveAndSign(sql, deps.config, by, id)),
    )
    requireApproved(outcome)
    wakeLeaders(deps)
    return sendObject(exchange, 200, { id, isApproved: outcome === 'approved' })
  },
})

/** Adds a vote; a leader executes a request with enough votes. */
async function approveAndSign(
  sql: Transaction,
  { recipientDelayS, secretKeys }: ApiDependencies['config'],
  by: Approver,
  id: ApprovalRequestId,
): Promise<Approved> {
  const outcome = await approveRequest(sql, by, id, recipientDelayS)
  if (outcome === 'approved' || outcome === 'counted') {
    await signVote(sql, secretKeys, id, by.personId)
  }
  return outcome
}

const refuseRoute = route({
  operation: 'POST /v1/approvals/:id/refuse',
  access: 'merchant',
  ids: { id: REQUEST_ID },
  summary: 'Refuse a request',
  description:
    'Also possible for the requester; a request about a member can only be withdrawn by its requester.',
  operationId: 'refuseRequest',
  successes: { 200: one('The result.', text('The result.', '{}')) },
  handle: async (deps, { exchange, caller, ids: { id } }) => {
    const by = approverOf(exchange, caller)
    const outcome = await guardDatabase(deps, (sql) => refuseRequest(sql, by, id))
    if (outcome === 'unknown') throw new AppError('approval_not_found')
    if (outcome === 'askers') {
      throw otherMemberRequired(
        'must be withdrawn by its requester; without an approval it expires',
      )
    }
    wakeLeaders(deps)
    return sendObject(exchange, 200, { id })
  },
})

const getPolicyRoute = route({
  operation: 'GET /v1/settings/approvals',
  access: 'merchant',
  summary: 'Read the approval rules',
  description: 'Changes of the recipient, and refunds above an amount.',
  operationId: 'getApprovalPolicy',
  successes: { 200: one('The rules.', text('They.', '{}')) },
  handle: async (deps, { exchange, caller: { merchantId } }) => {
    const policy = await guardDatabase(deps, (sql) => readPolicy(sql, merchantId))
    return sendObject(exchange, 200, presentPolicy(policy))
  },
})

const changePolicyRoute = route({
  operation: 'POST /v1/settings/approvals',
  access: 'merchant',
  body: bodyOf('All rules.', {
    recipient: flag('Whether changes of the recipient need an approval.', true),
    refundsAbove: optional(
      amountField('Above how many whole tokens refunds do; left out for none.', '100'),
    ),
  }),
  summary: 'Change the approval rules',
  description: 'While a rule is active, the change itself needs an approval.',
  operationId: 'changeApprovalPolicy',
  successes: { 200: one('The result.', text('The result.', '{}')) },
  handle: async (deps, { exchange, caller, body }) => {
    const by = approverOf(exchange, caller)
    const policy: ApprovalPolicy = {
      recipient: body.recipient,
      refundsAbove: readAmount(body.refundsAbove),
    }
    const outcome = await guardDatabase(deps, (database) =>
      database.begin(async (sql) => {
        const result = await requestPolicy(sql, by, policy)
        if (result === 'asked') await requestApproval(sql, deps.config, by)
        return result
      }),
    )
    if (outcome === 'open') throw new AppError('approval_open')
    if (outcome === 'alone') throw new AppError('approver_missing')
    return sendObject(exchange, 200, { isInForce: outcome === 'done' })
  },
})

export const APPROVAL_ROUTES: readonly Route[] = [
  listApprovalsRoute,
  approveRoute,
  refuseRoute,
  getPolicyRoute,
  changePolicyRoute,
]

export function approverOf({ actor }: Exchange, { merchantId }: MerchantCaller): Approver {
  if (actor?.type !== 'person') throw new AppError('unauthorized')
  return { merchantId, personId: asPersonId(actor.id), name: actor.name }
}

function readAmount(sent: number | string | undefined): ApprovalPolicy['refundsAbove'] {
  if (sent === undefined) return null
  const parsed = parseAmount(sent, RULE_DECIMALS)
  if (!parsed.ok) throw invalidBody([{ path: 'refundsAbove', message: parsed.message }])
  return parsed.amount
}

function requireApproved(outcome: Approved): void {
  switch (outcome) {
    case 'approved':
    case 'counted':
      return
    case 'unknown':
      throw new AppError('approval_not_found')
    case 'ended':
      throw new AppError('approval_ended')
    case 'own':
      throw otherMemberRequired(
        'must be approved by another member than its requester and its subject',
      )
    case 'twice':
      throw otherMemberRequired('must be approved by another member: you have already approved it')
    case 'new':
      throw otherMemberRequired(
        'must be approved by a member who had this role a day before the request',
      )
    default:
      outcome satisfies never
  }
}

function otherMemberRequired(message: string): AppError {
  return new AppError('other_person_required', [{ path: 'id', message }])
}

/** Wakes the leaders, so that they act on the decision before their next tick. */
function wakeLeaders({ wake, config }: Pick<ApiDependencies, 'wake' | 'config'>): void {
  wake(
    config.chains.map(({ networkId }) => networkId),
    { type: 'work_waiting' },
  )
}
