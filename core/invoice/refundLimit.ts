import type { RefundId } from '../base/ids.ts'
import type { BaseUnits } from '../base/money.ts'

/** Which refunds the hub has room for, and why the others wait. */

/**
 * `refund_limit`: the hub refunds so much of a token within 24 hours, and that is used up. `owner_approval`:
 * it is more than the hub refunds in 24 hours at all. `stopped`: guardian or owner have stopped refunds.
 */
export const REFUND_WAITS = ['refund_limit', 'owner_approval', 'stopped'] as const
export type RefundWait = (typeof REFUND_WAITS)[number]

/** Why a refund waits, as a sentence for merchants. */
export const REFUND_WAITS_ABOUT: Readonly<Record<RefundWait, string>> = {
  refund_limit:
    'What goes back of a token within 24 hours is limited, and that is used up: it is sent when there is room.',
  owner_approval: 'It is more than goes back within 24 hours without the approval of the operator.',
  stopped: 'Refunds are stopped for now; it continues when they are resumed.',
}

/** The hub's limits of a token after one block. Amounts in base units. */
export interface RefundTerms {
  /** What may be refunded within any 24 hours; null without a limit. */
  readonly limit: BaseUnits | null
  /** What is left of it now; null without a limit. */
  readonly room: BaseUnits | null
}

/** The hub's state of a refund's order after the newest block, before the order is signed. */
export interface OrderView {
  /** The block of which this is so. */
  readonly block: bigint
  readonly terms: RefundTerms
  /** Whether the owner has approved the order that it was offered. */
  readonly isApproved: boolean
  /** Numbers that the order may get, or has got, and whether the hub has spent them. */
  readonly spent: ReadonlyMap<bigint, boolean>
}

export interface RefundCandidate {
  readonly refundId: RefundId
  readonly amount: BaseUnits
  /** Whether the owner has approved just this order. */
  readonly isApproved: boolean
}

/** How long a refund waits for room before younger ones have to wait for it, in ms. */
export const FIRST_IN_TURN_AFTER_MS = 24 * 3_600_000

/**
 * For each refund of one token, what it waits for when the hub has no room; null for those that can be sent.
 * `promised` is what orders on their way will take of the room that the hub still shows. Smaller refunds pass
 * larger ones, so that one merchant's large one holds up no other; but not for longer than a day: `firstInTurn`
 * is the oldest that has waited for so long, and younger ones wait for it.
 */
export function waitsOf(
  candidates: readonly RefundCandidate[],
  { limit, room }: RefundTerms,
  promised: BaseUnits,
  firstInTurn: RefundId | null,
): ReadonlyMap<RefundId, RefundWait | null> {
  const waits = new Map<RefundId, RefundWait | null>()
  let left = (room ?? 0n) - promised
  // Ids grow with time.
  for (const candidate of candidates.toSorted((a, b) => (a.refundId < b.refundId ? -1 : 1))) {
    const wait = limit === null ? null : waitOf(candidate, { limit, left, firstInTurn })
    waits.set(candidate.refundId, wait)
    // The hub books an approved one as well, where it finds room for it.
    const isBooked = wait === null && candidate.amount <= left
    if (isBooked) left -= candidate.amount
  }
  return waits
}

function waitOf(
  { refundId, amount, isApproved }: RefundCandidate,
  now: { readonly limit: bigint; readonly left: bigint; readonly firstInTurn: RefundId | null },
): RefundWait | null {
  if (isApproved) return null
  if (amount > now.limit) return 'owner_approval'
  if (amount > now.left) return 'refund_limit'
  const isPassing = now.firstInTurn !== null && refundId > now.firstInTurn
  return isPassing ? 'refund_limit' : null
}

/** For how long the owner may approve an order, and it may be carried out then, in seconds of chain time. */
export const OFFER_LIFETIME_S = 7n * 86_400n
/** An offer with less time left is replaced by a new one, in seconds. */
export const OFFER_RENEWED_S = 86_400n
