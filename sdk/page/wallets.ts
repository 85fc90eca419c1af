/** The wallets in this browser: those announced by EIP-6963, or else the injected one. */

/** EIP-1193. */
export interface Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
}

export interface Wallet {
  readonly name: string
  /** A `data:` image; null if the wallet has none that a page may load. */
  readonly icon: string | null
  readonly provider: Provider
}

/** Time after which an injected provider without announcement is offered, in ms. */
const DISCOVERY_TIMEOUT_MS = 400

/** Calls `found` with all known wallets each time one is added; with none if none is found in time. */
export function findWallets(found: (wallets: readonly Wallet[]) => void): void {
  const wallets = new Map<unknown, Wallet>()
  addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = Object(event instanceof CustomEvent ? event.detail : null)
    const { uuid, name, icon } = Object(info)
    if (typeof name !== 'string' || !isProvider(provider) || wallets.has(uuid)) return
    const isImage = typeof icon === 'string' && icon.startsWith('data:image/')
    wallets.set(uuid, { name, icon: isImage ? icon : null, provider })
    found([...wallets.values()])
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
  setTimeout(() => {
    if (wallets.size > 0) return
    const injected: unknown = Reflect.get(window, 'ethereum')
    found(
      isProvider(injected)
        ? [{ name: 'this browser’s wallet', icon: null, provider: injected }]
        : [],
    )
  }, DISCOVERY_TIMEOUT_MS)
}

function isProvider(value: unknown): value is Provider {
  return typeof Object(value).request === 'function'
}
