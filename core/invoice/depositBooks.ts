import { atLeastZero, type BaseUnits, baseUnits } from '../base/money.ts'
import type { Address } from '../chain/evm.ts'
import type { Payment, Refund, Settlement } from './state.ts'

/**
 * What the ledger knows of an invoice's deposit on one chain: what lies in it, whether its contract is
 * there, and what may still be charged on it.
 */

/** Everything that moved money into an invoice's deposits or out of them, or is to do so. */
export interface DepositRows {
  readonly payments: readonly Payment[]
  readonly settlements: readonly Settlement[]
  readonly refunds: readonly Refund[]
}

/** Money of one token on one chain. Base units. */
interface Share {
  readonly networkId: string
  readonly token: Address
  readonly amount: BaseUnits
}

/**
 * What a sweep has to leave behind: all that the ledger knows to be in the deposit in its token, but for what
 * the sweep takes itself.
 *
 * Nothing smaller will do. What is late or promised to a refund, or what another round is to take, is not this
 * sweep's; and a sweep that is sent a second time, because a lost commit made the ledger forget the first,
 * would live on just that money. With all of it named, the second one leaves less, and the hub refuses it. So
 * what is pending counts as well: it lies there, counted or not.
 *
 * Nothing larger will do either, or no sweep would pass: what sweeps and refunds have taken by the ledger is
 * left out, as soon as they are mined. One that is mined later makes the hub refuse the sweep, which is then
 * planned again.
 */
export function leaveOf(rows: DepositRows, sweep: Share): BaseUnits {
  let held = -sweep.amount as bigint
  for (const row of of(rows.payments, sweep)) if (row.status !== 'reverted') held += row.amount
  for (const row of of(rows.settlements, sweep)) if (hasMoved(row)) held += row.feeOwed - row.amount
  for (const row of of(rows.refunds, sweep)) if (hasMoved(row)) held -= row.amount
  return atLeastZero(held)
}

export interface KnownDeposit {
  readonly isDeployed: boolean
  /** What may still be charged on it; null when that is up to the sweep that deploys it. */
  readonly chargeable: BaseUnits | null
}

const NOT_DEPLOYED: KnownDeposit = { isDeployed: false, chargeable: null }

/**
 * Whether the contract of a deposit is there, by the newest that is known. The ledger's own sweeps and refunds
 * put it there. Another sender may have, by an order of ours or for a ledger that was lost: then a sweep of
 * ours has ended without moving anything, and what the chain showed at that time is with it.
 */
export function knownDeposit(rows: DepositRows, networkId: string): KnownDeposit {
  const sweeps = rows.settlements.filter((row) => row.networkId === networkId)
  const refunds = rows.refunds.filter((row) => row.networkId === networkId)
  const swept = sweeps.filter(hasMoved)
  const refunded = refunds.filter(hasMoved).toSorted(firstMinedFirst)
  const [first] = [...swept, ...refunded].toSorted(firstMinedFirst)
  const found = newestFound(sweeps)
  if (found !== null && (first === undefined || found.block >= blockOf(first))) {
    if (!found.isDeployed) return NOT_DEPLOYED
    return { isDeployed: true, chargeable: swept.length > 0 ? baseUnits(0n) : found.feeLeft }
  }
  if (first === undefined) return NOT_DEPLOYED
  // Of several refunds the first one has deployed it, and its order has what is left to charge.
  const [deploying] = refunded
  const left = swept.length > 0 ? null : (deploying?.feeLeft ?? null)
  return { isDeployed: true, chargeable: left ?? baseUnits(0n) }
}

/** What a confirmed block showed of a deposit. */
export interface FoundDeposit {
  readonly block: bigint
  readonly isDeployed: boolean
  /** What could still be charged on it. */
  readonly feeLeft: BaseUnits
}

function newestFound(sweeps: readonly Settlement[]): FoundDeposit | null {
  let newest: FoundDeposit | null = null
  for (const { foundBlock, foundDeployed, foundFeeLeft } of sweeps) {
    if (foundBlock === null || foundDeployed === null || foundFeeLeft === null) continue
    if (newest !== null && newest.block >= foundBlock) continue
    newest = { block: foundBlock, isDeployed: foundDeployed, feeLeft: foundFeeLeft }
  }
  return newest
}

type Moving = Pick<Settlement, 'status' | 'blockNumber'>

function hasMoved({ status }: Moving): boolean {
  return status === 'mined' || status === 'confirmed'
}

function blockOf({ blockNumber }: Moving): bigint {
  return blockNumber ?? 0n
}

function firstMinedFirst(
  a: Moving & { readonly orderNumber?: bigint | null },
  b: Moving & { readonly orderNumber?: bigint | null },
): number {
  return Number(blockOf(a) - blockOf(b)) || Number((a.orderNumber ?? 0n) - (b.orderNumber ?? 0n))
}

function of<T extends Share>(rows: readonly T[], { networkId, token }: Share): T[] {
  return rows.filter((row) => row.networkId === networkId && row.token === token)
}
