import type { Address } from '../chain/evm.ts'
import { min } from '../integers.ts'
import { atLeastZero, type BaseUnits, baseUnits, sum } from '../money.ts'
import {
  amountDue,
  type Invoice,
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
  /** The invoice's token on each chain. */
  readonly tokens: ReadonlyMap<string, Address>
  /** The least that is worth a sweep, per chain, in base units. */
  readonly minSweep: ReadonlyMap<string, BaseUnits>
  readonly now: Date
  /** The newest block of each chain that has the chain's settlement confirmations. */
  readonly settleableBlock: ReadonlyMap<string, bigint>
}

export type PlannedSweep = Pick<
  Settlement,
  'networkId' | 'token' | 'round' | 'amount' | 'fee' | 'recipient' | 'registryVersion'
>

export interface SettlementPlan {
  readonly sweeps: readonly PlannedSweep[]
  readonly state: SettlementState
}

/** Rounds on one chain that may fail before each further one waits for a pause. */
export const MAX_FAILED_ROUNDS = 3
/** The first pause, in ms: what stood in the way may pass. Each further failure doubles it. */
export const FIRST_PAUSE_MS = 3_600_000
export const LONGEST_PAUSE_MS = 24 * FIRST_PAUSE_MS

/**
 * Decides which sweeps of a paid invoice start now. A sweep moves exactly what is confirmed, on time
 * and not reserved by another sweep or a refund. The fee is charged once, on the chain with the most
 * money first, and only by the sweep that deploys that chain's deposit contract.
 */
export function planSettlement(
  invoice: Invoice,
  payments: readonly Payment[],
  settlements: readonly Settlement[],
  context: SettlementContext,
): SettlementPlan {
  if (invoice.status !== 'paid' && invoice.status !== 'completed')
    return { sweeps: [], state: 'none' }
  const balances = openBalances(payments, settlements, context)
  if (balances.every((b) => b.unswept === 0n)) return { sweeps: [], state: 'none' }
  const { recipient } = context
  if (recipient === null) return { sweeps: [], state: 'no_recipient' }

  const sweeps: PlannedSweep[] = []
  // A sweep that a reorganisation revived may stand beside its replacement, both with the fee.
  let feeLeft = atLeastZero(invoice.platformFee - sum(standing(settlements).map((s) => s.fee)))
  let state: SettlementState = 'none'
  const isPaidForGood = sum(balances.map((b) => b.deep)) >= amountDue(invoice)
  for (const balance of balances) {
    const fee = balance.deployed ? baseUnits(0n) : min(feeLeft, balance.unswept)
    feeLeft = baseUnits(feeLeft - fee)
    const verdict = readiness(balance, fee, isPaidForGood)
    if (verdict === 'ready') {
      sweeps.push({
        networkId: balance.networkId,
        token: balance.token,
        round: balance.nextRound,
        amount: balance.settleable,
        fee,
        recipient,
        registryVersion: context.registryVersion,
      })
    } else state = worse(state, verdict)
  }
  return { sweeps, state }
}

interface OpenBalance {
  readonly networkId: string
  readonly token: Address
  readonly received: BaseUnits
  readonly unswept: BaseUnits
  readonly settleable: BaseUnits
  /** What has the settlement confirmations and is not refunded; swept or not. */
  readonly deep: BaseUnits
  readonly minSweep: BaseUnits
  readonly deployed: boolean
  readonly inFlight: boolean
  readonly isPausing: boolean
  readonly nextRound: number
}

function openBalances(
  payments: readonly Payment[],
  settlements: readonly Settlement[],
  context: SettlementContext,
): OpenBalance[] {
  const balances: OpenBalance[] = []
  for (const [networkId, token] of context.tokens) {
    const counted = payments.filter((p) => p.networkId === networkId && p.kind === 'counted')
    const mine = counted.filter((p) => p.status === 'confirmed')
    const sweeps = settlements.filter((s) => s.networkId === networkId && s.token === token)
    const received = sum(mine.map((p) => p.amount))
    if (received === 0n) continue
    const back = returned(counted)
    const promised = sum(standing(sweeps).map((s) => s.amount)) + back
    const deepest = context.settleableBlock.get(networkId) ?? -1n
    const deep = sum(mine.filter((p) => p.blockNumber <= deepest).map((p) => p.amount))
    balances.push({
      networkId,
      token,
      received,
      unswept: atLeastZero(received - promised),
      settleable: atLeastZero(deep - promised),
      deep: atLeastZero(deep - back),
      minSweep: context.minSweep.get(networkId) ?? baseUnits(0n),
      deployed: standing(sweeps).length > 0,
      inFlight: sweeps.some((s) => s.status === 'open' || s.status === 'mined'),
      isPausing: isPausing(sweeps, context),
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
  // The invoice is looked at again when the sweep in flight ends.
  if (balance.inFlight) return 'none'
  if (balance.isPausing) return 'failed'
  if (balance.unswept < balance.minSweep) return 'below_gas_threshold'
  if (balance.settleable === balance.unswept) return 'ready'
  // Dust that keeps arriving must not hold back money that is deep enough and pays invoice and fee.
  const { settleable, minSweep } = balance
  const isEnough = settleable > 0n && settleable >= minSweep && settleable >= fee
  return isPaidForGood && isEnough ? 'ready' : 'due'
}

/** Sweeps that moved money or still may. */
export function standing(settlements: readonly Settlement[]): readonly Settlement[] {
  return settlements.filter((s) => s.status !== 'failed')
}

/** A failing settlement is tried again after a change of the recipient, or after a pause. */
function isPausing(sweeps: readonly Settlement[], context: SettlementContext): boolean {
  const failed = sweeps.filter(
    (s) =>
      s.status === 'failed' &&
      s.recipient === context.recipient &&
      s.registryVersion === context.registryVersion,
  )
  if (failed.length < MAX_FAILED_ROUNDS) return false
  const last = Math.max(...failed.map((s) => s.createdAt.getTime()))
  return context.now.getTime() < last + pauseAfter(failed.length)
}

/** The pause after so many failed rounds, in ms. */
function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - MAX_FAILED_ROUNDS), LONGEST_PAUSE_MS)
}

function mostMoneyFirst(a: OpenBalance, b: OpenBalance): number {
  if (a.received !== b.received) return a.received > b.received ? -1 : 1
  return a.networkId < b.networkId ? -1 : 1
}

const SEVERITY: readonly SettlementState[] = [
  'none',
  'below_gas_threshold',
  'due',
  'no_recipient',
  'failed',
]

function worse(a: SettlementState, b: SettlementState): SettlementState {
  return SEVERITY.indexOf(a) >= SEVERITY.indexOf(b) ? a : b
}
