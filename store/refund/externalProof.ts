import type { InvoiceId } from '../../core/base/ids.ts'
import type { Hex } from '../../core/chain/evm.ts'
import type { Chain } from '../../core/chain/registry.ts'
import { type ExternalRefund, nextSearch } from '../../core/invoice/externalRefund.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { readInvoice } from '../invoice/locking.ts'
import { insertExternalRefundEvent } from './events.ts'

/** Verification of refunds that merchants report. */

/** Those that may be deep enough by now and are to be verified, the longest waiting first. */
export async function unprovenRefunds(
  sql: Queryable,
  networkId: string,
  upToBlock: bigint,
  without: readonly InvoiceId[],
  now: Date,
  limit: number,
): Promise<ExternalRefund[]> {
  return sql<ExternalRefund[]>`
    select * from external_refund
    where network_id = ${networkId} and status = 'mined' and look_at <= ${now}
      and block_number <= ${upToBlock} and invoice_id <> all(${[...without]}::uuid[])
    order by look_at limit ${limit}`
}

/** Whether its transfer may be one of the invoice's, regardless of its row. */
export async function mayBeRefund(sql: Queryable, refund: ExternalRefund): Promise<boolean> {
  const [row] = await sql<{ isAllowed: boolean }[]>`
    select may_be_external_refund(${refund.invoiceId}, ${refund.sender}, ${refund.recipient})
      as is_allowed`
  return row?.isAllowed === true
}

/** Reverts confirmed ones whose block was reorganised; they are searched for at once. */
export async function reopenDisplaced(
  sql: Queryable,
  networkId: string,
  now: Date,
): Promise<number> {
  const rows = await sql`
    update external_refund r set status = 'mined', confirmed_at = null, mined_at = ${now},
      look_at = ${now}
    from chain_block b
    where b.network_id = ${networkId} and r.network_id = ${networkId} and r.status = 'confirmed'
      and r.block_number = b.number and r.block_hash <> b.hash
    returning r.id`
  return rows.length
}

/** The node shows it in a block that is not deep enough yet, or not at all. */
export async function scheduleSearch(
  sql: Queryable,
  refund: ExternalRefund,
  at: { readonly blockNumber: bigint; readonly blockHash: Hex },
  now: Date,
): Promise<void> {
  await sql`
    update external_refund set block_number = ${at.blockNumber}, block_hash = ${at.blockHash},
      look_at = ${nextSearch(refund, now)}
    where id = ${refund.id} and status = 'mined'`
}

export type Proof =
  | { readonly status: 'confirmed'; readonly blockNumber: bigint; readonly blockHash: Hex }
  | { readonly status: 'failed'; readonly error: string }

/** Decides a doubtful refund and emits its event, in one transaction. False when another has done it. */
export async function endDoubt(
  database: Database,
  { id, invoiceId }: ExternalRefund,
  proof: Proof,
  now: Date,
  registry: readonly Chain[],
): Promise<boolean> {
  return database.begin(async (sql: Transaction) => {
    const [refund] =
      proof.status === 'confirmed'
        ? await sql<ExternalRefund[]>`
            update external_refund set status = 'confirmed', confirmed_at = ${now},
              block_number = ${proof.blockNumber}, block_hash = ${proof.blockHash},
              version = version + 1
            where id = ${id} and status = 'mined' returning *`
        : await sql<ExternalRefund[]>`
            update external_refund set status = 'failed', error = ${proof.error},
              version = version + 1
            where id = ${id} and status = 'mined' returning *`
    if (!refund) return false
    const type = proof.status === 'confirmed' ? 'refund.completed' : 'refund.failed'
    const invoice = await readInvoice(sql, invoiceId)
    await insertExternalRefundEvent(sql, type, invoice, refund, registry)
    return true
  })
}
