import type { SystemHealth } from '../../store/books/health.ts'

/** What operators must know of payers who withdraw from x402's channels. */

/** What servers have signed for is claimed within minutes. */
const LATE_BEFORE_MS = 5 * 60_000

/** Warnings for one chain: what merchants must claim, and what is not claimed although it could be. */
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
          `${networkId}: payers withdraw from ${count} x402 channels, the first from ${at} on, and their merchants must claim what they have charged: see \`GET /v1/x402/channels?withdrawing=true\``,
        ]
      }
      if (soonestAt.getTime() - now.getTime() > LATE_BEFORE_MS) return []
      return [
        `${networkId}: payers withdraw from ${count} x402 channels, the first from ${at} on, and what is charged is not claimed yet: see \`bun run remit work list\``,
      ]
    })
}
