import type { BaseUnits } from '../../core/base/money.ts'
import type { Address } from '../../core/chain/evm.ts'
import {
  type Days,
  MOST_ADDED_UP,
  type Narrowing,
  ofMerchant,
  onNetwork,
  type ReadScope,
  within,
} from './readScope.ts'

/** Who has paid most, out of the payments of some days. */

export type PaymentKind = 'INVOICE' | 'X402'

/** What one address has paid in one token on one chain. */
export interface PayerRow {
  readonly payer: Address
  readonly networkId: string
  readonly token: Address
  readonly payments: bigint
  /** In base units. */
  readonly paid: BaseUnits
  /** Of all payments that were added up. */
  readonly added: bigint
}

export interface PayerQuery extends Narrowing {
  readonly days: Days
  readonly kind: PaymentKind
  readonly limit: number
}

/** The payers of the most money by confirmed payments, at most this many; of the newest payments, if there are more. */
export async function readTopPayers(scope: ReadScope, query: PayerQuery): Promise<PayerRow[]> {
  const { sql } = scope
  return sql<PayerRow[]>`
    with paid as materialized (
      ${query.kind === 'X402' ? requests(scope, query) : payments(scope, query)}
      order by confirmed_at desc limit ${MOST_ADDED_UP + 1}
    )
    select payer, network_id, token, count(*) as payments, sum(amount) as paid,
      (select count(*) from paid) as added
    from paid group by payer, network_id, token
    order by paid desc, payer, network_id, token limit ${query.limit}`
}

function payments(scope: ReadScope, { days, merchantId, networkId }: PayerQuery) {
  return scope.sql`
    select sender as payer, network_id, token, amount, confirmed_at from seen_payment
    where ${ofMerchant(scope, merchantId)} and ${onNetwork(scope, networkId)}
      and status = 'confirmed' and kind <> 'foreign' and ${within(scope, 'confirmed_at', days)}`
}

function requests(scope: ReadScope, { days, merchantId, networkId }: PayerQuery) {
  return scope.sql`
    select payer, network_id, asset as token, amount, confirmed_at from seen_x402_payment
    where ${ofMerchant(scope, merchantId)} and ${onNetwork(scope, networkId)}
      and ${within(scope, 'confirmed_at', days)}`
}
