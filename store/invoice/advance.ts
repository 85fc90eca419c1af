import type { InvoiceId, PaymentId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import type { Config } from '../../core/config/processes.ts'
import type { InvoiceEventType } from '../../core/events/eventTypes.ts'
import { feeOfAccepted } from '../../core/invoice/acceptance.ts'
import { invoiceEvents, type PaymentChange, paymentEvents } from '../../core/invoice/events.ts'
import type { InvoiceRows } from '../../core/invoice/present.ts'
import { failures, hasRetry } from '../../core/invoice/retries.ts'
import { feeOfSettled, type SettlementPlan } from '../../core/invoice/settlement.ts'
import {
  deriveFees,
  deriveFigures,
  type Invoice,
  type InvoiceFigures,
  type Settlement,
} from '../../core/invoice/state.ts'
import { feeOfReceived } from '../../core/invoice/tolerance.ts'
import { chainHeads } from '../chain/state.ts'
import type { Transaction } from '../database/database.ts'
import { insertEvents } from '../events/outbox.ts'
import { keptEntries } from '../hub/registryEntries.ts'
import { clearedAmong } from '../screening/screenings.ts'
import { type TakenChanges, takeChanges } from './changes.ts'
import { eventsOf } from './events.ts'
import { saveFigures, savePaymentFees } from './figures.ts'
import { saveHeldParts } from './held.ts'
import { type LockedInvoice, lockInvoiceRows, readBelongings } from './locking.ts'
import { refreshOpenSweeps } from './openSweeps.ts'
import { planSweeps, type Surroundings, sendersOf, storeSweeps } from './plans.ts'
import { waitForPayers } from './screened.ts'
import { notifySessionStatuses } from './sessionNews.ts'

/** An invoice whose lock the caller holds, with what the caller has just stored about single payments of it. */
export interface Advancing {
  readonly invoice: Invoice
  readonly changes: readonly PaymentChange[]
}

/** Locks one invoice and recalculates it: see `advanceLocked`. Throws when there is none. */
export async function advanceInvoice(
  sql: Transaction,
  config: Config,
  invoiceId: InvoiceId,
  now: Date,
): Promise<InvoiceRows> {
  const [rows] = await advanceInvoices(sql, config, [invoiceId], now)
  if (!rows) throw new Error(`there is no invoice ${invoiceId}`)
  return rows
}

/** Locks invoices and recalculates them: see `advanceLocked`. Throws when one of them is not there. */
export async function advanceInvoices(
  sql: Transaction,
  config: Config,
  invoiceIds: readonly InvoiceId[],
  now: Date,
): Promise<InvoiceRows[]> {
  // Sent together: each of them is executed once the one before it is, and so all others under the locks.
  const [invoices, known] = await Promise.all([
    lockInvoiceRows(sql, invoiceIds),
    readAll(sql, invoiceIds),
  ])
  const advancing = invoices.map((invoice) => ({ invoice, changes: [] }))
  return advanceBy(sql, config, advancing, known, now)
}

/** What invoices are recalculated from, besides their own rows. */
async function readAll(sql: Transaction, invoiceIds: readonly InvoiceId[]) {
  const [taken, belongings, heads, kept] = await Promise.all([
    takeChanges(sql, invoiceIds),
    readBelongings(sql, invoiceIds),
    chainHeads(sql),
    keptEntries(sql, invoiceIds),
  ])
  return { taken, belongings, heads, kept }
}

/**
 * Recalculates invoices, whose locks the caller holds: the figures of each from all its payments and settlements,
 * and what is swept. Stores state, events and work together in the caller's transaction, and returns what is
 * stored then, in the order of what was given. Idempotent.
 */
export async function advanceLocked(
  sql: Transaction,
  config: Config,
  advancing: readonly Advancing[],
  now: Date,
): Promise<InvoiceRows[]> {
  const ids = advancing.map(({ invoice }) => invoice.id)
  return advanceBy(sql, config, advancing, await readAll(sql, ids), now)
}

async function advanceBy(
  sql: Transaction,
  config: Config,
  advancing: readonly Advancing[],
  { taken, belongings, heads, kept }: Awaited<ReturnType<typeof readAll>>,
  now: Date,
): Promise<InvoiceRows[]> {
  const read = advancing.map(({ invoice, changes }) => {
    const { payments, ...own } = taken(invoice.id)
    const rows = { invoice, ...belongings(invoice.id) }
    return { rows, changes: [...payments, ...changes], ...own }
  })
  const senders = read.flatMap(({ rows }) => sendersOf(rows))
  const cleared = config.isScreening ? await clearedAmong(sql, senders) : null
  const planned: Planned[] = []
  for (const one of read) {
    const surroundings = { heads, kept: kept(one.rows.invoice.id), cleared, now }
    planned.push(await planOne(sql, config, one, surroundings))
  }
  await waitForPayers(
    sql,
    new Map(planned.map(({ invoice, plan }) => [invoice.id, plan.uncleared])),
  )
  const sweeps = await storeSweeps(sql, planned, now)
  const derived = planned.map((one) => derive(one, sweeps(one.invoice.id)))
  await storeDerived(sql, config, derived, now)
  return derived.map(({ rows }) => rows)
}

/** What was read of an invoice, and what has happened to it. */
interface Read extends Pick<TakenChanges, 'isAcceptedPartly' | 'isVoided'> {
  readonly rows: LockedInvoice
  readonly changes: readonly PaymentChange[]
}

interface Planned extends Read {
  /** As it was before. */
  readonly invoice: Invoice
  readonly figures: InvoiceFigures
  readonly plan: SettlementPlan
}

async function planOne(
  sql: Transaction,
  config: Config,
  read: Read,
  surroundings: Surroundings,
): Promise<Planned> {
  const { invoice } = read.rows
  const accepted = read.isAcceptedPartly ? await reallotFee(sql, config, read.rows) : read.rows
  const { payments, settlements } = accepted
  const figures = deriveFigures(accepted.invoice, payments, settlements, surroundings.now)
  const rows = await allotFee(sql, accepted, feeNow(config, accepted, figures))
  const plan = await planSweeps(sql, config, rows, figures, surroundings)
  await refreshOpenSweeps(sql, rows)
  return { ...read, rows, invoice, figures, plan }
}

interface Derived {
  /** As it was before. */
  readonly invoice: Invoice
  /** As it is stored now. */
  readonly rows: InvoiceRows
  readonly events: readonly InvoiceEventType[]
  readonly fees: ReadonlyMap<PaymentId, BaseUnits>
  /** Whether anything is to be stored. */
  readonly isChanged: boolean
  /** Whether its checkout page has something to show. */
  readonly isSeen: boolean
}

function derive(
  { invoice, rows, figures, plan, changes, isVoided }: Planned,
  promised: readonly Settlement[],
): Derived {
  const { payments, settlements } = rows
  const events = [
    ...(isVoided ? (['invoice.voided'] as const) : []),
    ...paymentEvents(changes),
    ...invoiceEvents(invoice, figures),
    ...(hasRetry(settlements, promised) ? (['settlement.retrying'] as const) : []),
    ...(plan.state === 'failed' && invoice.settlementState !== 'failed'
      ? (['settlement.failed'] as const)
      : []),
  ]
  const fees = changedFees(rows)
  const isChanged = promised.length > 0 || events.length > 0 || differs(invoice, figures, plan)
  const isSeen = isChanged || changes.length > 0
  if (!isChanged && fees.size === 0) return { invoice, rows, events, fees, isChanged, isSeen }
  const advanced: Invoice = {
    ...{ ...rows.invoice, ...figures },
    settlementState: plan.state,
    settlementError: plan.state === 'failed' ? lastFailure(settlements) : null,
    version: invoice.version + Math.max(1, events.length),
  }
  const stored: InvoiceRows = {
    ...{ ...rows, invoice: advanced },
    payments: payments.map((p) => ({ ...p, fee: fees.get(p.id) ?? p.fee })),
    settlements: [...settlements, ...promised],
  }
  return { invoice, rows: stored, events, fees, isChanged: true, isSeen }
}

/** None of the statements waits for the answer to another one: they go to the database together, in this order. */
async function storeDerived(
  sql: Transaction,
  config: Config,
  derived: readonly Derived[],
  now: Date,
): Promise<void> {
  const changed = derived.filter(({ isChanged }) => isChanged)
  const events = changed.flatMap(({ rows, events }) => eventsOf(config, rows, events, now))
  await Promise.all([
    saveHeldParts(
      sql,
      derived.map(({ invoice, rows }) => ({ invoice, now: rows.invoice })),
    ),
    notifySessionStatuses(
      sql,
      derived.filter(({ isSeen }) => isSeen).map(({ rows }) => rows.invoice),
      now,
    ),
    savePaymentFees(sql, new Map(changed.flatMap(({ fees }) => [...fees]))),
    saveFigures(
      sql,
      changed.map(({ rows }) => rows.invoice),
    ),
    insertEvents(sql, events),
  ])
}

/** What the invoice costs with these figures, in base units. */
function feeNow(
  config: Config,
  { invoice, settlements }: LockedInvoice,
  figures: InvoiceFigures,
): BaseUnits {
  if (figures.status === 'completed') return feeOfSettled(invoice, settlements)
  return feeOfReceived({ ...invoice, ...figures }, settlements, config.fees[invoice.tokenSymbol])
}

/** What was accepted for enough costs the fee of so much. */
async function reallotFee(
  sql: Transaction,
  config: Config,
  locked: LockedInvoice,
): Promise<LockedInvoice> {
  const { invoice, settlements } = locked
  const fee = feeOfAccepted(invoice, settlements, config.fees[invoice.tokenSymbol])
  return allotFee(sql, locked, fee)
}

async function allotFee(
  sql: Transaction,
  locked: LockedInvoice,
  platformFee: BaseUnits,
): Promise<LockedInvoice> {
  const { invoice } = locked
  if (platformFee === invoice.platformFee) return locked
  await sql`update invoice set platform_fee = ${platformFee.toString()} where id = ${invoice.id}`
  return { ...locked, invoice: { ...invoice, platformFee } }
}

function changedFees({ invoice, payments }: LockedInvoice): Map<PaymentId, BaseUnits> {
  const fees = deriveFees(invoice, payments)
  const changed = new Map<PaymentId, BaseUnits>()
  for (const payment of payments) {
    const fee = fees.get(payment.id)
    if (fee !== undefined && fee !== payment.fee) changed.set(payment.id, fee)
  }
  return changed
}

function differs(before: Invoice, after: InvoiceFigures, plan: SettlementPlan): boolean {
  return (
    before.status !== after.status ||
    before.targetNetwork !== after.targetNetwork ||
    before.pendingAmount !== after.pendingAmount ||
    before.receivedAmount !== after.receivedAmount ||
    before.lateAmount !== after.lateAmount ||
    before.refundedAmount !== after.refundedAmount ||
    before.returnedAmount !== after.returnedAmount ||
    before.amountRemitted !== after.amountRemitted ||
    before.completedAmount !== after.completedAmount ||
    before.settlementState !== plan.state
  )
}

function lastFailure(settlements: readonly Settlement[]): string | null {
  return failures(settlements).at(-1)?.error ?? null
}
