import type { Logger } from 'pino'
import { settledNonce } from '../../chain/blocks/accounts.ts'
import { proveUnpaid } from '../../chain/x402/unpaid.ts'
import { cleanText } from '../../core/base/text.ts'
import { parseAddress } from '../../core/chain/evm.ts'
import { endOrder, type Order, openOrders } from '../../store/books/orders.ts'
import {
  endReview,
  findReview,
  isPayment,
  type Review,
  retryReview,
} from '../../store/books/reviews.ts'
import { isContention, isDatabaseDown } from '../../store/database/database.ts'
import { changeKeyStatus, type KeyStatus, reactivateKey } from '../../store/relayer/keys.ts'
import { readSettles } from '../../store/x402/work.ts'
import type { LedgerContext, Progress } from '../turns/ledgerContext.ts'

const ORDERS_PER_TURN = 10
/** As things that may be quarantined. */
const ORDER = 'order'
const LONGEST_ANSWER = 400

/** The result of an order, as a sentence for the operator. */
interface Outcome {
  readonly isDone: boolean
  readonly answer: string
}

/** What carrying out orders takes of the ledger's. */
type OrdersContext = Pick<LedgerContext, 'database' | 'client'> & {
  readonly work: Pick<LedgerContext['work'], 'others'>
}

/**
 * Carries out operators' orders from the dashboard, by the same checks as their commands. What a node does not
 * answer ends the order, because payments are confirmed after it; a fault of the database leaves it open, for a
 * later turn.
 */
export async function carryOutOrders(
  context: OrdersContext,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<Progress> {
  const { database, client, work } = context
  const without = work.others.waiting(ORDER)
  const orders = await openOrders(database, client.chain.networkId, without, ORDERS_PER_TURN)
  const idOf = ({ id }: Order) => String(id)
  const ended = await work.others.each(ORDER, orders, idOf, async (order) => {
    const outcome = await carryOut(context, order).catch((err: unknown) => {
      if (isDatabaseDown(err) || isContention(err)) throw err
      log.warn({ err, orderId: order.id }, 'an operator’s order was cut off')
      return refused('a node did not answer correctly: check the log, and order it again')
    })
    const answer = cleanText(outcome.answer, LONGEST_ANSWER)
    await endOrder(database, order.id, { isDone: outcome.isDone, answer })
    const { kind, subject } = order
    log.info(
      { orderId: order.id, kind, subject, ...outcome },
      'an operator’s order was carried out',
    )
  })
  return { changed: ended.length, isFull: orders.length === ORDERS_PER_TURN }
}

async function carryOut(
  context: Pick<LedgerContext, 'database' | 'client'>,
  order: Order,
): Promise<Outcome> {
  switch (order.kind) {
    case 'revive':
      return revive(context, order)
    case 'drain':
      return changeStatus(context, order, ['active', 'no_funds'], 'draining')
    case 'resume':
      return changeStatus(context, order, ['draining'], 'active')
    case 'retry':
    case 'fail':
      return decide(context, order)
    default:
      return order.kind satisfies never
  }
}

async function revive(
  { database, client }: Pick<LedgerContext, 'database' | 'client'>,
  { networkId, subject }: Order,
): Promise<Outcome> {
  const address = parseAddress(subject)
  if (address === null) return refused('that is no account')
  const accountNonce = await settledNonce(client, address)
  if (accountNonce === null) {
    return refused(
      "it has sent something within the chain's confirmations, or its nodes disagree: wait, and find out who sends",
    )
  }
  const revival = await reactivateKey(database, { networkId, address }, accountNonce)
  if (revival.ok) return done(`it continues at account nonce ${accountNonce}`)
  switch (revival.reason) {
    case 'not_quarantined':
      return refused('it is not quarantined')
    case 'undecided':
      return refused('it has transactions that the chain has yet to decide about')
    case 'behind':
      return refused(
        `it has account nonce ${accountNonce} on the chain, and the next one in the ledger is ${revival.nextNonce}: the nodes lag, or the chain lost transactions`,
      )
    default:
      return revival satisfies never
  }
}

async function changeStatus(
  { database }: Pick<LedgerContext, 'database'>,
  { networkId, subject }: Order,
  from: readonly KeyStatus[],
  to: 'draining' | 'active',
): Promise<Outcome> {
  const address = parseAddress(subject)
  if (address === null) return refused('that is no account')
  const note = to === 'draining' ? 'drained by an operator' : null
  const isChanged = await changeKeyStatus(database, { networkId, address }, from, to, note)
  if (!isChanged) return refused(`it was not ${from.join(' or ')}`)
  return done(to === 'draining' ? 'it gets no new work' : 'it gets work again')
}

async function decide(
  context: Pick<LedgerContext, 'database' | 'client'>,
  { networkId, kind, subject }: Order,
): Promise<Outcome> {
  const { database } = context
  const id = /^[0-9]{1,18}$/.test(subject) ? BigInt(subject) : null
  const review = id === null ? null : await findReview(database, id)
  if (id === null || review?.networkId !== networkId) {
    return refused('no such work needs a decision')
  }
  if (kind === 'retry') {
    const { ok } = await retryReview(database, id)
    return ok ? done('it is queued again') : refused('the ledger does not expect it any more')
  }
  const proof = await proofOf(context, review)
  if (!proof.isDone) return proof
  const { ok } = await endReview(database, id, proof.answer === '' ? null : proof.answer)
  return ok ? done('it has failed') : refused('nothing proves that no money moved')
}

/** Why a pending payment has failed, empty for other work; or why that is unknown. */
async function proofOf(
  { database, client }: Pick<LedgerContext, 'database' | 'client'>,
  review: Review,
): Promise<Outcome> {
  if (!isPayment(review) || review.status !== 'pending') return done('')
  const [row] = await readSettles(database, [review.id])
  if (row === undefined) return refused('its payment is not there')
  const proof = await proveUnpaid(client, row)
  return proof.isUnpaid ? done(proof.reason) : refused(proof.why)
}

const done = (answer: string): Outcome => ({ isDone: true, answer })
const refused = (answer: string): Outcome => ({ isDone: false, answer })
