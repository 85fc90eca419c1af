import { newestConfirmed } from '../../core/chain/depth.ts'
import type { Address } from '../../core/chain/evm.ts'
import { tokenOn } from '../../core/chain/registry.ts'
import type { ActiveChain, Config } from '../../core/config/processes.ts'
import type { InvoiceEventType } from '../../core/eventTypes.ts'
import type { InvoiceId, PaymentId } from '../../core/ids.ts'
import { invoiceEvents, type PaymentChange, paymentEvents } from '../../core/invoice/events.ts'
import { type InvoiceRows, presentInvoice } from '../../core/invoice/present.ts'
import {
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
import type { BaseUnits } from '../../core/money.ts'
import { chainHeads } from '../chain/state.ts'
import type { Transaction } from '../database.ts'
import { ensureConfigured } from '../relayer/registryEntries.ts'
import { insertEvents } from '../webhook/outbox.ts'
import { saveFigures, savePaymentFees } from './figures.ts'
import { type LockedInvoice, lockInvoiceRow, readLocked } from './locking.ts'
import { insertSweep } from './sweeps.ts'

/** How long a sweep waits after each failed round: 0 s, 15 s, 60 s. */
const RETRY_PAUSES_MS = [0, 15_000, 60_000]
/** The newest rows of each sort that an event shows; the API lists all of them. */
const EVENT_ROWS_MAX = 100

/** Locks one invoice and derives it anew: see `advanceLocked`. Throws when there is none. */
export async function advanceInvoice(
  sql: Transaction,
  config: Config,
  invoiceId: InvoiceId,
  now: Date,
  changes: readonly PaymentChange[] = [],
): Promise<InvoiceRows> {
  const invoice = await lockInvoiceRow(sql, invoiceId)
  if (!invoice) throw new Error(`there is no invoice ${invoiceId}`)
  return advanceLocked(sql, config, invoice, now, changes)
}

/**
 * Derives an invoice, whose lock the caller holds, anew: its figures from all its payments and
 * settlements, and what is swept. Stores state, events and work together in the caller's transaction,
 * and returns what is stored then. Calling it once too often changes nothing. `changes` are what the
 * caller has just stored about single payments.
 */
export async function advanceLocked(
  sql: Transaction,
  config: Config,
  invoice: Invoice,
  now: Date,
  changes: readonly PaymentChange[] = [],
): Promise<InvoiceRows> {
  const locked = await readLocked(sql, invoice)
  const { payments, settlements } = locked
  const figures = deriveFigures(invoice, payments, settlements, now)
  const advanced: Invoice = { ...invoice, ...figures }
  const context = await settlementContext(sql, config, locked, now)
  const plan = planSettlement(advanced, payments, settlements, context)
  const promised = await storeSweeps(sql, locked, plan, now)
  const error = plan.state === 'failed' ? lastFailure(settlements) : null
  const events = [
    ...paymentEvents(changes),
    ...invoiceEvents(invoice, figures),
    ...(plan.state === 'failed' && invoice.settlementState !== 'failed'
      ? (['settlement.failed'] as const)
      : []),
  ]
  const fees = changedFees(locked)
  const isChanged = promised.length > 0 || events.length > 0 || differs(invoice, figures, plan)
  if (!isChanged && fees.size === 0) return locked
  await savePaymentFees(sql, fees)
  const steps = Math.max(1, events.length)
  await saveFigures(sql, invoice, figures, plan.state, error, steps)
  const stored: InvoiceRows = {
    ...locked,
    invoice: { ...advanced, settlementState: plan.state, settlementError: error },
    payments: payments.map((p) => ({ ...p, fee: fees.get(p.id) ?? p.fee })),
    settlements: [...settlements, ...promised],
  }
  await storeEvents(sql, config, stored, events, now)
  return { ...stored, invoice: { ...stored.invoice, version: invoice.version + steps } }
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
  // Whoever sends dust by the thousand, or lets sweeps fail for years, must not make every event a
  // megabyte.
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

async function settlementContext(
  sql: Transaction,
  config: Config,
  locked: LockedInvoice,
  now: Date,
): Promise<SettlementContext> {
  const { invoice, merchant } = locked
  const heads = await chainHeads(sql)
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
  const usesRegistry = invoice.recipient === null
  return {
    recipient: invoice.recipient ?? merchant.recipient,
    registryVersion: usesRegistry ? merchant.configVersion : 0,
    tokens,
    minSweep,
    now,
    settleableBlock,
  }
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
  const { invoice, merchant, settlements } = locked
  const stored: Settlement[] = []
  for (const sweep of plan.sweeps) {
    const waitsFor =
      sweep.registryVersion === 0
        ? null
        : await ensureConfigured(
            sql,
            { networkId: sweep.networkId, hub: invoice.hub },
            invoice.merchantId,
            sweep.recipient,
            merchant,
          )
    const failures = settlements.filter(
      (s) => s.networkId === sweep.networkId && s.status === 'failed',
    ).length
    const pause = RETRY_PAUSES_MS[Math.min(failures, RETRY_PAUSES_MS.length - 1)] ?? 0
    const notBefore = new Date(now.getTime() + pause)
    stored.push(await insertSweep(sql, invoice.id, sweep, waitsFor, notBefore))
  }
  return stored
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
  return settlements.findLast((s) => s.status === 'failed')?.error ?? null
}
