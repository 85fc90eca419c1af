import type { ComponentChildren } from 'preact'
import { isZero, sumOf } from '../parts/decimal.ts'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import type { Overview } from '../session/overview.ts'

interface FiguresProps {
  readonly merchantId: string
  readonly overview: Overview
}

interface Amount {
  readonly asset: string | null
  readonly amount: string | null
}

/** Where the money is, and how many invoices are open; each figure leads to what it is made of. */
export function Figures({ merchantId, overview }: FiguresProps) {
  const { words } = usePage()
  const { balances, days, open, x402 } = overview
  const invoices = placePath(merchantId, 'invoices')
  const settlements = placePath(merchantId, 'settlements')
  const of = (key: 'incoming' | 'settling' | 'held') =>
    balances.map((balance) => ({ asset: balance.asset, amount: balance[key] }))
  const paidOut = days.map(({ asset, amountRemitted }) => ({ asset, amount: amountRemitted }))
  return (
    <div class="figures">
      <Figure name={words.say('paidOut30')} href={settlements} amounts={paidOut} />
      <Figure
        name={words.say('confirming')}
        href={`${invoices}?status=pending`}
        amounts={of('incoming')}
      />
      <Figure name={words.say('inTransit')} href={settlements} amounts={of('settling')} />
      <Figure
        name={words.say('held')}
        href={placePath(merchantId, 'recoveries')}
        amounts={of('held')}
      />
      {x402.waiting.length > 0 && (
        <Figure
          name={words.say('figureX402')}
          href={placePath(merchantId, 'settlements', 'payouts')}
          amounts={x402.waiting}
        />
      )}
      <Tile name={words.say('figureOpen')} href={`${invoices}?status=pending`}>
        {open.pending + open.partial}
        {open.partial > 0 && (
          <small class="hint">{words.say('nPartial', { n: open.partial })}</small>
        )}
      </Tile>
    </div>
  )
}

interface FigureProps {
  readonly name: string
  readonly href: string
  readonly amounts: readonly Amount[]
}

/** A sum for each token; nothing is a dash. */
function Figure({ name, href, amounts }: FigureProps) {
  const { words } = usePage()
  const byAsset = Map.groupBy(amounts, ({ asset }) => asset ?? '')
  const sums = [...byAsset]
    .map(([asset, all]) => ({ asset, amount: sumOf(all.map(({ amount }) => amount)) }))
    .filter(({ asset, amount }) => asset !== '' && !isZero(amount))
  return (
    <Tile name={name} href={href}>
      {sums.length === 0
        ? '–'
        : sums.map(({ asset, amount }) => <div key={asset}>{words.money(amount, asset)}</div>)}
    </Tile>
  )
}

interface TileProps {
  readonly name: string
  readonly href: string
  readonly children: ComponentChildren
}

function Tile({ name, href, children }: TileProps) {
  return (
    <a class="tile" href={href}>
      <span class="hint">{name}</span>
      <b class="figure">{children}</b>
    </a>
  )
}
