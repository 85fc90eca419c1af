import type { InvoiceId, X402PaymentId } from '../../core/base/ids.ts'
import { lowestKept } from '../chain/state.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { notifySessions } from '../invoice/sessionNews.ts'
import type { MinedIn } from '../relayer/transactions.ts'
import { notifyDecided } from './outcomes.ts'
import type { MinedPayment, PaidAt } from './settles.ts'

/**
 * How authorizations that pay invoices advance. None of it changes an invoice's figures: those follow from the
 * transfer, which the ledger counts as any other payment.
 */

/** The key of the work that carries an authorization `a` out. */
function workOf(sql: Queryable) {
  return sql`invoice_authorization_work(a.id)`
}

/** pending to settled, by their own transfers. */
export async function authorizationsMined(
  sql: Transaction,
  payments: readonly MinedPayment[],
  at: MinedIn,
): Promise<void> {
  if (payments.length === 0) return
  const rows = await sql<Changed[]>`
    update invoice_authorization a set status = 'settled', reason = null, by_others = false,
      tx_hash = ${at.txHash}, log_index = g.log_index, block_number = ${at.block},
      block_hash = ${at.blockHash}, settled_at = now(), version = a.version + 1
    from unnest(
      ${payments.map(({ paymentId }) => paymentId)}::uuid[],
      ${payments.map(({ logIndex }) => logIndex)}::integer[]
    ) as g (id, log_index)
    where a.id = g.id and a.status <> 'settled'
    returning a.id, a.invoice_id`
  await notifyOf(sql, rows)
}

/** Settled ones with the chain's confirmations: their amounts are gone from every balance that is read. */
export async function authorizationsConfirmed(
  sql: Transaction,
  ids: readonly X402PaymentId[],
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update invoice_authorization set confirmed_at = now()
    where id = any(${[...ids]}::uuid[]) and status = 'settled' and confirmed_at is null`
}

/** Back to pending: a reorganisation reverted the transfer. The same bytes are on their way again. */
export async function authorizationsReopened(
  sql: Transaction,
  ids: readonly X402PaymentId[],
): Promise<void> {
  if (ids.length === 0) return
  const rows = await sql<Changed[]>`
    update invoice_authorization a set status = 'pending', ${unplaced(sql)}
    where a.id = any(${[...ids]}::uuid[]) and a.status = 'settled' and not a.by_others
    returning a.id, a.invoice_id`
  await notifyOf(sql, rows)
}

/** pending to failed, with the work. Returns those that changed. */
export async function authorizationsFailed(
  sql: Transaction,
  failures: readonly { readonly paymentId: X402PaymentId; readonly reason: string }[],
): Promise<X402PaymentId[]> {
  if (failures.length === 0) return []
  const rows = await sql<Changed[]>`
    with failed as (
      update invoice_authorization a set status = 'failed', reason = g.reason, version = a.version + 1
      from unnest(
        ${failures.map((f) => f.paymentId)}::uuid[], ${failures.map((f) => f.reason)}::text[]
      ) as g (id, reason)
      where a.id = g.id and a.status = 'pending'
      returning a.id, a.invoice_id, g.reason
    ), ended as (
      update work_item w set state = 'failed', result = jsonb_build_object('error', a.reason),
        updated_at = now()
      from failed a where w.dedupe_key = ${workOf(sql)}
    )
    select id, invoice_id from failed`
  await notifyOf(sql, rows)
  const ids = rows.map(({ id }) => id)
  await notifyDecided(sql, ids)
  return ids
}

/** Settles one by a transfer that no transaction of ours made. False when it is settled already. */
export async function authorizationByEvidence(
  sql: Transaction,
  id: X402PaymentId,
  at: PaidAt,
): Promise<boolean> {
  const rows = await sql<Changed[]>`
    with settled as (
      update invoice_authorization a set status = 'settled', reason = null, by_others = true,
        tx_hash = ${at.txHash}, log_index = ${at.logIndex}, block_number = ${at.block},
        block_hash = ${at.blockHash}, settled_at = now(), version = a.version + 1
      where a.id = ${id} and a.status <> 'settled'
      returning a.id, a.invoice_id
    ), ended as (
      update work_item w set state = 'settled', log_index = ${at.logIndex}, tx_id = null,
        result = jsonb_build_object('txHash', ${at.txHash}::text), updated_at = now()
      from settled a where w.dedupe_key = ${workOf(sql)}
    )
    select id, invoice_id from settled`
  await notifyOf(sql, rows)
  await notifyDecided(
    sql,
    rows.map((row) => row.id),
  )
  return rows.length > 0
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
  const displaced = await sql<Changed[]>`
    with displaced as (
      update invoice_authorization a set status = 'pending', ${unplaced(sql)} from chain_block b
      where ${ofBlock} and b.hash <> a.block_hash
      returning a.id, a.invoice_id
    ), queued as (
      update work_item w set state = 'queued', tx_id = null, log_index = null, result = null, tries = 0,
        not_before = now(), updated_at = now()
      from displaced a where w.dedupe_key = ${workOf(sql)}
    )
    select id, invoice_id from displaced`
  await notifyOf(sql, displaced)
  const { count } = await sql`
    update invoice_authorization a set confirmed_at = now() from chain_block b
    where ${ofBlock} and b.hash = a.block_hash and a.confirmed_at is null
      and a.block_number <= ${confirmedBlock}`
  return displaced.length + count
}

interface Changed {
  readonly id: X402PaymentId
  readonly invoiceId: InvoiceId
}

/** Without its place on the chain. */
function unplaced(sql: Queryable) {
  return sql`tx_hash = null, log_index = null, block_number = null, block_hash = null, by_others = false,
    settled_at = null, confirmed_at = null, version = a.version + 1`
}

function notifyOf(sql: Transaction, rows: readonly Changed[]): Promise<void> {
  return notifySessions(sql, [...new Set(rows.map(({ invoiceId }) => invoiceId))])
}
