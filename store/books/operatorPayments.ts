import type { MerchantId, X402PaymentId } from '../../core/base/ids.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { X402Payment } from '../../core/x402/presentPayment.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { WorkState } from '../relayer/workItems.ts'
import { PAYMENT_COLUMNS } from '../x402/payments.ts'
import { retryReview } from './reviews.ts'

/** x402 payments of all merchants with the work behind them, for operators only. */

export interface PaymentWork {
  readonly state: WorkState
  /** How often it was sent and failed although it should not have. */
  readonly tries: number
  /** Why it is in review, or the outcome of its last transaction; as text. */
  readonly error: string | null
  /** The newest transaction that was to carry it out. */
  readonly attempt: Hex | null
}

export interface OperatorPayment {
  readonly payment: X402Payment
  /** Null for a payment that was submitted by another party before its settle call. */
  readonly work: PaymentWork | null
}

export interface OperatorFilter {
  /** `review`: payments whose work waits for an operator. */
  readonly status?: X402Payment['status'] | 'review' | undefined
  readonly merchantId?: MerchantId | undefined
  readonly networkId?: string | undefined
}

type Row = X402Payment & {
  workState: WorkState | null
  tries: number | null
  workError: string | null
  attempt: Hex | null
}

/** Payments that match, the newest first, and how many there are on all pages. */
export async function listOperatorPayments(
  database: Database,
  filter: OperatorFilter,
  page: { readonly limit: number; readonly offset: bigint },
): Promise<{ readonly payments: readonly OperatorPayment[]; readonly total: number }> {
  return database.begin('isolation level repeatable read read only', async (sql) => {
    const matching = conditions(sql, filter)
    const [counted, rows] = await Promise.all([
      sql<{ total: number }[]>`select count(*)::integer as total ${withWork(sql)} ${matching}`,
      sql<Row[]>`
        select ${columns(sql)} ${withWork(sql)} ${matching}
        order by p.id desc limit ${page.limit} offset ${page.offset}`,
    ])
    return { payments: rows.map(fromRow), total: counted[0]?.total ?? 0 }
  })
}

/** One payment of any merchant; null when there is none. */
export async function findOperatorPayment(
  sql: Queryable,
  paymentId: X402PaymentId,
): Promise<OperatorPayment | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} ${withWork(sql)} where p.id = ${paymentId}`
  return row === undefined ? null : fromRow(row)
}

/**
 * Queues a payment's work again that waits for an operator, as any other work. False when it doesn't wait, or
 * is not pending any more.
 */
export async function retryPayment(database: Database, paymentId: X402PaymentId): Promise<boolean> {
  const [item] = await database<{ id: bigint }[]>`
    select w.id ${withWork(database)} where p.id = ${paymentId} and w.state = 'review'`
  return item !== undefined && (await retryReview(database, item.id)).ok
}

function columns(sql: Queryable) {
  return sql`
    ${sql(PAYMENT_COLUMNS)}, w.state as work_state, w.tries, w.result->>'error' as work_error, (
      select a.hash from relayer_attempt a where a.tx_id = w.tx_id and not a.is_cancel
      order by a.seq desc limit 1) as attempt`
}

function withWork(sql: Queryable) {
  return sql`from x402_payment p left join work_item w on w.subject_id = p.id`
}

function conditions(sql: Queryable, { status, merchantId, networkId }: OperatorFilter) {
  const isStatus =
    status === 'review' ? sql`and w.state = 'review'` : sql`and p.status = ${status ?? null}`
  return sql`
    where true
    ${status === undefined ? sql`` : isStatus}
    ${merchantId === undefined ? sql`` : sql`and p.merchant_id = ${merchantId}`}
    ${networkId === undefined ? sql`` : sql`and p.network_id = ${networkId}`}`
}

function fromRow(row: Row): OperatorPayment {
  const { workState: state, tries, workError: error, attempt, ...payment } = row
  return { payment, work: state === null ? null : { state, tries: tries ?? 0, error, attempt } }
}
