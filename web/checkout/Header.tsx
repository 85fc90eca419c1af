import type { CheckoutView } from '../../core/checkout/view.ts'
import { usePage } from './parts/context.ts'

type Asked = Pick<CheckoutView, 'merchant' | 'description' | 'fiat' | 'tokens' | 'payment'>

/** Who is paid, how much, and for what. */
export function Header({ view }: { readonly view: Asked }) {
  const { words } = usePage()
  const { merchant, fiat, payment, description } = view
  const { amount, unit } = totalOf(view)
  const text = words.amount(amount, unit)
  return (
    <header>
      <p class="merchant">
        {merchant.logoUrl ? (
          <img src={merchant.logoUrl} alt="" width="32" height="32" />
        ) : (
          <span class="initial" aria-hidden="true">
            {[...merchant.name][0]}
          </span>
        )}
        <bdi>{merchant.name}</bdi>
      </p>
      <h1 class={text.length > 12 ? 'long' : ''}>
        <span class="hidden">{words.say('title', { merchant: merchant.name })}: </span>
        <bdi>
          {text} <small>{unit}</small>
        </bdi>
      </h1>
      {payment && fiat && (
        <p class="fiat">
          <bdi class="figure">{words.money(fiat.amount, fiat.currency)}</bdi>
        </p>
      )}
      {description && <p class="description">{description}</p>}
    </header>
  )
}

/** The amount due: in the token once one is chosen, before that in the currency of the price. */
function totalOf({ payment, fiat, tokens }: Asked) {
  if (payment) return { amount: payment.expected, unit: payment.tokenSymbol }
  if (fiat) return { amount: fiat.amount, unit: fiat.currency }
  const symbols = tokens.map(({ tokenSymbol }) => tokenSymbol)
  return { amount: tokens[0]?.amount ?? '0', unit: symbols.join(' / ') }
}
