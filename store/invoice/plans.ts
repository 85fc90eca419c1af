import type { InvoiceId } from '../../core/base/ids.ts'
import type { BaseUnits } from '../../core/base/money.ts'
import { newestConfirmed } from '../../core/chain/depth.ts'
import type { Address } from '../../core/chain/evm.ts'
import { tokenOn } from '../../core/chain/registry.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import type { Config } from '../../core/config/processes.ts'
import { retryPause } from '../../core/invoice/retries.ts'
import {
  type PlannedSweep,
  planSettlement,
  type SettlementContext,
  type SettlementPlan,
} from '../../core/invoice/settlement.ts'
import type { Invoice, InvoiceFigures, Settlement } from '../../core/invoice/state.ts'
import type { chainHeads } from '../chain/state.ts'
import type { Transaction } from '../database/database.ts'
import { ensureConfigured } from '../hub/registryEntries.ts'
import type { LockedInvoice } from './locking.ts'
import { insertSweeps, type NewSweep } from './sweeps.ts'

/** What is swept of invoices whose locks the caller holds: what that depends on, and how it is stored. */

/** What the database knows besides the invoice's own rows. */
export interface Surroundings extends Pick<SettlementContext, 'kept' | 'cleared' | 'now'> {
  readonly heads: Awaited<ReturnType<typeof chainHeads>>
}

/** Decides what is swept of an invoice with these figures. */
export async function planSweeps(
  sql: Transaction,
  config: Config,
  rows: LockedInvoice,
  figures: InvoiceFigures,
  surroundings: Surroundings,
): Promise<SettlementPlan> {
  const context = settlementContext(config, rows, surroundings)
  const plan = planSettlement({ ...rows.invoice, ...figures }, rows, context)
  const hasMissedIt = plan.state === 'no_recipient' && (await hasRecipientByNow(sql, rows.invoice))
  return hasMissedIt ? { ...plan, state: 'due' } : plan
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

/** The senders of money that counts. */
export function sendersOf({ payments }: LockedInvoice): Address[] {
  const counted = payments.filter(
    ({ kind, status }) => kind === 'counted' && status === 'confirmed',
  )
  return [...new Set(counted.map(({ sender }) => sender))]
}

/**
 * Whether the merchant's recipient was set since it was read, or is just being set. Setting it makes those invoices
 * due that wait for it; one that is about to begin to wait makes sure, by a lock of the merchant, that it comes
 * before or after. One that waits already is found by the change of the recipient.
 */
async function hasRecipientByNow(sql: Transaction, invoice: Invoice): Promise<boolean> {
  if (invoice.settlementState === 'no_recipient') return false
  const [row] = await sql<{ recipient: Address | null }[]>`
    select recipient from try_lock_merchant(${invoice.merchantId})`
  return row === undefined || row.recipient !== null
}

function deepestSettleable(chain: ActiveChain, head: bigint | undefined): bigint {
  return head === undefined ? -1n : newestConfirmed(head, chain.settlementConfirmations)
}

/** Stores the sweeps that are planned of invoices. Returns those of each. */
export async function storeSweeps(
  sql: Transaction,
  planned: readonly { readonly rows: LockedInvoice; readonly plan: SettlementPlan }[],
  now: Date,
): Promise<(invoiceId: InvoiceId) => readonly Settlement[]> {
  const wanted = planned.flatMap(({ rows, plan }) => {
    return plan.sweeps.map((sweep) => ({ rows, sweep, key: keyOf(rows, sweep) }))
  })
  // Entries are requested in one order everywhere, so that no two deadlock.
  const entries = new Map<string, Awaited<ReturnType<typeof entryFor>>>()
  for (const { rows, sweep, key } of wanted.toSorted((a, b) => a.key.localeCompare(b.key))) {
    if (!entries.has(key)) entries.set(key, await entryFor(sql, rows, sweep))
  }
  const sweeps = wanted.map(({ rows, sweep, key }): NewSweep => {
    const notBefore = new Date(now.getTime() + retryPause(rows.settlements, sweep))
    const entry = entries.get(key)
    if (entry === undefined) throw new Error('no entry was requested for a sweep')
    return { ...sweep, ...entry, invoiceId: rows.invoice.id, notBefore }
  })
  const stored = Map.groupBy(await insertSweeps(sql, sweeps), ({ invoiceId }) => invoiceId)
  return (invoiceId) => stored.get(invoiceId) ?? []
}

/** Names the entry that a sweep pays by. */
function keyOf(
  { invoice }: LockedInvoice,
  { networkId, registryVersion, recipient }: PlannedSweep,
) {
  return [invoice.merchantId, invoice.hub, networkId, registryVersion, recipient].join(' ')
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
