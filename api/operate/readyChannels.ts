import type { SystemHealth } from '../../store/books/health.ts'

/** Warnings about payers who withdraw from x402 channels. */

/** Signed amounts are claimed within minutes. */
const LATE_BEFORE_MS = 5 * 60_000

/** Warnings for one chain: amounts that merchants must claim, and claimable amounts that are not claimed. */
export function channelWarnings(
  { channelWithdrawals }: Pick<SystemHealth, 'channelWithdrawals'>,
  networkId: string,
  now: Date,
): string[] {
  return channelWithdrawals
    .filter((one) => one.networkId === networkId)
    .flatMap(({ claimedBy, count, soonestAt }) => {
      const at = soonestAt.toISOString()
      if (claimedBy === 'merchant') {
        return [
          `${networkId}: payers are withdrawing from ${count} x402 channels, the first at ${at}, and their merchants must claim the charged amounts: see \`GET /v1/x402/channels?withdrawing=true\``,
        ]
      }
      if (soonestAt.getTime() - now.getTime() > LATE_BEFORE_MS) return []
      return [
        `${networkId}: payers are withdrawing from ${count} x402 channels, the first at ${at}, and the charged amounts are not claimed yet: see \`bun run remit work list\``,
      ]
    })
}
