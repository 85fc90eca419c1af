import type { EndpointId, MerchantId, X402PaymentId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Page, PageRequest } from '../../core/base/page.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { keysOfNonce } from '../../core/x402/permitSigning.ts'
import type { X402Payment } from '../../core/x402/presentPayment.ts'
import type { Database, Queryable } from '../database/database.ts'
import { microsecondsOf, readPageByMoment } from '../database/moments.ts'

/** x402 payments as merchants and their servers read them. */

/** The columns of a payment, of a table that the query calls `p`: for `sql(PAYMENT_COLUMNS)`. */
export const PAYMENT_COLUMNS = [
  'p.id',
  'p.merchant_id',
  'p.endpoint_id',
  'p.network_id',
  'p.asset',
  'p.payer',
  'p.authorization_nonce',
  'p.pay_to',
  'p.amount',
  'p.scheme',
  'p.permit_nonce',
  'p.permitted',
  'p.valid_after',
  'p.valid_before',
  'p.status',
  'p.reason',
  'p.tx_hash',
  'p.log_index',
  'p.block_number',
  'p.distribution_id',
  'p.fee',
  'p.refunded',
  'p.refunding',
  'p.direct',
  'p.fee_owed',
  'p.version',
  'p.created_at',
  'p.settled_at',
  'p.confirmed_at',
]

/** The payments with these ids, in no particular order; those that don't exist are left out. */
export async function readPayments(
  sql: Queryable,
  paymentIds: readonly X402PaymentId[],
): Promise<X402Payment[]> {
  if (paymentIds.length === 0) return []
  return sql<X402Payment[]>`
    select ${sql(PAYMENT_COLUMNS)} from x402_payment p where p.id = any(${[...paymentIds]}::uuid[])`
}

export async function readPayment(
  sql: Queryable,
  paymentId: X402PaymentId,
): Promise<X402Payment | null> {
  const [payment] = await readPayments(sql, [paymentId])
  return payment ?? null
}

export interface PaymentFilter {
  readonly status?: X402Payment['status'] | undefined
  readonly endpointId?: EndpointId | undefined
  readonly payer?: Address | undefined
  readonly authorizationNonce?: Hex | undefined
  readonly networkId?: string | undefined
  /** Both ends belong to the range. */
  readonly createdFrom?: Date | undefined
  readonly createdTo?: Date | undefined
}

/** The merchant's payments, the newest first. */
export async function listPayments(
  database: Database,
  merchantId: MerchantId,
  filter: PaymentFilter,
  page: PageRequest,
): Promise<Page<X402Payment>> {
  return database.begin('isolation level repeatable read read only', async (sql) => {
    const matching = conditions(sql, merchantId, filter)
    return readPageByMoment<X402Payment>(sql, page, {
      count: () => sql<{ total: number }[]>`
        select count(*)::int as total from x402_payment p where ${matching}`,
      read: ({ beyond, order, place }) => sql`
        select ${sql(PAYMENT_COLUMNS)}, ${microsecondsOf(sql, 'page.created_at')} as microseconds
        from (
          select p.created_at, p.id from x402_payment p where ${matching} and ${beyond('p')}
          ${order('p')} ${place}
        ) as page
        cross join lateral (select * from x402_payment where id = page.id limit 1) p
        ${order('page')}`,
    })
  })
}

export interface StatusQuery {
  readonly authorizationNonce: Hex
  readonly payer?: Address | undefined
  readonly networkId?: string | undefined
  readonly endpointId?: EndpointId | undefined
  /** In base units. */
  readonly amount?: BaseUnits | undefined
  /** Only payments to this merchant. */
  readonly merchantId?: MerchantId | undefined
}

/**
 * The newest payment by this authorization nonce, or null. A nonce is unique for one payer, token and
 * chain only, so others may have used the same one.
 */
export async function findStatus(sql: Queryable, query: StatusQuery): Promise<X402Payment | null> {
  const { authorizationNonce, payer, networkId, endpointId, amount, merchantId } = query
  const [row] = await sql<X402Payment[]>`
    select ${sql(PAYMENT_COLUMNS)} from x402_payment p
    where p.authorization_nonce = any(${keysOfNonce(authorizationNonce)}::text[])
      ${payer === undefined ? sql`` : sql`and p.payer = ${payer}`}
      ${networkId === undefined ? sql`` : sql`and p.network_id = ${networkId}`}
      ${endpointId === undefined ? sql`` : sql`and p.endpoint_id = ${endpointId}`}
      ${amount === undefined ? sql`` : sql`and p.amount = ${amount.toString()}`}
      ${merchantId === undefined ? sql`` : sql`and p.merchant_id = ${merchantId}`}
    order by p.created_at desc, p.id desc limit 1`
  return row ?? null
}

function conditions(sql: Queryable, merchantId: MerchantId, filter: PaymentFilter) {
  const { status, endpointId, payer, authorizationNonce, networkId, createdFrom, createdTo } =
    filter
  return sql`
    p.merchant_id = ${merchantId}
    ${status === undefined ? sql`` : sql`and p.status = ${status}`}
    ${endpointId === undefined ? sql`` : sql`and p.endpoint_id = ${endpointId}`}
    ${payer === undefined ? sql`` : sql`and p.payer = ${payer}`}
    ${authorizationNonce === undefined ? sql`` : sql`and p.authorization_nonce = any(${keysOfNonce(authorizationNonce)}::text[])`}
    ${networkId === undefined ? sql`` : sql`and p.network_id = ${networkId}`}
    ${createdFrom === undefined ? sql`` : sql`and p.created_at >= ${createdFrom}`}
    ${createdTo === undefined ? sql`` : sql`and p.created_at <= ${createdTo}`}`
}
