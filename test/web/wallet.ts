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
  /** A node that takes what it sends, unsigned, from an account of its own. */
  readonly node?: string
  readonly account?: string
}

export interface WalletCall {
  readonly method: string
  readonly params?: readonly Readonly<Record<string, string>>[]
}

/** Puts a wallet into every page from now on, which presents itself by EIP-6963. */
export async function installWallet(page: Page, plan: WalletPlan): Promise<void> {
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
      const asked = Number(first['chainId'])
      if (method === 'eth_requestAccounts') return [given.account ?? `0x${'11'.repeat(20)}`]
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
      if (given.node === undefined) return `0x${'ab'.repeat(32)}`
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })
      const response = await fetch(given.node, { method: 'POST', body })
      return (await response.json()).result
    }

    const info = { uuid: 'f3c1', name: 'Test Wallet', icon: 'data:image/svg+xml,<svg/>', rdns: 'x' }
    const detail = Object.freeze({ info, provider: { request } })
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    addEventListener('eip6963:requestProvider', announce)
    Object.assign(window, { walletCalls: calls })
  }, plan)
}

/** What the page has asked the wallet, oldest first. */
export function callsOf(page: Page): Promise<readonly WalletCall[]> {
  return page.evaluate(() => Reflect.get(window, 'walletCalls'))
}
