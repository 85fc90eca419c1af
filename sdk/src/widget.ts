/** The widget that a Remit serves at `/widget.js`, as a shop's page sees it. */

export type CheckoutEventType = 'seen' | 'partial' | 'paid' | 'completed' | 'expired' | 'closed'

/** Told by the checkout: for what a page shows. That money came is for webhooks to say. */
export interface CheckoutEventDetail<Type extends CheckoutEventType = CheckoutEventType> {
  readonly type: Type
  /** The invoice's human-readable reference; null before there is an invoice. */
  readonly reference: string | null
}

export type CheckoutEventMap = {
  readonly [Type in CheckoutEventType as `remit:${Type}`]: CustomEvent<CheckoutEventDetail<Type>>
}

/** `<remit-checkout session="cs_…" mode="modal">`; without a mode it is embedded in the page. */
export interface RemitCheckoutElement extends HTMLElement {
  /** Takes the checkout away, and gives the focus back. */
  close(): void
  addEventListener<Name extends keyof CheckoutEventMap>(
    name: Name,
    listener: (event: CheckoutEventMap[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void
  addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void
}

export interface OpenOptions {
  /** The session's id, `cs_…`. */
  readonly session: string
  /** The language to begin in, e.g. `de`; without one, the browser's. */
  readonly lang?: string
}

export interface RemitWidget {
  /** Opens a session as a dialog. Call it where the payer has just clicked. */
  open(options: OpenOptions): RemitCheckoutElement
}

declare global {
  interface Window {
    readonly Remit?: RemitWidget
  }
  interface HTMLElementTagNameMap {
    'remit-checkout': RemitCheckoutElement
  }
  interface DocumentEventMap extends CheckoutEventMap {}
}
