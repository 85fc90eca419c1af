import { isObject } from './session/json.ts'

/** A wallet's provider: EIP-1193. */
export interface Provider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
}

/** A wallet as it presents itself: EIP-6963. */
export interface Wallet {
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string }
  readonly provider: Provider
}

/** Some wallets are there only some time after the page, and say so. */
const LATE = 'ethereum#initialized'

/**
 * Reports each wallet in this browser once; where none presents itself, the one that is only in the window, under no
 * name. Returns a function that stops it.
 */
export function discoverWallets(found: (wallets: readonly Wallet[]) => void): () => void {
  const wallets = new Map<string, Wallet>()
  function hear(event: Event) {
    const wallet: unknown = event instanceof CustomEvent ? event.detail : null
    if (!isWallet(wallet) || wallets.has(wallet.info.uuid)) return
    wallets.set(wallet.info.uuid, wallet)
    found([...wallets.values()])
  }
  function lookInWindow() {
    const wallet = {
      info: { uuid: '', name: '', icon: '' },
      provider: Reflect.get(window, 'ethereum'),
    }
    if (wallets.size === 0 && isWallet(wallet)) found([wallet])
  }
  addEventListener('eip6963:announceProvider', hear)
  addEventListener(LATE, lookInWindow)
  dispatchEvent(new Event('eip6963:requestProvider'))
  lookInWindow()
  return () => {
    removeEventListener('eip6963:announceProvider', hear)
    removeEventListener(LATE, lookInWindow)
  }
}

function isWallet(value: unknown): value is Wallet {
  if (!isObject(value) || !isObject(value.info) || !isObject(value.provider)) return false
  const { uuid, name, icon } = value.info
  return (
    typeof uuid === 'string' &&
    typeof name === 'string' &&
    typeof icon === 'string' &&
    typeof value.provider.request === 'function'
  )
}
