import { type Refusal, refuse } from '../../core/base/errors.ts'
import { asRefundId, type MerchantId, type X402PaymentId } from '../../core/base/ids.ts'
import { parseAmount } from '../../core/base/money.ts'
import { parseAddress } from '../../core/chain/evm.ts'
import { tokenAt } from '../../core/chain/registry.ts'
import type { Config } from '../../core/config/processes.ts'
import type { Actor } from '../../core/events/audit.ts'
import { WATCHED_RECIPIENT } from '../../core/invoice/recipient.ts'
import {
  offerX402Refund,
  planX402Refund,
  type X402Refund,
  type X402RefundOffer,
  type X402RefundRequest,
  type X402RefundScene,
} from '../../core/refund/x402Refund.ts'
import type { X402Payment } from '../../core/x402/presentPayment.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { readPayment } from '../x402/payments.ts'
import { holdWhereNeeded } from './approvals.ts'
import { insertX402RefundEvent } from './events.ts'
import { isWatched } from './refunds.ts'

/**
 * Requests refunds of x402 payments. The lock of the merchant's payouts serialises reads of the forwarder's
 * balance, and prevents a payout of it meanwhile.
 */

/** Which payment of which merchant. */
export interface OwnPayment {
  readonly merchantId: MerchantId
  readonly paymentId: X402PaymentId
}

export type X402RefundResult =
  | { readonly ok: true; readonly refund: X402Refund; readonly isNew: boolean }
  | Refusal

/**
 * Promises a refund: the row, the work item that carries it out and the event, in one transaction. The same
 * idempotencyKey with the same parameters answers with the first one. One that needs approval waits for
 * the approval. Payouts of the merchant's forwarder in this token wait until it has ended.
 */
export async function createX402Refund(
  database: Database,
  config: Config,
  of: OwnPayment & { readonly idempotencyKey: string },
  request: X402RefundRequest,
  by: Actor | null = null,
  /** Part of the same transaction, where it needs approval. */
  whenHeld: (sql: Transaction) => Promise<void> = async () => {},
): Promise<X402RefundResult> {
  return database.begin(async (sql): Promise<X402RefundResult> => {
    const { merchantId, paymentId, idempotencyKey } = of
    await sql`select lock_payouts(${merchantId})`
    const scene = await readScene(sql, of, config)
    if (scene === null) return refuse('payment_not_found')
    const [before] = await sql<X402Refund[]>`
      select * from refund
      where x402_payment_id = ${paymentId} and idempotency_key = ${idempotencyKey}`
    if (before) return repeated(scene.payment, before, request, config)
    const decision = planX402Refund(scene, request)
    if (!decision.ok) return decision
    const { refund: plan } = decision
    if (await isWatched(sql, plan.recipient)) {
      return refuse('invalid_recipient', [{ path: 'address', message: WATCHED_RECIPIENT }])
    }
    const id = asRefundId(Bun.randomUUIDv7())
    await sql`
      select ask_for_x402_refund(${id}, ${merchantId}, ${paymentId}, ${idempotencyKey},
        ${plan.amount.toString()}, ${plan.recipient})`
    const asked = { ...plan, id, merchantId, by }
    if (await holdWhereNeeded(sql, config.registry, asked)) await whenHeld(sql)
    const [refund] = await sql<X402Refund[]>`select * from refund where id = ${id}`
    if (!refund) throw new Error('the refund was not stored')
    await insertX402RefundEvent(sql, 'refund.created', refund, config.registry)
    return { ok: true, refund, isNew: true }
  })
}

/** The payment, locked, with what decides on its refunds; null when it is not the merchant's. */
async function readScene(
  sql: Transaction,
  { merchantId, paymentId }: OwnPayment,
  config: Pick<Config, 'chains' | 'hub'>,
): Promise<X402RefundScene | null> {
  await sql`
    select from x402_payment where id = ${paymentId} and merchant_id = ${merchantId} for update`
  const payment = await readPayment(sql, paymentId)
  if (payment?.merchantId !== merchantId) return null
  const [scene] = await scenesOf(sql, [payment], config)
  return scene ?? null
}

/** What can go back of each of these payments now. */
export async function x402RefundOffers(
  sql: Queryable,
  payments: readonly X402Payment[],
  config: Pick<Config, 'chains' | 'hub'>,
): Promise<ReadonlyMap<X402PaymentId, X402RefundOffer>> {
  const scenes = await scenesOf(sql, payments, config)
  return new Map(scenes.map((scene) => [scene.payment.id, offerX402Refund(scene)]))
}

/** What was paid to a merchant's own address may be of one that has no forwarder. */
async function scenesOf(
  sql: Queryable,
  payments: readonly X402Payment[],
  { chains, hub }: Pick<Config, 'chains' | 'hub'>,
): Promise<X402RefundScene[]> {
  if (payments.length === 0) return []
  type Row = Omit<X402RefundScene, 'payment' | 'chains'> & { readonly id: X402PaymentId }
  const rows = await sql<Row[]>`
    select p.id, coalesce(f.hub, ${hub}) as hub, m.refunds_any, p.from_channels as is_from_channels,
      exists (
        select from x402_distribution d
        where d.merchant_id = p.merchant_id and d.network_id = p.network_id and d.token = p.asset
          and (d.block_number, d.log_index) > (p.block_number, p.log_index)) as is_paid_out,
      p.pay_to is distinct from f.address as is_elsewhere,
      exists (select from watched w where w.address = p.payer) as is_payer_watched
    from x402_payment p join merchant m on m.id = p.merchant_id
    left join forwarder f on f.merchant_id = p.merchant_id
    where p.id = any(${payments.map(({ id }) => id)}::uuid[])`
  const byId = new Map(rows.map(({ id, ...row }) => [id, row]))
  return payments.flatMap((payment) => {
    const row = byId.get(payment.id)
    return row === undefined ? [] : [{ ...row, payment, chains }]
  })
}

function repeated(
  payment: X402Payment,
  refund: X402Refund,
  request: X402RefundRequest,
  { registry }: Config,
): X402RefundResult {
  const { decimals } = tokenAt(refund, registry) ?? {}
  const parsed = decimals === undefined ? null : parseAmount(request.amount, decimals)
  const isSame: Readonly<Record<string, boolean>> = {
    amount: parsed?.ok === true && parsed.amount === refund.amount,
    address: parseAddress(request.address ?? payment.payer) === refund.recipient,
  }
  const different = Object.keys(isSame).filter((path) => !isSame[path])
  if (different.length === 0) return { ok: true, refund, isNew: false }
  const message = `differs from that of refund ${refund.id}, which has this idempotencyKey`
  return refuse(
    'idempotency_key_conflict',
    different.map((path) => ({ path, message })),
  )
}

/** The refunds of a payment, in the order in which they were requested. */
export async function x402RefundsOf(
  sql: Queryable,
  paymentId: X402PaymentId,
): Promise<X402Refund[]> {
  return sql<X402Refund[]>`
    select * from refund where x402_payment_id = ${paymentId} order by created_at, id`
}
