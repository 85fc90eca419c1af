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
import { insertEvents } from '../events/outbox.ts'
import { ensureConfigured, keptEntries } from '../hub/registryEntries.ts'
import { clearedAmong } from '../screening/screenings.ts'
import { takeChanges } from './changes.ts'
import { saveFigures, savePaymentFees } from './figures.ts'
import { saveHeldParts } from './held.ts'
import { type LockedInvoice, lockInvoiceRow, readBelongings } from './locking.ts'
import { refreshOpenSweeps } from './openSweeps.ts'
import { waitForPayers } from './screened.ts'
import { notifySessionStatus } from './sessionNews.ts'
import { insertSweep } from './sweeps.ts'

/** The newest rows of each sort that an event shows; the API lists all of them. */
const EVENT_ROWS_MAX = 100

/** Locks one invoice and recalculates it: see `advanceLocked`. Throws when there is none. */
export async function advanceInvoice(
  sql: Transaction,
  config: Config,
  invoiceId: InvoiceId,
  now: Date,
  changes: readonly PaymentChange[] = [],
): Promise<InvoiceRows> {
  // Sent together: each of them is executed once the one before it is, and so all others under the lock.
  const [invoice, known] = await Promise.all([
    lockInvoiceRow(sql, invoiceId),
    readAll(sql, invoiceId),
  ])
  if (!invoice) throw new Error(`there is no invoice ${invoiceId}`)
  return advanceBy(sql, config, invoice, known, now, changes)
}

/** What an invoice is recalculated from, besides its own row. */
async function readAll(sql: Transaction, invoiceId: InvoiceId) {
  const [taken, belongings, heads, kept] = await Promise.all([
    takeChanges(sql, invoiceId),
    readBelongings(sql, invoiceId),
    chainHeads(sql),
    keptEntries(sql, invoiceId),
  ])
  return { taken, belongings, heads, kept }
}

/**
 * Recalculates an invoice, whose lock the caller holds: its figures from all its payments and settlements, and
 * what is swept. Stores state, events and work together in the caller's transaction, and returns what is stored
 * then. Idempotent. `changes` are what the caller has just stored about single payments.
 */
export async function advanceLocked(
  sql: Transaction,
  config: Config,
  invoice: Invoice,
  now: Date,
  changes: readonly PaymentChange[] = [],
): Promise<InvoiceRows> {
  return advanceBy(sql, config, invoice, await readAll(sql, invoice.id), now, changes)
}

async function advanceBy(
  sql: Transaction,
  config: Config,
  invoice: Invoice,
  { taken, belongings, heads, kept }: Awaited<ReturnType<typeof readAll>>,
  now: Date,
  changes: readonly PaymentChange[],
): Promise<InvoiceRows> {
  const read = { invoice, ...belongings }
  const accepted = taken.isAcceptedPartly ? await reallotFee(sql, config, read) : read
  const { payments, settlements } = accepted
  const figures = deriveFigures(accepted.invoice, payments, settlements, now)
  const locked = await allotFee(sql, accepted, feeNow(config, accepted, figures))
  const advanced: Invoice = { ...locked.invoice, ...figures }
  const cleared = config.isScreening ? await clearedAmong(sql, sendersOf(locked)) : null
  const context = settlementContext(config, locked, { heads, kept, cleared, now })
  const planned = planSettlement(advanced, locked, context)
  const hasMissedIt = planned.state === 'no_recipient' && (await hasRecipientByNow(sql, invoice))
  const plan: SettlementPlan = hasMissedIt ? { ...planned, state: 'due' } : planned
  await waitForPayers(sql, invoice.id, plan.uncleared)
  await refreshOpenSweeps(sql, locked)
  const promised = await storeSweeps(sql, locked, plan, now)
  const error = plan.state === 'failed' ? lastFailure(settlements) : null
  const events = [
    ...(taken.isVoided ? (['invoice.voided'] as const) : []),
    ...paymentEvents([...taken.payments, ...changes]),
    ...invoiceEvents(invoice, figures),
    ...(hasRetry(settlements, promised) ? (['settlement.retrying'] as const) : []),
    ...(plan.state === 'failed' && invoice.settlementState !== 'failed'
      ? (['settlement.failed'] as const)
      : []),
  ]
  const fees = changedFees(locked)
  const state = { status: figures.status, settlementState: plan.state }
  const isChanged = promised.length > 0 || events.length > 0 || differs(invoice, figures, plan)
  const isSeen = taken.payments.length + changes.length > 0
  // None of what follows waits for the answer to another one: they go to the database together, in this order.
  const saves = [saveHeldParts(sql, invoice.id, invoice, state)]
  if (isChanged || isSeen) saves.push(notifySessionStatus(sql, invoice.id, figures.status, now))
  if (!isChanged && fees.size === 0) {
    await Promise.all(saves)
    return locked
  }
  const steps = Math.max(1, events.length)
  const stored: InvoiceRows = {
    ...locked,
    invoice: { ...advanced, settlementState: plan.state, settlementError: error },
    payments: payments.map((p) => ({ ...p, fee: fees.get(p.id) ?? p.fee })),
    settlements: [...settlements, ...promised],
  }
  saves.push(
    savePaymentFees(sql, fees),
    saveFigures(sql, invoice, figures, plan.state, error, steps),
    storeEvents(sql, config, stored, events, now),
  )
  await Promise.all(saves)
  return { ...stored, invoice: { ...stored.invoice, version: invoice.version + steps } }
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

/** Writes events about one invoice, each with a version of its own. */
export async function storeEvents(
  sql: Transaction,
  config: Config,
  rows: InvoiceRows,
  events: readonly InvoiceEventType[],
  now: Date,
): Promise<void> {
  if (events.length === 0) return
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
  const written = events.map((type, index) => {
    const version = rows.invoice.version + index + 1
    return {
      merchantId,
      type,
      objectId,
      version,
      data: { ...data, environment: config.environment, version },
    }
  })
  await insertEvents(sql, written)
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

async function storeSweeps(
  sql: Transaction,
  locked: LockedInvoice,
  plan: SettlementPlan,
  now: Date,
): Promise<Settlement[]> {
  const { invoice, settlements } = locked
  const stored: Settlement[] = []
  for (const sweep of plan.sweeps) {
    const { waitsFor, ...pays } = await entryFor(sql, locked, sweep)
    const notBefore = new Date(now.getTime() + retryPause(settlements, sweep))
    stored.push(await insertSweep(sql, invoice.id, { ...sweep, ...pays }, waitsFor, notBefore))
  }
  return stored
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
