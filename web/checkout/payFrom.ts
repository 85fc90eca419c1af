import type { CheckoutPayment, PayableAddress, SignatureTerms } from '../../core/checkout/view.ts'
import type { Provider } from './discover.ts'
import { isObject } from './session/json.ts'
import type { SignedTransfer } from './session/signedTransfer.ts'
import { transferCall } from './session/transferRequest.ts'
import type { Session } from './session/useSession.ts'

export type WalletStep = 'connecting' | 'switching' | 'confirming' | 'signing'
export type WalletProblem = 'declined' | 'busy' | 'elsewhere' | 'unsupported' | 'failed'
export type WalletResult<Sent> =
  | { readonly ok: true; readonly sent: Sent }
  | { readonly ok: false; readonly problem: WalletProblem }

/** Whom it goes to, and what a wallet is told of the network. */
export interface Destination
  extends Pick<PayableAddress, 'chainId' | 'name' | 'coinSymbol' | 'publicRpc' | 'explorer'> {
  readonly address: string
  readonly tokenAddress: string
}

/** EIP-1193: rejected by the user, and no such method; JSON-RPC: the same question is open already, no such method. */
const PROBLEMS: ReadonlyMap<unknown, WalletProblem> = new Map([
  [4001, 'declined'],
  [4200, 'unsupported'],
  [-32_002, 'busy'],
  [-32_004, 'unsupported'],
  [-32_601, 'unsupported'],
])
/** The wallet doesn't know this network: EIP-3326. Some wrap it in an error of their own. */
const UNKNOWN_NETWORK = 4902

type OnStep = (step: WalletStep) => void

/**
 * Sends what is due from a wallet: exactly, to the address shown, on its network. Resolves with the hash. `onStep`
 * hears what the wallet's person is being asked.
 */
export function payFrom(
  provider: Provider,
  to: Destination,
  payment: Pick<CheckoutPayment, 'due' | 'decimals'>,
  onStep: OnStep,
): Promise<WalletResult<string>> {
  return caught(async () => {
    const from = await connect(provider, to, onStep)
    onStep('confirming')
    const call = { from, to: to.tokenAddress, data: transferCall(to, payment), value: '0x0' }
    return text(
      await provider.request({
        method: 'eth_sendTransaction',
        params: [{ ...call, chainId: hexadecimal(to.chainId) }],
      }),
    )
  })
}

/** Has a wallet sign what is due: that sends nothing. */
export function signFrom(
  provider: Provider,
  to: PayableAddress,
  terms: SignatureTerms,
  { view, timeNow }: Pick<Session, 'view' | 'timeNow'>,
  onStep: OnStep,
): Promise<WalletResult<SignedTransfer>> {
  return caught(async () => {
    const from = await connect(provider, to, onStep)
    const { authorizationOf, typedData } = await import('./session/signedTransfer.ts')
    onStep('signing')
    const authorization = authorizationOf(from, terms, view, timeNow())
    const message = JSON.stringify(typedData(to, terms, authorization))
    const request = { method: 'eth_signTypedData_v4', params: [from, message] }
    const signature = text(await provider.request(request))
    return { networkId: to.networkId, ...authorization, signature }
  })
}

class WalletFault extends Error {
  constructor(readonly problem: WalletProblem) {
    super(problem)
  }
}

async function caught<Sent>(work: () => Promise<Sent>): Promise<WalletResult<Sent>> {
  try {
    return { ok: true, sent: await work() }
  } catch (error) {
    return { ok: false, problem: problemOf(error) }
  }
}

/** The wallet's account, once the wallet is on the address's network: many sign for no other. */
async function connect(provider: Provider, to: Destination, onStep: OnStep): Promise<string> {
  onStep('connecting')
  const accounts = await provider.request({ method: 'eth_requestAccounts' })
  const from = text(Array.isArray(accounts) ? accounts[0] : undefined)
  if (!(await isOn(provider, to))) {
    onStep('switching')
    await switchTo(provider, to)
    // Some wallets say that they have switched when they haven't.
    if (!(await isOn(provider, to))) throw new WalletFault('elsewhere')
  }
  return from
}

function text(answer: unknown): string {
  if (typeof answer !== 'string') throw new WalletFault('failed')
  return answer
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
  if (error instanceof WalletFault) return error.problem
  const known = codesOf(error).map((code) => PROBLEMS.get(code))
  return known.find((problem) => problem !== undefined) ?? 'failed'
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
