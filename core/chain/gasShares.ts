import type { MerchantId } from '../base/ids.ts'

/** Whose the gas of a transaction was. */

export interface GasShare {
  /** Null for an empty transaction that replaces another one. */
  readonly merchantId: MerchantId | null
  readonly items: number
  /** In wei. */
  readonly wei: bigint
}

/**
 * Splits what a transaction cost over the items that it was made for, given by their merchants in the order of
 * their ids. Each bears the same; of what does not divide, the first ones bear a wei more. The shares of one
 * merchant are added up, and all of them are exactly the cost.
 */
export function splitGas(cost: bigint, items: readonly (MerchantId | null)[]): GasShare[] {
  if (items.length === 0) return [{ merchantId: null, items: 0, wei: cost }]
  const count = BigInt(items.length)
  const [each, left] = [cost / count, cost % count]
  const shares = new Map<MerchantId | null, GasShare>()
  for (const [place, merchantId] of items.entries()) {
    const before = shares.get(merchantId) ?? { merchantId, items: 0, wei: 0n }
    const wei = before.wei + each + (BigInt(place) < left ? 1n : 0n)
    shares.set(merchantId, { merchantId, items: before.items + 1, wei })
  }
  return [...shares.values()]
}

const HOUR_MS = 3_600_000

/** What a key has spent lately, in wei. */
export interface GasPace {
  readonly lastHours: bigint
  readonly lastDay: bigint
}

/** The hours of the shorter window; the longer one is a day. */
const SHORT_HOURS = 6
const DAY_HOURS = 24

/**
 * For how many hours a balance lasts at the present rate: that of the last six hours or of the last day,
 * whichever is higher, so that neither a quiet night nor the end of a rush makes it appear longer. Null while
 * nothing is spent.
 */
export function hoursLeft(balance: bigint, { lastHours, lastDay }: GasPace): number | null {
  const perDay = maxOf(lastHours * BigInt(DAY_HOURS / SHORT_HOURS), lastDay)
  if (perDay === 0n) return null
  // To the hundredth of an hour; a balance of many years is shown as it is.
  return Number((balance * BigInt(DAY_HOURS) * 100n) / perDay) / 100
}

/** The beginnings of both windows, as of a moment. */
export function paceSince(now: Date): { readonly hours: Date; readonly day: Date } {
  const back = (hours: number) => new Date(now.getTime() - hours * HOUR_MS)
  return { hours: back(SHORT_HOURS), day: back(DAY_HOURS) }
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
