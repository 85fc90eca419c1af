import type { PageOption } from '../src/x402/page/options.ts'
import type { PageData } from '../src/x402/page/page.ts'
import type { Provider } from './wallets.ts'

/** Requests a wallet's signature for the payment of a price: x402 v2, EIP-3009. Sends nothing to the chain. */

export type Step = 'connecting' | 'switching' | 'checking' | 'signing'
export type Problem =
  | 'declined'
  | 'busy'
  | 'unknownNetwork'
  | 'elsewhere'
  | 'otherToken'
  | 'short'
  | 'failed'

/** Why a payment is not possible; `held` is the account's balance in base units. */
export class PayProblem extends Error {
  constructor(
    readonly problem: Problem,
    readonly held = '0',
  ) {
    super(problem)
  }
}

/** EIP-1193: rejected by the user. EIP-3326: unknown network. JSON-RPC: a request is already open. */
const CODES: Readonly<Record<number, Problem>> = {
  4001: 'declined',
  4902: 'unknownNetwork',
  [-32_002]: 'busy',
}

const DECIMALS_OF = '0x313ce567'
const BALANCE_OF = '0x70a08231'

const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]
const TRANSFER = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
]

/**
 * The payment header, in base64. `onStep` is called for each prompt of the wallet.
 * @throws PayProblem; then nothing was signed, or the signature was not sent.
 */
export async function signPayment(
  provider: Provider,
  option: PageOption,
  { url, now }: Pick<PageData, 'url' | 'now'>,
  onStep: (step: Step) => void,
): Promise<string> {
  try {
    onStep('connecting')
    const [from] = Object(await provider.request({ method: 'eth_requestAccounts' }))
    if (!/^0x[0-9a-f]{40}$/i.test(from)) throw new PayProblem('failed')
    await moveTo(provider, option, onStep)
    onStep('checking')
    await checkToken(provider, option, from)
    onStep('signing')
    const { accepted } = option
    const authorization = authorizationOf(option, from, now)
    const message = JSON.stringify(typedData(option, authorization))
    const request = { method: 'eth_signTypedData_v4', params: [from, message] }
    const signature = await provider.request(request)
    if (typeof signature !== 'string') throw new PayProblem('failed')
    const payload = { signature, authorization }
    return base64(JSON.stringify({ x402Version: 2, resource: { url }, accepted, payload }))
  } catch (error) {
    throw problemIn(error)
  }
}

/** Wallets sign for their current network. Some report a switch that didn't happen. */
async function moveTo(
  provider: Provider,
  { chainId }: PageOption,
  onStep: (step: Step) => void,
): Promise<void> {
  const isThere = async () => Number(await provider.request({ method: 'eth_chainId' })) === chainId
  if (await isThere()) return
  onStep('switching')
  const params = [{ chainId: `0x${chainId.toString(16)}` }]
  await provider.request({ method: 'wallet_switchEthereumChain', params })
  if (!(await isThere())) throw new PayProblem('elsewhere')
}

/** Checks that the amount is the displayed one, and that the account has it. */
async function checkToken(provider: Provider, option: PageOption, from: string): Promise<void> {
  const { accepted, decimals } = option
  const read = async (data: string) => {
    const call = [{ to: accepted.asset, data }, 'latest']
    const word = await provider.request({ method: 'eth_call', params: call })
    if (typeof word !== 'string' || !/^0x[0-9a-f]{64}$/i.test(word)) {
      throw new PayProblem('otherToken')
    }
    return BigInt(word)
  }
  if ((await read(DECIMALS_OF)) !== BigInt(decimals)) throw new PayProblem('otherToken')
  const held = await read(BALANCE_OF + from.slice(2).padStart(64, '0'))
  if (held < BigInt(accepted.amount)) throw new PayProblem('short', held.toString())
}

/** The page's clock at its start, so that a slow response doesn't extend the validity of a payment. */
const STARTED_AT = performance.now()

/** `now` is the server's clock when the page was rendered. */
function authorizationOf({ accepted }: PageOption, from: string, now: number) {
  const { payTo: to, amount: value, maxTimeoutSeconds } = accepted
  const validBefore = now + Math.floor((performance.now() - STARTED_AT) / 1000) + maxTimeoutSeconds
  const nonce = crypto.getRandomValues(new Uint8Array(32))
  const hex = Array.from(nonce, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { from, to, value, validAfter: '0', validBefore: `${validBefore}`, nonce: `0x${hex}` }
}

function typedData({ accepted, chainId, name, version }: PageOption, message: object) {
  return {
    types: { EIP712Domain: DOMAIN, TransferWithAuthorization: TRANSFER },
    domain: { name, version, chainId, verifyingContract: accepted.asset },
    primaryType: 'TransferWithAuthorization',
    message,
  }
}

function problemIn(error: unknown): PayProblem {
  if (error instanceof PayProblem) return error
  const { code, data } = Object(error)
  // Some wallets wrap the error.
  return new PayProblem(CODES[code] ?? CODES[Object(Object(data).originalError).code] ?? 'failed')
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
