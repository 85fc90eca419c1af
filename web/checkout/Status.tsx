import type { ComponentChildren } from 'preact'
import type { CheckoutView } from '../../core/checkout/view.ts'
import { usePage } from './parts/context.ts'
import { Icon, type Shape } from './parts/icons.tsx'
import { statusOf } from './sentences.ts'

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
  return (
    <section class={`status ${view.state}`} aria-labelledby="state">
      <span class="badge">
        <Icon shape={shapeOf(view)} />
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

function shapeOf({ state }: CheckoutView): Shape {
  return state === 'choosing' ? 'waiting' : state
}
