import type { CheckoutPayment, PayableAddress } from '../../core/checkout/view.ts'
import type { Provider } from './discover.ts'
import { isObject } from './session/json.ts'
import { transferCall } from './session/transferRequest.ts'

export type WalletStep = 'connecting' | 'switching' | 'confirming'
export type WalletProblem = 'declined' | 'busy' | 'elsewhere' | 'failed'
export type WalletResult =
  | { readonly ok: true; readonly hash: string }
  | { readonly ok: false; readonly problem: WalletProblem }

/** Whom it goes to, and what a wallet is told of the network. */
export interface Destination
  extends Pick<PayableAddress, 'chainId' | 'name' | 'coinSymbol' | 'publicRpc' | 'explorer'> {
  readonly address: string
  readonly tokenAddress: string
}

/** Rejected by the user: EIP-1193. */
const DECLINED = 4001
/** The wallet doesn't know this network: EIP-3326. Some wrap it in an error of their own. */
const UNKNOWN_NETWORK = 4902
/** The same question is open already. */
const BUSY = -32_002

/**
 * Sends what is due from a wallet: exactly, to the address shown, on its network. `onStep` hears what the
 * wallet's person is being asked.
 */
export async function payFrom(
  provider: Provider,
  to: Destination,
  payment: Pick<CheckoutPayment, 'due' | 'decimals'>,
  onStep: (step: WalletStep) => void,
): Promise<WalletResult> {
  try {
    onStep('connecting')
    const accounts = await provider.request({ method: 'eth_requestAccounts' })
    const from: unknown = Array.isArray(accounts) ? accounts[0] : undefined
    if (typeof from !== 'string') return { ok: false, problem: 'failed' }
    if (!(await isOn(provider, to))) {
      onStep('switching')
      await switchTo(provider, to)
      // Some wallets say that they have switched when they haven't.
      if (!(await isOn(provider, to))) return { ok: false, problem: 'elsewhere' }
    }
    onStep('confirming')
    const call = { from, to: to.tokenAddress, data: transferCall(to, payment), value: '0x0' }
    const hash = await provider.request({
      method: 'eth_sendTransaction',
      params: [{ ...call, chainId: hexadecimal(to.chainId) }],
    })
    return typeof hash === 'string' ? { ok: true, hash } : { ok: false, problem: 'failed' }
  } catch (error) {
    return { ok: false, problem: problemOf(error) }
  }
}

async function isOn(provider: Provider, { chainId }: Destination): Promise<boolean> {
  return Number(await provider.request({ method: 'eth_chainId' })) === chainId
}

async function switchTo(provider: Provider, to: Destination): Promise<void> {
  const chainId = hexadecimal(to.chainId)
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  } catch (error) {
    if (!codesOf(error).includes(UNKNOWN_NETWORK)) throw error
    const network = {
      chainId,
      chainName: to.name,
      nativeCurrency: { name: to.coinSymbol, symbol: to.coinSymbol, decimals: 18 },
      rpcUrls: [to.publicRpc],
      blockExplorerUrls: [to.explorer],
    }
    await provider.request({ method: 'wallet_addEthereumChain', params: [network] })
  }
}

function problemOf(error: unknown): WalletProblem {
  const codes = codesOf(error)
  if (codes.includes(DECLINED)) return 'declined'
  return codes.includes(BUSY) ? 'busy' : 'failed'
}

/** The error's code, and that of the error that it wraps. */
function codesOf(error: unknown): readonly unknown[] {
  if (!isObject(error)) return []
  const { data } = error
  const inner = isObject(data) && isObject(data.originalError) ? data.originalError : {}
  return [error.code, inner.code]
}

function hexadecimal(chainId: number): string {
  return `0x${chainId.toString(16)}`
}
