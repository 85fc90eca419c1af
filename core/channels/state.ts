/** What a channel's booked events come to. */

export interface BookedChannelEvent {
  readonly name: string
  /** In base units. */
  readonly amount: bigint
  /** The new balance, or the new total of claims. */
  readonly total: bigint | null
  /** Unix time from which a withdrawal can be ended. */
  readonly withdrawAt: bigint | null
}

/** Amounts in base units. */
export interface BookedChannel {
  readonly balance: bigint
  readonly totalClaimed: bigint
  /** What the payer has begun to withdraw, and from when on it can. */
  readonly withdrawal: { readonly amount: bigint; readonly at: Date } | null
}

type Withdrawal = BookedChannel['withdrawal']

/** An unused channel. */
export const UNUSED_CHANNEL: BookedChannel = { balance: 0n, totalClaimed: 0n, withdrawal: null }

/**
 * The state after a channel's events, in the chain's order: all of them, or of deposits and claims the newest
 * alone. `base` is the state on chain before the first of them.
 */
export function channelAfter(
  events: readonly BookedChannelEvent[],
  base: BookedChannel = UNUSED_CHANNEL,
): BookedChannel {
  let { balance, totalClaimed, withdrawal } = base
  for (const event of events) {
    const { name, amount, total } = event
    if (name === 'Deposited') balance = total ?? balance + amount
    if (name === 'Claimed') totalClaimed = total ?? totalClaimed + amount
    if (name === 'Refunded' || name === 'WithdrawFinalized') balance -= amount
    withdrawal = withdrawalAfter(withdrawal, event)
  }
  return { balance: balance > 0n ? balance : 0n, totalClaimed, withdrawal }
}

/** A refund takes as much off a withdrawal that was begun. */
function withdrawalAfter(
  withdrawal: Withdrawal,
  { name, amount, withdrawAt }: BookedChannelEvent,
): Withdrawal {
  switch (name) {
    case 'WithdrawInitiated':
      return { amount, at: new Date(Number(withdrawAt ?? 0n) * 1000) }
    case 'WithdrawFinalized':
      return null
    case 'Refunded':
      if (withdrawal === null || withdrawal.amount <= amount) return null
      return { ...withdrawal, amount: withdrawal.amount - amount }
    default:
      return withdrawal
  }
}
