import { type Refusal, refuse } from '../../core/base/errors.ts'
import { asRefundId, type RefundId } from '../../core/base/ids.ts'
import { parseAmount } from '../../core/base/money.ts'
import { parseAddress } from '../../core/chain/evm.ts'
import { tokenAt } from '../../core/chain/registry.ts'
import type { Config } from '../../core/config/processes.ts'
import type { Actor } from '../../core/events/audit.ts'
import { WATCHED_RECIPIENT } from '../../core/invoice/recipient.ts'
import type { Invoice, Refund } from '../../core/invoice/state.ts'
import { type PlannedRefund, planRefund, type RefundRequest } from '../../core/refund/refund.ts'
import type { Database, Transaction } from '../database/database.ts'
import { lockOwnInvoice, type OwnInvoice } from '../invoice/locking.ts'
import { notifySessions } from '../invoice/sessionNews.ts'
import { holdWhereNeeded } from './approvals.ts'
import { insertRefundEvent } from './events.ts'

/**
 * Requesting refunds. The invoice's lock serialises them, so that each sees what is there; what follows for
 * the invoice's figures, a worker derives.
 */

export type RefundResult =
  | { readonly ok: true; readonly invoice: Invoice; readonly refund: Refund; isNew: boolean }
  | Refusal

/**
 * Promises a refund: the row, whose money it is, the work item that carries it out and the event, in one
 * transaction. The same idempotencyKey with the same parameters answers with the first one. One that needs
 * approval waits for it.
 */
export async function createRefund(
  database: Database,
  config: Config,
  of: OwnInvoice & { readonly idempotencyKey: string },
  request: RefundRequest,
  by: Actor | null = null,
  /** Part of the same transaction, where it needs approval. */
  whenHeld: (sql: Transaction) => Promise<void> = async () => {},
): Promise<RefundResult> {
  return database.begin(async (sql): Promise<RefundResult> => {
    const locked = await lockOwnInvoice(sql, of)
    if (locked === null) return refuse('invoice_not_found')
    const before = locked.refunds.find((r) => r.idempotencyKey === of.idempotencyKey)
    if (before) return repeated(locked.invoice, before, request, config)
    const { refundsAny } = locked.merchant
    const isByMember = by?.type === 'person'
    const scene = { ...locked, refundsAny, isByMember, chains: config.chains, now: new Date() }
    const decision = planRefund(scene, request)
    if (!decision.ok) return decision
    const { refund: plan } = decision
    if (await isWatched(sql, plan.recipient)) {
      const detail = { path: 'address', message: WATCHED_RECIPIENT }
      return refuse('invalid_recipient', [detail])
    }
    const id = await requestRefund(sql, of, plan)
    const asked = { ...plan, id, merchantId: of.merchantId, by }
    if (await holdWhereNeeded(sql, config.registry, asked)) await whenHeld(sql)
    await notifySessions(sql, [of.invoiceId])
    const [refund] = await sql<Refund[]>`select * from refund where id = ${id}`
    if (!refund) throw new Error('the refund was not stored')
    await insertRefundEvent(sql, 'refund.created', locked.invoice, refund, config.registry)
    return { ok: true, invoice: locked.invoice, refund, isNew: true }
  })
}

function repeated(
  invoice: Invoice,
  refund: Refund,
  request: RefundRequest,
  { registry }: Config,
): RefundResult {
  const { decimals } = tokenAt(refund, registry) ?? {}
  const parsed = decimals === undefined ? null : parseAmount(request.amount, decimals)
  const isSame: Readonly<Record<string, boolean>> = {
    amount: parsed?.ok === true && parsed.amount === refund.amount,
    address: parseAddress(request.address) === refund.recipient,
    transactionId: request.paymentId === refund.paymentId,
  }
  const different = Object.keys(isSame).filter((path) => !isSame[path])
  if (different.length === 0) return { ok: true, invoice, refund, isNew: false }
  const message = `differs from that of refund ${refund.id}, which has this idempotencyKey`
  return refuse(
    'idempotency_key_conflict',
    different.map((path) => ({ path, message })),
  )
}

/** Whether it is an address on which the service receives payments. */
export async function isWatched(sql: Transaction, address: string): Promise<boolean> {
  const rows = await sql`select 1 from watched where address = ${address}`
  return rows.length > 0
}

async function requestRefund(
  sql: Transaction,
  { invoiceId, idempotencyKey }: OwnInvoice & { readonly idempotencyKey: string },
  plan: PlannedRefund,
): Promise<RefundId> {
  const id = asRefundId(Bun.randomUUIDv7())
  const parts = plan.parts.map((part) => ({
    payment_id: part.paymentId,
    amount: part.amount.toString(),
  }))
  await sql`
    select ask_for_refund(${id}, ${invoiceId}, ${idempotencyKey}, ${plan.networkId}, ${plan.token},
      ${plan.amount.toString()}, ${plan.recipient}, ${plan.paymentId}, ${sql.json(parts)})`
  return id
}
