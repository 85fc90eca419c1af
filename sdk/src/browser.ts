import { sessionsOf } from './resources/checkout.ts'
import type { Body, CheckoutSession, CheckoutView } from './shapes.ts'
import { type CallOptions, openTransport, type Transport } from './transport.ts'
import type { OpenOptions, RemitCheckoutElement, RemitWidget } from './widget.ts'

export { RemitError, type RemitErrorDetail } from './error.ts'
export type { CheckoutSession, CheckoutView } from './shapes.ts'
export type * from './widget.ts'

export interface CheckoutOptions {
  /** The URL of the API, e.g. `https://pay.example`. */
  readonly apiUrl: string
  /** `pk_…`. Never a secret key: everything in a page is public. */
  readonly publishableKey: string
  /** The expected hash of the widget, e.g. `sha384-…` (Subresource Integrity). It changes with each release. */
  readonly integrity?: string
}

type AnyRequest = Body<'createCheckoutSession'>

/** The id of the price to pay. */
export type SessionRequest = Omit<AnyRequest, 'price' | 'invoice'> & { readonly price: string }

/** For a shop's page: creates sessions from prices, reads and opens them. */
export class Checkout {
  readonly #apiUrl: string
  readonly #integrity: string | undefined
  readonly #sessions: ReturnType<typeof sessionsOf>

  constructor({ apiUrl, publishableKey, integrity }: CheckoutOptions) {
    if (!/^pk_/.test(publishableKey))
      throw new TypeError('publishableKey must be a publishable key, pk_…')
    this.#apiUrl = apiUrl.replace(/\/+$/, '')
    this.#integrity = integrity
    const transport: Transport = openTransport({ apiUrl, key: publishableKey })
    this.#sessions = sessionsOf(transport)
  }

  /** Creates a session of a price. The same `clientReference` returns the same session: store it with the cart. */
  createSession(session: SessionRequest, options?: CallOptions): Promise<CheckoutSession> {
    return this.#sessions.create(session, options)
  }

  /** The payer's view of a session. */
  readSession(id: string, options?: CallOptions): Promise<CheckoutView> {
    return this.#sessions.get(id, options)
  }

  /** Opens a session as a dialog. The returned element closes it and emits its events. */
  async open(
    session: string,
    options: Omit<OpenOptions, 'session'> = {},
  ): Promise<RemitCheckoutElement> {
    return (await loadWidget(this.#apiUrl, this.#integrity)).open({ ...options, session })
  }
}

const loading = new Map<string, Promise<RemitWidget>>()

/** Loads the widget from `apiUrl`, once. A page can show checkouts of only one deployment. */
export function loadWidget(apiUrl: string, integrity?: string): Promise<RemitWidget> {
  const src = `${apiUrl}/widget.js`
  const known = loading.get(src)
  if (known !== undefined) return known
  const loaded = new Promise<RemitWidget>((resolve, reject) => {
    const script = document.createElement('script')
    script.crossOrigin = 'anonymous'
    if (integrity !== undefined) script.integrity = integrity
    script.src = src
    script.onload = () => {
      if (window.Remit === undefined) reject(new Error(`${src} is not the widget`))
      else resolve(window.Remit)
    }
    script.onerror = () => {
      loading.delete(src)
      script.remove()
      reject(new Error(`${src} could not be loaded`))
    }
    document.head.append(script)
  })
  loading.set(src, loaded)
  return loaded
}
