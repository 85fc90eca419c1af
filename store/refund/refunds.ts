import { parseAddress } from '../../core/chain/evm.ts'
import { tokenAt } from '../../core/chain/registry.ts'
import type { Config } from '../../core/config/processes.ts'
import type { ErrorCode, ErrorDetail } from '../../core/errors.ts'
import { asRefundId, type RefundId } from '../../core/ids.ts'
import type { InvoiceRows } from '../../core/invoice/present.ts'
import { WATCHED_RECIPIENT } from '../../core/invoice/recipient.ts'
import { type PlannedRefund, planRefund, type RefundRequest } from '../../core/invoice/refund.ts'
import type { Refund } from '../../core/invoice/state.ts'
import { parseAmount } from '../../core/money.ts'
import type { Database, Transaction } from '../database.ts'
import { advanceLocked } from '../invoice/advance.ts'
import { lockOwnInvoice, type OwnInvoice } from '../invoice/locking.ts'
import { insertRefundEvents } from './events.ts'

/** Asking for refunds. The invoice's lock lets one after the other look at what is there. */

export type RefundResult =
  | { readonly ok: true; readonly rows: InvoiceRows; readonly refund: Refund; isNew: boolean }
  | { readonly ok: false; readonly code: ErrorCode; readonly details: readonly ErrorDetail[] }

/**
 * Promises a refund: the row, whose money it is, the work item that carries it out and the event, in
 * one transaction. The same idempotencyKey with the same parameters answers with the first one.
 */
export async function createRefund(
  database: Database,
  config: Config,
  of: OwnInvoice & { readonly idempotencyKey: string },
  request: RefundRequest,
  now: Date,
): Promise<RefundResult> {
  return database.begin(async (sql): Promise<RefundResult> => {
    const locked = await lockOwnInvoice(sql, of)
    if (locked === null) return { ok: false, code: 'invoice_not_found', details: [] }
    const before = locked.refunds.find((r) => r.idempotencyKey === of.idempotencyKey)
    if (before) return repeated(locked, before, request, config)
    const { refundsAny } = locked.merchant
    const decision = planRefund({ ...locked, refundsAny, chains: config.chains }, request)
    if (!decision.ok) return decision
    const { refund: plan } = decision
    if (await isWatched(sql, plan.recipient)) {
      const detail = { path: 'address', message: WATCHED_RECIPIENT }
      return { ok: false, code: 'invalid_recipient', details: [detail] }
    }
    const id = await insertRefund(sql, of, plan)
    const rows = await advanceLocked(sql, config, locked.invoice, now)
    const [refund] = await insertRefundEvents(sql, 'refund.created', [id], config.registry)
    if (!refund) throw new Error('the refund was not stored')
    return { ok: true, rows, refund, isNew: true }
  })
}

function repeated(
  rows: InvoiceRows,
  refund: Refund,
  request: RefundRequest,
  { registry }: Config,
): RefundResult {
  const { decimals } = tokenAt(refund, registry) ?? {}
  const parsed = decimals === undefined ? null : parseAmount(request.amount, decimals)
  const isSame =
    parsed?.ok === true &&
    parsed.amount === refund.amount &&
    parseAddress(request.address) === refund.recipient &&
    request.paymentId === refund.paymentId
  if (isSame) return { ok: true, rows, refund, isNew: false }
  return { ok: false, code: 'idempotency_key_conflict', details: [] }
}

async function isWatched(sql: Transaction, address: string): Promise<boolean> {
  const rows = await sql`select 1 from watched where address = ${address}`
  return rows.length > 0
}

async function insertRefund(
  sql: Transaction,
  { invoiceId, idempotencyKey }: OwnInvoice & { readonly idempotencyKey: string },
  plan: PlannedRefund,
): Promise<RefundId> {
  const id = asRefundId(Bun.randomUUIDv7())
  await sql`
    insert into refund
      (id, invoice_id, idempotency_key, network_id, token, amount, recipient, payment_id)
    values (${id}, ${invoiceId}, ${idempotencyKey}, ${plan.networkId}, ${plan.token},
      ${plan.amount.toString()}, ${plan.recipient}, ${plan.paymentId})`
  const parts = plan.parts.map((part) => ({
    payment_id: part.paymentId,
    amount: part.amount.toString(),
  }))
  await sql`
    with parts as (
      select * from jsonb_to_recordset(${sql.json(parts)}) as r(payment_id uuid, amount numeric)
    ), promised as (
      update payment p set refunding = p.refunding + parts.amount
      from parts where p.id = parts.payment_id
    )
    insert into refund_part (refund_id, payment_id, amount)
    select ${id}, payment_id, amount from parts`
  await sql`
    insert into work_item (network_id, kind, dedupe_key, payload)
    values (${plan.networkId}, 'refund', ${`refund:${id}`}, ${sql.json({ refundId: id })})`
  return id
}
