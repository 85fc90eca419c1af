import { formatAmount } from '../../core/base/money.ts'
import { type Chain, tokenAt } from '../../core/chain/registry.ts'
import type { RefundTerms } from '../../core/invoice/refundLimit.ts'
import type { OrderRow } from '../../store/refund/orders.ts'

/** Why a refund waits, for operators. With a digest, the owner has to approve it. */
export function waitText(
  chain: Chain,
  { refundId, token, amount }: Pick<OrderRow, 'refundId' | 'token' | 'amount'>,
  { limit, room }: RefundTerms,
  digest: string | null,
): string {
  const known = tokenAt({ networkId: chain.networkId, token }, [chain])
  const text = (value: bigint | null) => {
    if (value === null) return 'any amount'
    return known ? `${formatAmount(value, known.decimals)} ${known.symbol}` : `${value} base units`
  }
  const what = `refund ${refundId} of ${text(amount)}`
  const most = `the hub refunds ${text(limit)} within 24 hours`
  return digest === null
    ? `${what} waits for room: ${most}, and ${text(room)} of that are left, orders on their way not counted`
    : `${what} waits for the owner's approval, because ${most}: \`bun run remit hub approve ${digest}\``
}
