import type { InvoiceId, X402PaymentId } from '../../core/base/ids.ts'
import { lowestKept } from '../chain/state.ts'
import type { Transaction } from '../database/database.ts'
import { notifySessions } from '../invoice/sessionNews.ts'
import { advance, idsOf, invoicesOf, type Ledger, REQUESTS } from '../relayer/transition.ts'
import { notifyDecided } from './outcomes.ts'
import type { PaidAt } from './settles.ts'

/**
 * How authorizations that pay invoices advance. None of it changes an invoice's figures: those follow from the
 * transfer, which the ledger counts as any other payment.
 */

/** The work of authorizations. */
export const AUTHORIZATIONS: Ledger = {
  table: 'invoice_authorization',
  words: REQUESTS,
  isOfInvoice: true,
  // Its invoice would be locked after it, and who withdraws it locks the invoice first.
  leavesFigures: true,
  hasOthers: true,
  also: {
    mined: (sql) => sql`, log_index = given.log_index, version = r.version + 1,
      by_others = coalesce((given.details->>'byOthers')::boolean, false)`,
    reopened: (sql) => sql`, log_index = null, by_others = false, version = r.version + 1`,
    failed: (sql) => sql`, version = r.version + 1`,
  },
  async derive(sql, step, changed) {
    if (step !== 'confirmed') await notifySessions(sql, invoicesOf(changed))
    if (step === 'failed') await notifyDecided(sql, idsOf(changed))
  },
}

/** Settles one by a transfer that no transaction of ours made. False when it is settled already. */
export async function authorizationByEvidence(
  sql: Transaction,
  id: X402PaymentId,
  at: PaidAt,
): Promise<boolean> {
  const given = { id, logIndex: at.logIndex, details: { byOthers: true } }
  const settled = await advance(sql, AUTHORIZATIONS, 'mined', [given], at)
  if (settled.length === 0) return false
  await sql`
    update work_item set state = 'settled', log_index = ${at.logIndex}, tx_id = null,
      result = jsonb_build_object('txHash', ${at.txHash}::text), updated_at = now()
    where subject_id = ${id}`
  await notifyDecided(sql, [id])
  return true
}

/**
 * What the chain shows of those that another sender carried out: confirmed at a stored block of their own, and back to
 * work when that block was replaced. Returns how many changed.
 */
export async function followCarriedByOthers(
  sql: Transaction,
  networkId: string,
  confirmedBlock: bigint,
): Promise<number> {
  const ofBlock = sql`a.network_id = ${networkId} and a.status = 'settled' and a.by_others
    and a.block_number >= ${lowestKept(sql, networkId)}
    and b.network_id = a.network_id and b.number = a.block_number`
  const displaced = await sql<{ invoiceId: InvoiceId }[]>`
    with displaced as (
      update invoice_authorization a set status = 'pending', tx_hash = null, log_index = null,
        block_number = null, block_hash = null, by_others = false, settled_at = null,
        confirmed_at = null, version = a.version + 1
      from chain_block b
      where ${ofBlock} and b.hash <> a.block_hash
      returning a.id, a.invoice_id
    ), queued as (
      update work_item w set state = 'queued', tx_id = null, log_index = null, result = null, tries = 0,
        not_before = now(), updated_at = now()
      from displaced a where w.subject_id = a.id
    )
    select invoice_id from displaced`
  await notifySessions(sql, [...new Set(displaced.map(({ invoiceId }) => invoiceId))])
  const { count } = await sql`
    update invoice_authorization a set confirmed_at = now() from chain_block b
    where ${ofBlock} and b.hash = a.block_hash and a.confirmed_at is null
      and a.block_number <= ${confirmedBlock}`
  return displaced.length + count
}
