import { OTHER_WAY } from './otherWay.ts'

/**
 * What a shop's page loads as `/widget.js`: the element `<remit-checkout>`, and `Remit.open`. The checkout is
 * in a frame of its own origin; the two speak by messages that are taken from that frame and origin only.
 */

/** Where its server is reached from outside; written in when it is built. */
declare const REMIT_URL: string

/** The folder that it was loaded from, which a module too knows from the stack; a copy of it doesn't. */
const BASE = /https?:[^\s()]+\/(?=widget\.js)/.exec(`${new Error().stack}`)?.[0] ?? `${REMIT_URL}/`
const ORIGIN = new URL(BASE).origin

const TYPES = ['seen', 'partial', 'paid', 'completed', 'expired', 'closed']
// The frame may open tabs, for wallets and explorers, and never takes the shop's page elsewhere.
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox'
// A sheet made by script is no inline style, which a shop's policy may forbid.
const STYLES = `:host{display:block;position:relative;min-height:44rem}
:host([mode=modal]){display:contents}
iframe{border:0;width:100%;height:100%;min-height:inherit;display:block;color-scheme:normal}
dialog{border:0;padding:0;background:none;overflow:hidden;border-radius:12px;width:min(28rem,100vw);height:min(48rem,100dvh);max-width:none;max-height:none}
dialog::backdrop{background:#000a}
button{position:absolute;inset-block-start:4px;inset-inline-end:4px;width:44px;height:44px;border:0;border-radius:50%;background:#fffc;color:#111;font:24px/1 system-ui;cursor:pointer}
a{position:absolute;inset:auto 0 0;padding:12px;background:#fff;color:#05c;text-align:center}`
/** For how long the page in the frame may say nothing, in ms. */
const LOAD_TIMEOUT_MS = 5_000

/** How many dialogs hold the page, and how it scrolled before the first. */
let openDialogs = 0
let overflow = ''

class RemitCheckout extends HTMLElement {
  static observedAttributes = ['session', 'mode']
  #frame: HTMLIFrameElement | null = null
  #dialog: HTMLDialogElement | null = null
  /** Until the page in the frame has said something. */
  #waiting: ReturnType<typeof setTimeout> | undefined

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
    const query = new URLSearchParams({ parent: location.origin, lang: this.lang })
    const frame = document.createElement('iframe')
    frame.title = label
    frame.allow = `clipboard-write ${ORIGIN}`
    frame.setAttribute('sandbox', SANDBOX)
    frame.src = `${BASE}checkout/${encodeURIComponent(session)}?${query}`
    this.#frame = frame
    this.#awaitWord(frame)
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
    clearTimeout(this.#waiting)
    this.#dialog = this.#frame = null
    this.shadowRoot?.replaceChildren()
  }

  /**
   * Shows another way to the page unless it has said something by then. Browsers don't say that a frame stayed
   * empty, or what they wrote into it themselves.
   */
  #awaitWord(frame: HTMLIFrameElement): void {
    this.#waiting = setTimeout(() => {
      const words: Readonly<Record<string, string>> = OTHER_WAY
      const link = document.createElement('a')
      link.href = frame.src
      link.target = '_blank'
      link.append(words[(this.lang || navigator.language).slice(0, 2)] ?? OTHER_WAY.en)
      const notice = document.createElement('div')
      notice.setAttribute('role', 'alert')
      notice.append(link)
      frame.after(notice)
    }, LOAD_TIMEOUT_MS)
  }

  #hear = ({ origin, source, data }: MessageEvent): void => {
    const frame = this.#frame?.contentWindow
    if (!frame || origin !== ORIGIN || source !== frame || data?.remit !== 1) return
    clearTimeout(this.#waiting)
    this.#frame?.nextSibling?.remove()
    if (!TYPES.includes(data.type)) return
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
