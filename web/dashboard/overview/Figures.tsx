import { isZero, sumOf } from '../parts/decimal.ts'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import type { Overview } from './load.ts'

interface FiguresProps {
  readonly merchantId: string
  readonly overview: Overview
}

/** Where the money is now, and how many invoices are open. */
export function Figures({ merchantId, overview }: FiguresProps) {
  const { words } = usePage()
  const { balances, open, x402 } = overview
  const invoices = placePath(merchantId, 'invoices')
  return (
    <dl class="figures">
      <Figure
        word="confirming"
        href={`${invoices}?status=pending`}
        amounts={balances.map(({ asset, incoming }) => ({ asset, amount: incoming }))}
      />
      <Figure
        word="inTransit"
        href={placePath(merchantId, 'settlements')}
        amounts={balances.map(({ asset, settling }) => ({ asset, amount: settling }))}
      />
      <Figure
        word="held"
        href={placePath(merchantId, 'recoveries')}
        amounts={balances.map(({ asset, held }) => ({ asset, amount: held }))}
      />
      <Figure
        word="figureX402"
        href={placePath(merchantId, 'settlements', 'payouts')}
        amounts={x402.waiting}
      />
      <div>
        <dt>{words.say('figureOpen')}</dt>
        <dd class="links">
          <a href={`${invoices}?status=pending`}>{words.say('nPending', { n: open.pending })}</a>
          <a href={`${invoices}?status=partial`}>{words.say('nPartial', { n: open.partial })}</a>
        </dd>
      </div>
    </dl>
  )
}

interface FigureProps {
  readonly word: 'confirming' | 'inTransit' | 'held' | 'figureX402'
  readonly href: string
  readonly amounts: readonly { readonly asset: string | null; readonly amount: string | null }[]
}

/** One figure for each token; nothing is a dash. */
function Figure({ word, href, amounts }: FigureProps) {
  const { words } = usePage()
  const byAsset = Map.groupBy(amounts, ({ asset }) => asset ?? '')
  const sums = [...byAsset]
    .map(([asset, all]) => ({ asset, amount: sumOf(all.map(({ amount }) => amount)) }))
    .filter(({ asset, amount }) => asset !== '' && !isZero(amount))
  return (
    <div>
      <dt>
        <a href={href}>{words.say(word)}</a>
      </dt>
      <dd class="figure">
        {sums.length === 0 ? (
          <span class="hint">–</span>
        ) : (
          sums.map(({ asset, amount }) => <div key={asset}>{words.money(amount, asset)}</div>)
        )}
      </dd>
    </div>
  )
}
