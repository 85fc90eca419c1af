import { AppError } from '../../../core/base/errors.ts'
import { parseAddress } from '../../../core/chain/evm.ts'
import { listOrders, ORDER_KINDS, orderWork } from '../../../store/books/orders.ts'
import { type Review, readReviews } from '../../../store/books/reviews.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject, sendWholeList } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { bodyOf, invalidBody } from '../../request/body.ts'
import { many, one } from '../../request/responses.ts'
import { object, optionalText, pastedField, text, time, wordField } from '../../request/schema.ts'

/** Quarantined work, and operators' orders to workers. */

const ORDERS_SHOWN = 50

const reviewSchema = object('Quarantined work.', {
  id: text('Its number.', '1042'),
  networkId: text('The chain.', 'base'),
  kind: text('The kind of work.', 'sweep'),
  error: optionalText('Why it is quarantined.', 'reverted'),
  subject: optionalText('Its object.', null),
  status: optionalText('The status of that object.', 'open'),
  since: time('When it was quarantined.', '2026-08-01T12:00:00.000Z'),
})

export const reviewsRoute = route({
  operation: 'GET /reviews',
  access: 'operator',
  summary: 'List quarantined work',
  description: 'On all chains, the oldest first.',
  operationId: 'listReviews',
  successes: { 200: many('The work.', reviewSchema) },
  handle: async (deps, { exchange }) => {
    const reviews = await guardDatabase(deps, (sql) => readReviews(sql, null))
    return sendWholeList(exchange, reviews.map(presentReview))
  },
})

const orderFields = {
  kind: text('What to do.', 'retry', { enum: [...ORDER_KINDS] }),
  networkId: wordField('The chain.', 'base'),
  subject: pastedField('The account of a relayer, or the number of the work item.', '1042'),
}
const orderSchema = object('An order.', {
  id: text('Its number.', '7'),
  kind: orderFields.kind,
  networkId: orderFields.networkId,
  subject: orderFields.subject,
  answer: optionalText('The result.', 'it is queued again'),
})

export const ordersRoute = route({
  operation: 'GET /orders',
  access: 'operator',
  summary: 'List orders',
  description: 'The newest orders of all operators, with their results.',
  operationId: 'listOrders',
  successes: { 200: many('The orders.', orderSchema) },
  handle: async (deps, { exchange }) => {
    const orders = await guardDatabase(deps, (sql) => listOrders(sql, ORDERS_SHOWN))
    return sendWholeList(
      exchange,
      orders.map(({ id, ...order }) => ({ id: id.toString(), ...order })),
    )
  },
})

export const orderWorkRoute = route({
  operation: 'POST /orders',
  access: 'operator',
  body: bodyOf('What to do.', orderFields),
  summary: 'Order workers to act',
  description:
    'Reactivates a quarantined relayer, drains or reactivates a relayer, and retries or ends work that ' +
    "needs review, with the checks of the operator's commands. Executed by the leader of the chain.",
  operationId: 'orderWork',
  successes: { 202: one('The order is stored.', orderSchema) },
  errors: ['unknown_chain', 'order_not_possible'],
  handle: async (deps, { exchange, caller: { personId }, body }) => {
    const order = checked(body, deps.config.chains)
    const id = await guardDatabase(deps, (sql) => orderWork(sql, personId, order))
    if (id === null) {
      const message = 'is being handled by another order, or no longer needs review'
      throw new AppError('order_not_possible', [{ path: 'subject', message }])
    }
    deps.wake([order.networkId], { type: 'work_waiting' })
    return sendObject(exchange, 202, { id: id.toString(), ...order, answer: null })
  },
})

function checked(
  { kind: sent, networkId, subject }: { kind: string; networkId: string; subject: string },
  chains: readonly { readonly networkId: string }[],
) {
  const kind = ORDER_KINDS.find((known) => known === sent)
  if (kind === undefined) {
    throw invalidBody([{ path: 'kind', message: `must be one of ${ORDER_KINDS.join(', ')}` }])
  }
  if (!chains.some((chain) => chain.networkId === networkId)) {
    throw invalidBody([{ path: 'networkId', message: 'must be a chain of this deployment' }])
  }
  const isOfWork = kind === 'retry' || kind === 'fail'
  const address = parseAddress(subject)
  if (isOfWork ? !/^[0-9]{1,18}$/.test(subject) : address === null) {
    const message = isOfWork ? 'must be the number of a work item' : 'must be an account'
    throw invalidBody([{ path: 'subject', message }])
  }
  return { kind, networkId, subject: isOfWork ? subject : (address ?? subject) }
}

function presentReview({ id, ...review }: Review) {
  return { id: id.toString(), ...review }
}
