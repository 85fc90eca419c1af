/** Types of the widget at `/widget.js`, for a shop's page. */

export type CheckoutEventType = 'seen' | 'partial' | 'paid' | 'completed' | 'expired' | 'closed'

/** The detail of a checkout event: for display only. Payments are confirmed by webhooks. */
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
  /** Closes the checkout, and restores the focus. */
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
  /** The initial language, e.g. `de`; by default the browser's. */
  readonly lang?: string
}

export interface RemitWidget {
  /** Opens a session as a dialog. Call it in the handler of a payer's click. */
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
