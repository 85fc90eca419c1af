import type { InvoiceId, MerchantId } from '../../core/base/ids.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Queryable } from '../database/database.ts'

/** Whose data is to be erased, and which invoices are about them. */

export type Subject =
  | { readonly type: 'email'; readonly email: string }
  | { readonly type: 'payer'; readonly address: Address }
  | { readonly type: 'refundAddress'; readonly address: Address }
  | { readonly type: 'invoice'; readonly invoiceId: InvoiceId }
  | {
      readonly type: 'metadata'
      readonly merchantId: MerchantId
      readonly key: string
      readonly value: string
    }

/** Shorter ones would match unrelated texts. */
const SHORTEST_WORD = 6

/** The texts that must not be left anywhere. A payer's address stays where money moved, as on the chain. */
export function wordsOf(subject: Subject): string[] {
  switch (subject.type) {
    case 'email':
      return [subject.email]
    case 'metadata':
      return subject.value.length < SHORTEST_WORD ? [] : [subject.value]
    case 'payer':
    case 'refundAddress':
    case 'invoice':
      return []
    default:
      return subject satisfies never
  }
}

/** The next invoices about them, in the order of their ids. */
export async function invoicesAbout(
  sql: Queryable,
  subject: Subject,
  after: string,
  limit: number,
): Promise<InvoiceId[]> {
  const rows = await sql<{ id: InvoiceId }[]>`
    select i.id from invoice i where i.id > ${after} and ${condition(sql, subject)}
    order by i.id limit ${limit}`
  return rows.map(({ id }) => id)
}

function condition(sql: Queryable, subject: Subject) {
  switch (subject.type) {
    case 'email':
      return sql`position(${subject.email} in lower(i.metadata::text)) > 0`
    case 'payer':
      return sql`
        i.id in (select invoice_id from payment where sender = ${subject.address})`
    case 'refundAddress':
      return sql`
        (i.payer_refund_address = ${subject.address} or i.id in (
          select o.invoice_id from checkout_session s
          join checkout_session_invoice o on o.session_id = s.id
          where s.refund_address = ${subject.address}))`
    case 'invoice':
      return sql`i.id = ${subject.invoiceId}`
    case 'metadata':
      return sql`
        (i.merchant_id = ${subject.merchantId} and i.metadata->>${subject.key} = ${subject.value})`
    default:
      return subject satisfies never
  }
}
