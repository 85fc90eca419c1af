import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { difference, isNegative, sumOf } from '../parts/decimal.ts'
import { usePage } from '../parts/page.ts'

interface Balance {
  readonly chain: string
  readonly received: string
  readonly forwarded: string
  readonly fees: string
  readonly refunded: string
  /** What lies at the deposit address still. */
  readonly left: string
}

/** The invoice's own token on each network: what came, where it went, and what is left. */
export function Balances({ invoice }: { readonly invoice: InvoiceJson }) {
  const { words, networkName } = usePage()
  const balances = balancesOf(invoice)
  if (balances.length === 0) return null
  const lines = ['received', 'forwarded', 'fees', 'refunded', 'left'] as const
  return (
    <section class="card" aria-labelledby="balances">
      <h2 id="balances">{words.say('balances')}</h2>
      {balances.map((balance) => (
        <div key={balance.chain}>
          <h3>{networkName(balance.chain)}</h3>
          <dl>
            {lines.map((line) => (
              <div key={line}>
                <dt>{words.say(NAMES[line])}</dt>
                <dd class="figure">{words.money(balance[line], invoice.tokenSymbol)}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </section>
  )
}

const NAMES = {
  received: 'received',
  forwarded: 'paidOut',
  fees: 'fee',
  refunded: 'refunded',
  left: 'atDeposit',
} as const

/** By network, as far as it is confirmed. */
function balancesOf({ transactions, settlements, refunds, tokenSymbol }: InvoiceJson): Balance[] {
  const chains = new Set(transactions.map(({ chain }) => chain))
  return [...chains].map((chain) => {
    const isHere = (row: { readonly chain: string; readonly status: string }) =>
      row.chain === chain && row.status === 'confirmed'
    const came = transactions.filter(isHere)
    const went = settlements.filter(isHere)
    const back = refunds.filter(
      (refund) => isHere(refund) && !refund.external && refund.asset === tokenSymbol,
    )
    const received = sumOf(came.map(({ amount }) => amount))
    const forwarded = sumOf(went.map(({ merchantAmount }) => merchantAmount))
    const fees = sumOf(went.map(({ fee }) => fee))
    const refunded = sumOf(back.map(({ amount }) => amount))
    const left = difference(received, sumOf([forwarded, fees, refunded]))
    return { chain, received, forwarded, fees, refunded, left: isNegative(left) ? '0' : left }
  })
}
