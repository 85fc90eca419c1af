import { type Chain, tokenAt } from '../../core/chain/registry.ts'
import type { Books } from '../../store/books/money.ts'
import { secondsOf } from '../process/figures.ts'
import type { Gauges } from '../process/gauges.ts'

/** Money by chain, token and kind, in whole tokens. Never by merchant. */

/** What movements of a type are called here, and whether they leave where payments wait. */
const KINDS: Readonly<Record<string, { readonly kind: string; readonly isOut: boolean }>> = {
  payment: { kind: 'counted', isOut: false },
  late_payment: { kind: 'late', isOut: false },
  other_deposit: { kind: 'other', isOut: false },
  settlement: { kind: 'settled', isOut: true },
  refund: { kind: 'refunded', isOut: true },
  x402_payment: { kind: 'x402_settled', isOut: false },
  x402_direct: { kind: 'x402_direct', isOut: false },
  x402_refund: { kind: 'x402_refunded', isOut: true },
  x402_payout: { kind: 'x402_paid_out', isOut: true },
}

/** Which movements wait together: those of deposits and those of forwarders. */
const isX402 = (type: string) => type.startsWith('x402')

export function moneyFigures(
  gauges: Gauges,
  chains: readonly Chain[],
): (books: Pick<Books, 'money' | 'reconciliations'>) => void {
  const money = gauges.add(
    'remit_money_tokens',
    'Confirmed money in whole tokens since the beginning, by what became of it; held is what is left.',
    ['chain', 'token', 'kind'],
  )
  const differences = gauges.add(
    'remit_reconcile_differences',
    'Differences between ledger and chain that the last `remit reconcile` has found.',
    ['chain'],
  )
  const checked = gauges.add('remit_reconcile_timestamp_seconds', 'When that was.', ['chain'])
  return ({ money: totals, reconciliations }) => {
    for (const { networkId, differences: found, checkedAt } of reconciliations) {
      differences(found, { chain: networkId })
      checked(secondsOf(checkedAt), { chain: networkId })
    }
    const ofToken = Map.groupBy(totals, ({ networkId, token }) => `${networkId} ${token}`)
    for (const rows of ofToken.values()) {
      const [first] = rows
      const known = first && tokenAt(first, chains)
      // Without known decimals an amount can't be given in whole tokens.
      if (!first || !known) continue
      const setGauge = (kind: string, amount: bigint) =>
        money(Number(amount) / 10 ** known.decimals, {
          chain: first.networkId,
          token: known.symbol,
          kind,
        })
      const sums = new Map<string, bigint>()
      const add = (kind: string, amount: bigint) => sums.set(kind, (sums.get(kind) ?? 0n) + amount)
      for (const { type, amount, fee } of rows) {
        const meaning = KINDS[type]
        if (meaning === undefined) continue
        add(meaning.kind, meaning.isOut ? amount - fee : amount)
        if (fee !== 0n) add(isX402(type) ? 'x402_fee' : 'fee', fee)
        add(isX402(type) ? 'x402_held' : 'held', meaning.isOut ? -amount : amount)
      }
      for (const [kind, amount] of sums) setGauge(kind, amount)
    }
  }
}
