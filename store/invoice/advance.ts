import type { InvoiceId, PaymentId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import { newestConfirmed } from '../../core/chain/depth.ts'
import type { Address } from '../../core/chain/evm.ts'
import { tokenOn } from '../../core/chain/registry.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import type { Config } from '../../core/config/processes.ts'
import type { InvoiceEventType } from '../../core/events/eventTypes.ts'
import { feeOfAccepted } from '../../core/invoice/acceptance.ts'
import { invoiceEvents, type PaymentChange, paymentEvents } from '../../core/invoice/events.ts'
import { type InvoiceRows, presentInvoice } from '../../core/invoice/present.ts'
import { failures, hasRetry, retryPause } from '../../core/invoice/retries.ts'
import {
  feeOfSettled,
  type PlannedSweep,
  planSettlement,
  type SettlementContext,
  type SettlementPlan,
} from '../../core/invoice/settlement.ts'
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
import { insertEvents, type NewEvent } from '../events/outbox.ts'
import { ensureConfigured, keptEntries } from '../hub/registryEntries.ts'
import { clearedAmong } from '../screening/screenings.ts'
import { type TakenChanges, takeChanges } from './changes.ts'
import { saveFigures, savePaymentFees } from './figures.ts'
import { saveHeldParts } from './held.ts'
import { type LockedInvoice, lockInvoiceRows, readBelongings } from './locking.ts'
import { refreshOpenSweeps } from './openSweeps.ts'
import { waitForPayers } from './screened.ts'
import { notifySessionStatuses } from './sessionNews.ts'
import { insertSweeps, type NewSweep } from './sweeps.ts'

/** The newest rows of each sort that an event shows; the API lists all of them. */
const EVENT_ROWS_MAX = 100

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
  const sweeps = await storeSweeps(sql, planned, now)
  const derived = planned.map((one) => derive(one, sweeps(one)))
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
  const advanced: Invoice = { ...rows.invoice, ...figures }
  const planned = planSettlement(advanced, rows, settlementContext(config, rows, surroundings))
  const hasMissedIt = planned.state === 'no_recipient' && (await hasRecipientByNow(sql, invoice))
  const plan: SettlementPlan = hasMissedIt ? { ...planned, state: 'due' } : planned
  await waitForPayers(sql, invoice.id, plan.uncleared)
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
  /** Whether anything but fees is to be stored. */
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

/** Events about one invoice, each with a version of its own: the last has the one that the invoice has now. */
export function eventsOf(
  config: Config,
  rows: InvoiceRows,
  types: readonly InvoiceEventType[],
  now: Date,
): NewEvent[] {
  if (types.length === 0) return []
  const invoice = presentInvoice(rows, config.registry, now)
  // Thousands of dust payments or failed sweeps must not make every event a megabyte.
  const data = {
    ...invoice,
    transactionCount: invoice.transactions.length,
    transactions: invoice.transactions.slice(-EVENT_ROWS_MAX),
    settlements: invoice.settlements.slice(-EVENT_ROWS_MAX),
    refunds: invoice.refunds.slice(-EVENT_ROWS_MAX),
    otherDeposits: invoice.otherDeposits.slice(-EVENT_ROWS_MAX),
  }
  const { id: objectId, merchantId } = rows.invoice
  const before = rows.invoice.version - types.length
  return types.map((type, index) => {
    const version = before + index + 1
    return {
      ...{ merchantId, type, objectId, version },
      data: { ...data, environment: config.environment, version },
    }
  })
}

/** What the database knows besides the invoice's own rows. */
interface Surroundings extends Pick<SettlementContext, 'kept' | 'cleared' | 'now'> {
  readonly heads: Awaited<ReturnType<typeof chainHeads>>
}

function settlementContext(
  config: Config,
  { invoice, merchant }: LockedInvoice,
  { heads, ...read }: Surroundings,
): SettlementContext {
  const tokens = new Map<string, Address>()
  const minSweep = new Map<string, BaseUnits>()
  const settleableBlock = new Map<string, bigint>()
  for (const chain of config.chains) {
    const token = tokenOn(chain, invoice.tokenSymbol)
    if (!token || !invoice.chains.includes(chain.networkId)) continue
    tokens.set(chain.networkId, token.address)
    minSweep.set(chain.networkId, chain.minSweep[invoice.tokenSymbol])
    settleableBlock.set(chain.networkId, deepestSettleable(chain, heads.get(chain.networkId)))
  }
  return {
    recipient: invoice.recipient ?? merchant.recipient,
    registryVersion: invoice.recipient === null ? merchant.configVersion : 0,
    ...read,
    tokens,
    minSweep,
    settleableBlock,
  }
}

function sendersOf({ payments }: LockedInvoice): Address[] {
  const counted = payments.filter(
    ({ kind, status }) => kind === 'counted' && status === 'confirmed',
  )
  return [...new Set(counted.map(({ sender }) => sender))]
}

/**
 * Whether the merchant's recipient was set since it was read. Setting it makes those invoices due that wait for
 * it; one that is about to begin to wait makes sure, by a lock of the merchant, that it comes before or after.
 * One that waits already is found by the change of the recipient.
 */
async function hasRecipientByNow(sql: Transaction, invoice: Invoice): Promise<boolean> {
  if (invoice.settlementState === 'no_recipient') return false
  const [row] = await sql<{ recipient: Address | null }[]>`
    select recipient from lock_merchant(${invoice.merchantId})`
  return row?.recipient != null
}

function deepestSettleable(chain: ActiveChain, head: bigint | undefined): bigint {
  return head === undefined ? -1n : newestConfirmed(head, chain.settlementConfirmations)
}

/** Stores the sweeps of all these invoices. Returns those of each. */
async function storeSweeps(
  sql: Transaction,
  planned: readonly Planned[],
  now: Date,
): Promise<(one: Planned) => readonly Settlement[]> {
  const sweeps: NewSweep[] = []
  const entries = new Map<string, ReturnType<typeof entryFor>>()
  for (const { rows, plan } of planned) {
    const { id: invoiceId, merchantId, hub } = rows.invoice
    for (const sweep of plan.sweeps) {
      const { networkId, registryVersion, recipient } = sweep
      const key = [merchantId, hub, networkId, registryVersion, recipient].join(' ')
      const entry = entries.get(key) ?? entryFor(sql, rows, sweep)
      entries.set(key, entry)
      const notBefore = new Date(now.getTime() + retryPause(rows.settlements, sweep))
      sweeps.push({ ...sweep, ...(await entry), invoiceId, notBefore })
    }
  }
  const stored = Map.groupBy(await insertSweeps(sql, sweeps), ({ invoiceId }) => invoiceId)
  return ({ invoice }) => stored.get(invoice.id) ?? []
}

/** Whom a sweep pays by which entry, and the work that it waits for until that is active. */
async function entryFor(
  sql: Transaction,
  { invoice, merchant }: LockedInvoice,
  { networkId, registryVersion, recipient }: PlannedSweep,
) {
  if (registryVersion === 0) return { recipient, registryVersion, waitsFor: null }
  const registry = { networkId, hub: invoice.hub }
  // Also where the newest entry was vetoed.
  const wanted = merchant.recipient ?? recipient
  const entry = await ensureConfigured(sql, registry, invoice.merchantId, wanted, merchant)
  const { treasury, version, waitsFor } = entry
  return { recipient: treasury, registryVersion: version, waitsFor }
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
