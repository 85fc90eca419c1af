import { useEffect, useState } from 'preact/hooks'
import type { CheckoutView } from '../../core/checkout/view.ts'
import { usePage } from './parts/context.ts'
import { notifyParent, parentOrigin } from './session/parentWindow.ts'
import { signedPayment } from './session/selection.ts'

interface EndProps {
  readonly view: CheckoutView
  /** Where a form is sent that starts again. */
  readonly again: string
}

/**
 * The way on, once there is nothing more to do here: back to the shop, or out of the shop's own frame,
 * which Escape closes at any time.
 */
export function End({ view, again }: EndProps) {
  const { words, merchant } = usePage()
  const [isFramed, setFramed] = useState(false)
  const reference = view.payment?.reference
  useEffect(() => {
    if (parentOrigin() === null) return
    setFramed(true)
    const hear = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented) notifyParent('closed', reference)
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [reference])

  const isOver = view.state === 'paid' || view.state === 'completed' || view.state === 'expired'
  // What was signed in time may still pay it.
  if (!isOver || signedPayment(view) !== null) return null
  const restart = view.canStartAgain && (
    <form method="post" action={again}>
      <button type="submit" class="main wide">
        {words.say('startAgain')}
      </button>
    </form>
  )
  const style = view.state === 'expired' ? 'button wide' : 'button main wide'
  if (isFramed) {
    return (
      <>
        {restart}
        <button type="button" class={style} onClick={() => notifyParent('closed', reference)}>
          {words.say('close')}
        </button>
      </>
    )
  }
  return (
    <>
      {restart}
      {view.returnUrl !== null && (
        <a class={style} href={view.returnUrl} rel="noreferrer">
          {words.say('goBack', { merchant })}
        </a>
      )}
    </>
  )
}
