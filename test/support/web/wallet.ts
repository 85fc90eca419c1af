import type { Page } from 'playwright-core'

/** How the test's wallet behaves. */
export interface WalletPlan {
  readonly chainId: number
  /** The networks that it knows; it has to be told of others. */
  readonly knows: readonly number[]
  /** The code of the error with which it answers a method. */
  readonly refuses?: Readonly<Record<string, number>>
  /** True when it says that it has switched and hasn't. */
  readonly isStubborn?: boolean
  /** True when it is in the window alone and doesn't present itself. */
  readonly isOnlyInjected?: boolean
}

export interface WalletCall {
  readonly method: string
  readonly params?: readonly Readonly<Record<string, string>>[]
}

/** Sends what the page asked for, on the network that the wallet is on; resolves with the hash. */
export type SendFromWallet = (
  chainId: number,
  call: { readonly to: string; readonly data: string },
) => Promise<string>

/** Puts a wallet into every page from now on, which presents itself by EIP-6963. */
export async function installWallet(
  page: Page,
  plan: WalletPlan,
  send: SendFromWallet = async () => `0x${'ab'.repeat(32)}`,
): Promise<void> {
  await page.exposeFunction('sendFromWallet', send)
  await page.addInitScript((given: WalletPlan) => {
    const calls: WalletCall[] = []
    let chainId = given.chainId
    const known = new Set(given.knows)
    const fail = (code: number) => Promise.reject(Object.assign(new Error('no'), { code }))

    async function request(call: WalletCall): Promise<unknown> {
      calls.push(call)
      const { method, params: [first = {}] = [] } = call
      const code = given.refuses?.[method]
      if (code !== undefined) return fail(code)
      const asked = Number(first.chainId)
      if (method === 'eth_requestAccounts') return [`0x${'11'.repeat(20)}`]
      if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
      if (method === 'wallet_switchEthereumChain') {
        if (!known.has(asked)) return fail(4902)
        if (!given.isStubborn) chainId = asked
        return null
      }
      if (method === 'wallet_addEthereumChain') {
        known.add(asked)
        chainId = asked
        return null
      }
      // It can't sign, as some wallets.
      if (method !== 'eth_sendTransaction') return fail(4200)
      return Reflect.get(window, 'sendFromWallet')(chainId, first)
    }

    const info = { uuid: 'f3c1', name: 'Test Wallet', icon: 'data:image/svg+xml,<svg/>', rdns: 'x' }
    const detail = Object.freeze({ info, provider: { request } })
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    if (given.isOnlyInjected) Object.assign(window, { ethereum: { request } })
    else addEventListener('eip6963:requestProvider', announce)
    Object.assign(window, { walletCalls: calls })
  }, plan)
}

/** What the page has asked the wallet, oldest first. */
export function callsOf(page: Page): Promise<readonly WalletCall[]> {
  return page.evaluate(() => Reflect.get(window, 'walletCalls'))
}
