/**
 * What a shop's page loads as `/widget.js`: the element `<remit-checkout>`, and `Remit.open`. The checkout is
 * in a frame of its own origin; the two speak by messages that are taken from that frame and origin only.
 */

const script = document.currentScript
if (!(script instanceof HTMLScriptElement)) throw new Error('load widget.js by a <script src>')
const BASE = new URL('.', script.src).href
const ORIGIN = new URL(BASE).origin

const TYPES = ['seen', 'partial', 'paid', 'completed', 'expired', 'closed']
// The frame may open tabs, for wallets and explorers, and never takes the shop's page elsewhere.
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox'
// A sheet made by script is no inline style, which a shop's policy may forbid.
const STYLES = `:host{display:block;min-height:44rem}
:host([mode=modal]){display:contents}
iframe{border:0;width:100%;height:100%;min-height:inherit;display:block;color-scheme:normal}
dialog{border:0;padding:0;margin:auto;background:none;overflow:hidden;border-radius:12px;width:min(28rem,100vw);height:min(48rem,100dvh);max-width:none;max-height:none}
dialog::backdrop{background:#000a}
button{position:absolute;inset-block-start:4px;inset-inline-end:4px;width:44px;height:44px;border:0;border-radius:50%;background:#fffc;color:#111;font:24px/1 system-ui;cursor:pointer}`

/** How many dialogs hold the page, and how it scrolled before the first. */
let openDialogs = 0
let overflow = ''

class RemitCheckout extends HTMLElement {
  static observedAttributes = ['session', 'mode']
  #frame: HTMLIFrameElement | null = null
  #dialog: HTMLDialogElement | null = null

  connectedCallback(): void {
    addEventListener('message', this.#hear)
    this.#show()
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#hear)
    this.#clear()
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (this.isConnected && before !== after) this.#show()
  }

  /** Takes the frame away. A dialog gives the focus back to what had it. */
  close(): void {
    if (!this.#frame) return
    this.#clear()
    this.#tell('closed')
  }

  #show(): void {
    this.#clear()
    const session = this.getAttribute('session')
    if (!session) return
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLES)
    root.adoptedStyleSheets = [sheet]
    const label = this.getAttribute('label') ?? 'Checkout'
    const language = this.lang ? `&lang=${encodeURIComponent(this.lang)}` : ''
    const frame = document.createElement('iframe')
    frame.title = label
    frame.allow = `clipboard-write ${ORIGIN}`
    frame.setAttribute('sandbox', SANDBOX)
    frame.src = `${BASE}checkout/${encodeURIComponent(session)}?parent=${encodeURIComponent(location.origin)}${language}`
    this.#frame = frame
    if (this.getAttribute('mode') === 'modal') this.#openDialog(root, frame, label)
    else root.append(frame)
  }

  #openDialog(root: ShadowRoot, frame: HTMLIFrameElement, label: string): void {
    const dialog = document.createElement('dialog')
    dialog.setAttribute('aria-label', label)
    const button = document.createElement('button')
    button.setAttribute('aria-label', this.getAttribute('close-label') ?? 'Close')
    button.append('×')
    button.onclick = () => this.close()
    // By Escape, while the focus is outside of the frame; inside, the page says that it was pressed.
    dialog.onclose = () => {
      if (this.#dialog === dialog) this.close()
    }
    dialog.append(button, frame)
    root.append(dialog)
    const { style } = document.documentElement
    if (openDialogs++ === 0) {
      overflow = style.overflow
      style.overflow = 'hidden'
    }
    this.#dialog = dialog
    dialog.showModal()
  }

  #clear(): void {
    if (this.#dialog) {
      this.#dialog.close()
      if (--openDialogs === 0) document.documentElement.style.overflow = overflow
    }
    this.#dialog = this.#frame = null
    this.shadowRoot?.replaceChildren()
  }

  #hear = ({ origin, source, data }: MessageEvent): void => {
    const frame = this.#frame?.contentWindow
    if (!frame || origin !== ORIGIN || source !== frame) return
    if (data?.remit !== 1 || !TYPES.includes(data.type)) return
    if (data.type !== 'closed') this.#tell(data.type, data.reference)
    else if (this.#dialog) this.close()
  }

  #tell(type: string, reference?: unknown): void {
    const detail = { type, reference: typeof reference === 'string' ? reference : null }
    const options = { detail, bubbles: true, composed: true }
    this.dispatchEvent(new CustomEvent(`remit:${type}`, options))
  }
}

if (!customElements.get('remit-checkout')) {
  customElements.define('remit-checkout', RemitCheckout)
  Object.assign(window, {
    Remit: {
      /** Opens a session as a dialog. The element that is answered closes it, and is where events come. */
      open({ session, lang }: { session: string; lang?: string }): HTMLElement {
        const element = document.createElement('remit-checkout')
        element.setAttribute('session', session)
        element.setAttribute('mode', 'modal')
        if (lang) element.lang = lang
        element.addEventListener('remit:closed', () => element.remove())
        document.body.append(element)
        return element
      },
    },
  })
}
