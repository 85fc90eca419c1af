import type { CheckoutView, PayableAddress, SignatureTerms } from '../../../core/checkout/view.ts'

/** What pays by signature (EIP-3009). It imports nothing, so that it is loaded when a payer signs and not before. */

interface Authorization {
  readonly from: string
  readonly value: string
  readonly validAfter: string
  readonly validBefore: string
  readonly nonce: string
}

/** What is posted: numbers as decimal text. */
export interface SignedTransfer extends Authorization {
  readonly networkId: string
  readonly signature: string
}

const DOMAIN = ['name string', 'version string', 'chainId uint256', 'verifyingContract address']
const TRANSFER = [
  'from address',
  'to address',
  'value uint256',
  'validAfter uint256',
  'validBefore uint256',
  'nonce bytes32',
]

/** What is due, to be signed by this account. `now` is the server's time, in milliseconds. */
export function authorizationOf(
  from: string,
  { value, maxSeconds }: SignatureTerms,
  { expiresAt }: CheckoutView,
  now: number,
): Authorization {
  const longest = now / 1_000 + maxSeconds
  // The server takes none that lasts longer than the session.
  const end = expiresAt === null ? longest : Math.min(longest, Date.parse(expiresAt) / 1_000)
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  )
  const validBefore = `${Math.floor(end)}`
  return { from, value, validAfter: '0', validBefore, nonce: `0x${nonce.join('')}` }
}

/** What a wallet signs: EIP-712. Some wallets want the domain's type too. */
export function typedData(
  to: PayableAddress,
  { name, version }: SignatureTerms,
  authorization: Authorization,
): object {
  const typed = (fields: readonly string[]) =>
    fields.map((field) => {
      const [name, type] = field.split(' ')
      return { name, type }
    })
  return {
    types: { EIP712Domain: typed(DOMAIN), TransferWithAuthorization: typed(TRANSFER) },
    domain: { name, version, chainId: to.chainId, verifyingContract: to.tokenAddress },
    primaryType: 'TransferWithAuthorization',
    message: { ...authorization, to: to.address },
  }
}
