import type { Page } from 'playwright-core'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Rpc } from '../../../dev/servers/rpc.ts'

/** A wallet that signs for a page. */
export interface SigningWallet {
  readonly account: PrivateKeyAccount
  /** The network that it is on, and those that it knows. */
  readonly chainId: number
  readonly knows: readonly number[]
  /** Reads the chain for it. */
  readonly rpc: Rpc
  /** The code of the error with which it answers a method. */
  readonly refuses?: Readonly<Record<string, number>>
  /** How the page finds it. */
  readonly by?: 'EIP-6963' | 'EIP-1193'
  readonly name?: string
}

/** Puts the wallet into every page from now on. Resolves to the methods that pages have asked it, as they come. */
export async function installSigningWallet(
  page: Page,
  wallet: SigningWallet,
): Promise<readonly string[]> {
  const asked: string[] = []
  let { chainId } = wallet
  const answer = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    asked.push(method)
    const code = wallet.refuses?.[method]
    if (code !== undefined) return { code }
    const [first, second] = params
    switch (method) {
      case 'eth_requestAccounts':
        return { result: [wallet.account.address] }
      case 'eth_chainId':
        return { result: `0x${chainId.toString(16)}` }
      case 'eth_call':
        return { result: await wallet.rpc('eth_call', [first, second]) }
      case 'eth_signTypedData_v4':
        return { result: await wallet.account.signTypedData(JSON.parse(String(second))) }
      case 'wallet_switchEthereumChain': {
        const wanted = Number(Object(first).chainId)
        if (!wallet.knows.includes(wanted)) return { code: 4902 }
        chainId = wanted
        return { result: null }
      }
    }
    return { code: 4200 }
  }
  await page.exposeFunction('askSigningWallet', answer)
  const { by = 'EIP-6963', name = 'Test Wallet' } = wallet
  await page.addInitScript(
    ([how, shown]) => {
      const provider = {
        async request({ method, params = [] }: { method: string; params?: unknown[] }) {
          const answered = await Reflect.get(window, 'askSigningWallet')(method, params)
          if (answered.code === undefined) return answered.result
          throw Object.assign(new Error('no'), { code: answered.code })
        },
      }
      if (how === 'EIP-1193') return Object.assign(window, { ethereum: provider })
      const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'
      const detail = Object.freeze({
        info: { uuid: 'f3c1', name: shown, icon, rdns: 'x' },
        provider,
      })
      const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
      addEventListener('eip6963:requestProvider', announce)
      return undefined
    },
    [by, name],
  )
  return asked
}
