import { lastReference } from '../../../core/access/keys.ts'
import type { InvoiceId, MerchantId } from '../../../core/base/ids.ts'
import { type Match, MOST_FOUND, type SearchTerms } from '../../../core/invoice/search.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import type { Queryable } from '../../database/database.ts'

/** Finding a merchant's invoices by any of their names. Each is looked up in an index. */

export type FoundInvoice = Pick<
  Invoice,
  'id' | 'reference' | 'externalRef' | 'status' | 'amountExpected' | 'tokenSymbol' | 'createdAt'
> & { readonly match: Match }

/** How many references of all merchants are read; more begin alike only among hundreds of millions. */
const REFERENCES_AT_MOST = 500
/** Sorts after every character. */
const LAST = '\u{10FFFF}'

/** What a search finds, the best matches first, at most MOST_FOUND. */
export async function searchInvoices(
  sql: Queryable,
  merchantId: MerchantId,
  { externalRef, sent, reference, invoiceId, txHash, address }: SearchTerms,
  networkIds: readonly string[],
): Promise<FoundInvoice[]> {
  const own = sql`merchant_id = ${merchantId}`
  const found = (match: Match, rank: number, rows: ReturnType<typeof sql>) =>
    sql`select id, ${match} as match, ${rank}::integer as rank from (${rows}) as found`
  const parts = [
    found(
      'external_ref',
      1,
      sql`select id from invoice where ${own} and external_ref in (${externalRef}, ${sent})`,
    ),
    found(
      'external_ref',
      6,
      sql`
        select id from invoice
        where ${own} and external_ref > ${externalRef} and external_ref < ${externalRef + LAST}
        order by external_ref limit ${MOST_FOUND}`,
    ),
  ]
  if (invoiceId !== null) {
    parts.push(found('id', 0, sql`select id from invoice where id = ${invoiceId} and ${own}`))
  }
  if (reference !== null) {
    parts.push(
      found(
        'reference',
        2,
        sql`
          select id from (
            select id, merchant_id from invoice
            where reference between ${reference} and ${lastReference(reference)}
            order by reference limit ${REFERENCES_AT_MOST}
          ) as alike where ${own} limit ${MOST_FOUND}`,
      ),
    )
  }
  if (txHash !== null) {
    parts.push(
      found(
        'transaction',
        3,
        sql`
          select distinct invoice_id as id from payment
          where network_id = any(${[...networkIds]}::text[]) and tx_hash = ${txHash} and ${own}
          limit ${MOST_FOUND}`,
      ),
    )
  }
  if (address !== null) {
    parts.push(
      found(
        'deposit_address',
        4,
        sql`select invoice_id as id from watched where address = ${address} and kind = 'deposit' and ${own}`,
      ),
      found(
        'payer',
        5,
        sql`
          select distinct on (invoice_created_at, invoice_id) invoice_id as id from payment
          where ${own} and sender = ${address}
          order by invoice_created_at desc, invoice_id desc limit ${MOST_FOUND}`,
      ),
    )
  }
  const [first = sql``, ...others] = parts
  const all = others.reduce((joined, other) => sql`${joined} union all ${other}`, first)
  const rows = await sql<(FoundInvoice & { id: InvoiceId })[]>`
    select i.id, i.reference, i.external_ref, i.status, i.amount_expected, i.token_symbol, i.created_at,
      best.match
    from (
      select distinct on (id) id, match, rank from (${all}) as found order by id, rank
    ) as best
    cross join lateral (select * from invoice where id = best.id limit 1) i
    order by best.rank, i.created_at desc, i.id limit ${MOST_FOUND}`
  return rows
}
