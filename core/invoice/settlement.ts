import { min } from '../base/integers.ts'
import { atLeastZero, type BaseUnits, baseUnits, sum } from '../base/money.ts'
import type { Address } from '../chain/evm.ts'
import type { Entry } from '../hub/registryEntry.ts'
import { amountEnough } from './amounts.ts'
import { type DepositRows, type KnownDeposit, knownDeposit, leaveOf } from './depositBooks.ts'
import { isPausing } from './retries.ts'
import {
  type Invoice,
  keptOf,
  type Payment,
  returned,
  type Settlement,
  type SettlementState,
} from './state.ts'

/** What must be known, besides the invoice's own rows, to decide what is swept now. */
export interface SettlementContext {
  /** The invoice's own recipient or the merchant's; null when neither is set. */
  readonly recipient: Address | null
  /** The merchant's registry version; 0 when the invoice names its own recipient. */
  readonly registryVersion: number
  /** The entries that pay instead, by chain, where the merchant's newest one was vetoed. */
  readonly kept: ReadonlyMap<string, Entry>
  /** The invoice's token on each chain. */
  readonly tokens: ReadonlyMap<string, Address>
  /** The least that is worth a sweep, per chain, in base units. */
  readonly minSweep: ReadonlyMap<string, BaseUnits>
  readonly now: Date
  /** The senders whose money may be sent on; null without screening. */
  readonly cleared: ReadonlySet<Address> | null
  /** The newest block of each chain that has the chain's settlement confirmations. */
  readonly settleableBlock: ReadonlyMap<string, bigint>
}

export type PlannedSweep = Pick<
  Settlement,
  | 'networkId'
  | 'token'
  | 'round'
  | 'amount'
  | 'fee'
  | 'recipient'
  | 'registryVersion'
  | 'leave'
  | 'deploys'
>

export interface SettlementPlan {
  readonly sweeps: readonly PlannedSweep[]
  /** Senders of money that waits until they are cleared. */
  readonly uncleared: readonly Address[]
  readonly state: SettlementState
}

/**
 * Decides which sweeps of a paid invoice start now. A sweep moves exactly what is confirmed, on time
 * and not reserved by another sweep or a refund. The fee is charged once, on the chain with the most
 * money first: by the sweep that deploys that chain's deposit contract, or out of what a refund that
 * deployed it has left.
 */
export function planSettlement(
  invoice: Invoice,
  rows: DepositRows,
  context: SettlementContext,
): SettlementPlan {
  const { settlements } = rows
  const nothing = { sweeps: [], uncleared: [] }
  if (invoice.status !== 'paid' && invoice.status !== 'completed')
    return { ...nothing, state: 'none' }
  const balances = openBalances(rows, context)
  if (balances.every((b) => b.unswept === 0n)) return { ...nothing, state: 'none' }
  if (context.recipient === null) return { ...nothing, state: 'no_recipient' }

  const sweeps: PlannedSweep[] = []
  // After a reorganisation a sweep may be active beside its replacement, both with the fee.
  let feeLeft = atLeastZero(
    invoice.platformFee - sum(activeSettlements(settlements).map((s) => s.fee)),
  )
  let state: SettlementState = 'none'
  const isPaidForGood = sum(balances.map((b) => b.deep)) >= amountEnough(invoice)
  for (const balance of balances) {
    const { chargeable, isDeployed } = balance.deposit
    const most = min(feeLeft, balance.unswept)
    const fee = chargeable === null ? most : min(most, chargeable)
    feeLeft = baseUnits(feeLeft - fee)
    const verdict = readiness(balance, fee, isPaidForGood)
    const { treasury, version } = entryOn(balance.networkId, context.recipient, context)
    if (verdict === 'ready') {
      sweeps.push({
        networkId: balance.networkId,
        token: balance.token,
        round: balance.nextRound,
        amount: balance.settleable,
        fee,
        recipient: treasury,
        registryVersion: version,
        leave: leaveOf(rows, { ...balance, amount: balance.settleable }),
        deploys: !isDeployed,
      })
    } else state = worse(state, verdict)
  }
  const open = balances.filter(({ unswept }) => unswept > 0n)
  const uncleared = new Set(open.flatMap((balance) => balance.uncleared.map((p) => p.sender)))
  return { sweeps, state, uncleared: [...uncleared] }
}

/** Whom the hub of a chain pays, and the version of its entry. */
function entryOn(
  networkId: string,
  treasury: Address,
  { kept, registryVersion: version }: SettlementContext,
): Entry {
  return kept.get(networkId) ?? { treasury, version }
}

interface OpenBalance {
  readonly networkId: string
  readonly token: Address
  readonly received: BaseUnits
  readonly unswept: BaseUnits
  readonly settleable: BaseUnits
  /** What has the settlement confirmations and is not refunded; swept or not. */
  readonly deep: BaseUnits
  /** What came from senders that are not cleared. */
  readonly uncleared: readonly Payment[]
  readonly minSweep: BaseUnits
  readonly deposit: KnownDeposit
  readonly inFlight: boolean
  readonly isPausing: boolean
  readonly nextRound: number
}

function openBalances(rows: DepositRows, context: SettlementContext): OpenBalance[] {
  const { payments, settlements } = rows
  const balances: OpenBalance[] = []
  for (const [networkId, token] of context.tokens) {
    const counted = payments.filter((p) => p.networkId === networkId && p.kind === 'counted')
    const mine = counted.filter((p) => p.status === 'confirmed')
    const sweeps = settlements.filter((s) => s.networkId === networkId && s.token === token)
    const received = sum(mine.map((p) => p.amount))
    if (received === 0n) continue
    const back = returned(counted)
    const promised = sum(activeSettlements(sweeps).map((s) => s.amount)) + back
    const deepest = context.settleableBlock.get(networkId) ?? -1n
    const isDeep = (p: Payment) => p.blockNumber <= deepest
    const deep = sum(mine.filter(isDeep).map((p) => p.amount))
    const uncleared = unclearedOf(mine, context)
    const held = sum(uncleared.filter(isDeep).map(keptOf))
    balances.push({
      networkId,
      token,
      received,
      unswept: atLeastZero(received - promised),
      settleable: atLeastZero(deep - promised - held),
      deep: atLeastZero(deep - back - held),
      uncleared,
      minSweep: context.minSweep.get(networkId) ?? baseUnits(0n),
      deposit: knownDeposit(rows, networkId),
      inFlight: sweeps.some((s) => s.status === 'open' || s.status === 'mined'),
      isPausing:
        context.recipient !== null &&
        isPausing(sweeps, entryOn(networkId, context.recipient, context), context.now),
      nextRound: Math.max(0, ...sweeps.map((s) => s.round)) + 1,
    })
  }
  return balances.sort(mostMoneyFirst)
}

function readiness(
  balance: OpenBalance,
  fee: BaseUnits,
  isPaidForGood: boolean,
): SettlementState | 'ready' {
  if (balance.unswept === 0n) return 'none'
  // The invoice is derived again when the sweep in flight ends.
  if (balance.inFlight) return 'none'
  if (balance.isPausing) return 'failed'
  if (balance.unswept < balance.minSweep) return 'below_gas_threshold'
  if (balance.settleable === balance.unswept) return 'ready'
  // Dust that keeps being received must not hold back money that is deep enough and pays invoice and fee.
  const { settleable, minSweep } = balance
  const isEnough = settleable > 0n && settleable >= minSweep && settleable >= fee
  if (isPaidForGood && isEnough) return 'ready'
  // What waits for a deeper block as well is derived again at that block.
  const waits = balance.unswept - settleable
  return waits > 0n && waits <= sum(balance.uncleared.map(keptOf)) ? 'screening' : 'due'
}

/** Payments of which nothing is sent on yet. */
function unclearedOf(
  payments: readonly Payment[],
  { cleared }: SettlementContext,
): readonly Payment[] {
  if (cleared === null) return []
  return payments.filter((p) => !cleared.has(p.sender) && keptOf(p) > 0n)
}

/**
 * What an invoice costs once it is settled: what its sweeps have charged. That is less than was agreed
 * where a deposit let no more be charged, and the rest is not charged later.
 */
export function feeOfSettled(invoice: Invoice, settlements: readonly Settlement[]): BaseUnits {
  return min(invoice.platformFee, sum(activeSettlements(settlements).map(({ fee }) => fee)))
}

/** Sweeps that moved money or still may. */
export function activeSettlements(settlements: readonly Settlement[]): readonly Settlement[] {
  return settlements.filter((s) => s.status !== 'failed')
}

function mostMoneyFirst(a: OpenBalance, b: OpenBalance): number {
  if (a.received !== b.received) return a.received > b.received ? -1 : 1
  return a.networkId < b.networkId ? -1 : 1
}

const SEVERITY: readonly SettlementState[] = [
  'none',
  'below_gas_threshold',
  'due',
  'screening',
  'no_recipient',
  'failed',
]

function worse(a: SettlementState, b: SettlementState): SettlementState {
  return SEVERITY.indexOf(a) >= SEVERITY.indexOf(b) ? a : b
}
