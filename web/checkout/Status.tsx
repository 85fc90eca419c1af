import type { ComponentChildren } from 'preact'
import type { CheckoutView, PayerAuthorization } from '../../core/checkout/view.ts'
import { usePage } from './parts/context.ts'
import { Icon, type Shape } from './parts/icons.tsx'
import { isLateOnly, statusOf } from './sentences.ts'
import { misdirected, signedPayment } from './session/selection.ts'

/** The payment's status by shape, word and colour, and a sentence about what happens next. */
export function Status({
  view,
  children,
}: {
  readonly view: CheckoutView
  readonly children?: ComponentChildren
}) {
  const { words } = usePage()
  const { title, next } = statusOf(view, words)
  const look = lookOf(view)
  return (
    <section class={`status ${look}`} aria-labelledby="state">
      <span class="badge">
        <Icon shape={shapeOf(look)} />
      </span>
      <div>
        <h2 id="state" tabIndex={-1}>
          {title}
        </h2>
        <p class="next">{next}</p>
        {children}
      </div>
    </section>
  )
}

interface SignedLinkProps {
  readonly view: CheckoutView
  readonly signed: PayerAuthorization
}

/** To the transaction that carries out what was signed. */
export function SignedLink({ view, signed: { networkId, transaction } }: SignedLinkProps) {
  const { words } = usePage()
  const on = view.payment?.addresses.find((address) => address.networkId === networkId)
  if (on === undefined || transaction === null) return null
  return (
    <a href={`${on.explorer}/tx/${transaction}`} target="_blank" rel="noopener noreferrer">
      {words.say('explorer')}
      <span class="hidden"> ({words.say('opensTab')})</span>
    </a>
  )
}

type Look = CheckoutView['state'] | 'attention'

function lookOf(view: CheckoutView): Look {
  if (signedPayment(view) !== null) return 'seen'
  return misdirected(view) !== null || isLateOnly(view) ? 'attention' : view.state
}

function shapeOf(look: Look): Shape {
  if (look === 'choosing') return 'waiting'
  return look === 'attention' ? 'expired' : look
}
