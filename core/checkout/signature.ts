import { formatAmount } from '../base/money.ts'
import { type Address, checksumAddress, type Hex } from '../chain/evm.ts'
import type { Chain } from '../chain/registry.ts'
import { TOKENS } from '../chain/tokens.ts'
import {
  amountClaimed,
  amountToSign,
  authorizationState,
  type InvoiceAuthorization,
  isWorthGas,
  SIGNATURE_S,
  type SignatureMethod,
  signableToken,
} from '../invoice/signature.ts'
import type { Invoice } from '../invoice/state.ts'
import type { PayerAuthorization, SignatureTerms } from './view.ts'

/** What a payer is shown of paying an invoice by signature. */

/** What to sign for an invoice on a chain that is switched on; null where nothing can be. */
export function signatureTerms(
  invoice: Invoice,
  authorizations: readonly InvoiceAuthorization[],
  chain: Chain,
  now: Date,
): SignatureTerms | null {
  const token = signableToken(chain, invoice)
  if (token === null) return null
  const kept = authorizations.filter((one) => one.invoiceId === invoice.id && isKept(one))
  const value = amountToSign(invoice, amountClaimed(kept), now)
  if (value === 0n || !isWorthGas(chain, value, token.decimals)) return null
  return { ...token.eip712, value: value.toString(), maxSeconds: SIGNATURE_S }
}

/** What another signature can't replace any more. */
function isKept(one: InvoiceAuthorization): boolean {
  return one.method === 'x402' || authorizationState(one) !== 'received'
}

export function presentAuthorization(
  invoice: Invoice,
  authorization: InvoiceAuthorization,
): PayerAuthorization {
  const { transaction, reason, createdAt } = authorization
  const status = authorizationState(authorization)
  return {
    ...shown(invoice, authorization),
    status,
    transaction,
    reason,
    at: createdAt.toISOString(),
  }
}

interface Signed {
  readonly method: SignatureMethod
  readonly networkId: string
  readonly payer: Address
  readonly amount: bigint
}

function shown({ tokenSymbol }: Invoice, { method, networkId, payer, amount }: Signed) {
  const { decimals } = TOKENS[tokenSymbol]
  return {
    method,
    networkId,
    payer: checksumAddress(payer),
    amount: formatAmount(amount, decimals),
  }
}

/** What became of one that is not stored: it was refused, or another sender had carried it out already. */
export function unstoredAuthorization(
  invoice: Invoice,
  signed: Signed,
  end: { readonly reason: string } | { readonly transaction: Hex },
  now: Date,
): PayerAuthorization {
  const of = { ...shown(invoice, signed), at: now.toISOString() }
  return 'reason' in end
    ? { ...of, status: 'refused', transaction: null, reason: end.reason }
    : { ...of, status: 'settled', transaction: end.transaction, reason: null }
}
