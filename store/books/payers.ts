import type { BaseUnits } from '../../core/base/money.ts'
import type { Address } from '../../core/chain/evm.ts'
import {
  type Days,
  MOST_ADDED_UP,
  type Narrowing,
  ofMerchant,
  onNetwork,
  type Sight,
  within,
} from './sight.ts'

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

/** Those who have paid most by confirmed payments, at most this many; of the newest payments, if there are more. */
export async function readTopPayers(sight: Sight, query: PayerQuery): Promise<PayerRow[]> {
  const { sql } = sight
  return sql<PayerRow[]>`
    with paid as materialized (
      ${query.kind === 'X402' ? requests(sight, query) : payments(sight, query)}
      order by confirmed_at desc limit ${MOST_ADDED_UP + 1}
    )
    select payer, network_id, token, count(*) as payments, sum(amount) as paid,
      (select count(*) from paid) as added
    from paid group by payer, network_id, token
    order by paid desc, payer, network_id, token limit ${query.limit}`
}

function payments(sight: Sight, { days, merchantId, networkId }: PayerQuery) {
  return sight.sql`
    select sender as payer, network_id, token, amount, confirmed_at from seen_payment
    where ${ofMerchant(sight, merchantId)} and ${onNetwork(sight, networkId)}
      and status = 'confirmed' and kind <> 'foreign' and ${within(sight, 'confirmed_at', days)}`
}

function requests(sight: Sight, { days, merchantId, networkId }: PayerQuery) {
  return sight.sql`
    select payer, network_id, asset as token, amount, confirmed_at from seen_x402_payment
    where ${ofMerchant(sight, merchantId)} and ${onNetwork(sight, networkId)}
      and ${within(sight, 'confirmed_at', days)}`
}
