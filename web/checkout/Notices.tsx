import type { CheckoutView } from '../../core/checkout/view.ts'
import { usePage } from './parts/context.ts'
import { Icon } from './parts/icons.tsx'
import { noticesOf } from './sentences.ts'

/** What the payer must know besides the state: too much, too late, to an address from before, or a failed signature. */
export function Notices({ view }: { readonly view: CheckoutView }) {
  const { words } = usePage()
  return (
    <>
      {noticesOf(view, words).map(({ title, next = '' }) => (
        <div key={next} class="notice">
          <Icon shape="expired" />
          <div>
            {title && <h3>{title}</h3>}
            <p>{next}</p>
          </div>
        </div>
      ))}
    </>
  )
}
