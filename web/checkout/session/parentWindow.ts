import type { CheckoutState } from '../../../core/checkout/view.ts'

/** What a shop's page hears that shows this one inside its own; that it is alive, its widget alone. */
export type PageEvent = Exclude<CheckoutState, 'choosing' | 'waiting'> | 'closed' | 'alive'

/** The one page that may show this one, by its origin, and does; null when there is none. */
export function parentOrigin(): string | null {
  const origin = document.body.dataset.parent
  return origin !== undefined && window.parent !== window ? origin : null
}

/** Notifies that page, and no other, of an event. */
export function notifyParent(type: PageEvent, reference?: string): void {
  const origin = parentOrigin()
  if (origin !== null) window.parent.postMessage({ remit: 1, type, reference }, origin)
}
