import type { HubToken } from './state.ts'

/** From this share of a limit on, operators hear of it: in percent. */
const NEAR_PERCENT = 80n

/** Whether more than four fifths of what may be refunded within 24 hours is used. Never without a limit. */
export function isNearLimit({ refundLimit, refundRoom }: HubToken): boolean {
  if (refundLimit === null || refundRoom === null || refundLimit === 0n) return false
  const used = refundLimit - refundRoom
  return used * 100n > refundLimit * NEAR_PERCENT
}
