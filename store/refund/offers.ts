import type { InvoiceId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Config } from '../../core/config/processes.ts'
import type { Recovery, RecoveryOffers } from '../../core/invoice/recovery.ts'
import type { Invoice, Payment } from '../../core/invoice/state.ts'
import { type OfferScene, offersOf } from '../../core/refund/offers.ts'
import type { Queryable } from '../database/database.ts'
import { transactionsOf } from '../invoice/rows.ts'

/** Held money with what can be done about it. */
export interface OfferedRecovery {
  readonly recovery: Recovery
  readonly offers: RecoveryOffers
}

/** Who would act, and when. */
interface Offering extends Pick<Config, 'chains'> {
  readonly now: Date
  /** Whether a member requests it, or a key. */
  readonly isByMember: boolean
}

/** Checks each by the rules of its execution, with a constant number of queries. */
export async function withOffers(
  sql: Queryable,
  recoveries: readonly Recovery[],
  offering: Offering,
): Promise<OfferedRecovery[]> {
  if (recoveries.length === 0) return []
  const scenes = await readScenes(sql, recoveries, offering)
  const watched = await watchedPayers(sql, scenes)
  return recoveries.map((recovery) => {
    const scene = scenes.get(recovery.invoiceId)
    if (scene === undefined) throw new Error(`there is no invoice ${recovery.invoiceId}`)
    return { recovery, offers: offersOf(recovery, scene, watched) }
  })
}

type MerchantsInvoice = Invoice & Pick<OfferScene, 'refundsAny' | 'isRecipientChanging'>

async function readScenes(
  sql: Queryable,
  recoveries: readonly Recovery[],
  offering: Offering,
): Promise<ReadonlyMap<InvoiceId, OfferScene>> {
  const ids = [...new Set(recoveries.map(({ invoiceId }) => invoiceId))]
  // On-time money is checked as a whole; a payment that doesn't count, alone.
  const whole = recoveries.flatMap((one) => (one.paymentId === null ? [one.invoiceId] : []))
  const single = recoveries.flatMap(({ paymentId }) => paymentId ?? [])
  const payments = sql<Payment[]>`
    select * from payment where id = any(${single}::uuid[]) and kind <> 'counted'
    union all
    select * from payment where invoice_id = any(${whole}::uuid[]) and kind = 'counted'
    order by detected_order`
  const [invoices, transactions] = await Promise.all([
    sql<MerchantsInvoice[]>`
      select i.*, m.refunds_any, exists (
        select from recipient_change c where c.merchant_id = m.id and c.ended_at is null
      ) as is_recipient_changing
      from invoice i join merchant m on m.id = i.merchant_id
      where i.id = any(${ids}::uuid[])`,
    transactionsOf(sql, ids, payments),
  ])
  return new Map(
    invoices.map(({ refundsAny, isRecipientChanging, ...invoice }) => [
      invoice.id,
      {
        ...{ invoice, refundsAny, isRecipientChanging, ...offering },
        ...transactions(invoice.id),
      },
    ]),
  )
}

/** Those of the payers on whose addresses this service receives payments, to which nothing goes back. */
async function watchedPayers(
  sql: Queryable,
  scenes: ReadonlyMap<InvoiceId, OfferScene>,
): Promise<ReadonlySet<Address>> {
  const payers = new Set<Address>()
  for (const { invoice, payments } of scenes.values()) {
    for (const { sender } of payments) payers.add(sender)
    if (invoice.payerRefundAddress !== null) payers.add(invoice.payerRefundAddress)
  }
  const rows = await sql<{ address: Address }[]>`
    select distinct address from watched where address = any(${[...payers]}::text[])`
  return new Set(rows.map(({ address }) => address))
}
