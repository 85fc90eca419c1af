import type { PrivateKeyAccount } from 'viem/accounts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import type { RequirementsJson } from '../../../core/x402/requirements.ts'
import { headerOf, payloadOf } from './paymentHeader.ts'
import type { X402Stack } from './stack.ts'

/** Invoices of a stack, and their payments at x402Url. */

export type Payable = InvoiceJson & { readonly x402Url: string }

export interface Visited {
  readonly status: number
  /** A receipt, a reason, or the state of the invoice. */
  readonly body: Readonly<Record<string, unknown>>
  /** The options of PAYMENT-REQUIRED; null without it. */
  readonly accepts: readonly RequirementsJson[] | null
}

/** The API, and the key of a merchant. */
interface InvoiceShop extends Pick<X402Stack, 'fetch'> {
  readonly merchant: Pick<X402Stack['merchant'], 'secretKey'>
}

export async function newInvoice(
  { fetch, merchant }: InvoiceShop,
  amountExpected: string,
  change: Readonly<Record<string, unknown>> = {},
): Promise<Payable> {
  const body = { tokenSymbol: 'USDC', amountExpected, chains: ['base-sepolia'], ...change }
  const response = await fetch('/v1/invoices', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-key': merchant.secretKey },
    body: JSON.stringify(body),
  })
  const { data } = await response.json()
  if (response.status !== 201) throw new Error(`the invoice answered ${response.status}`)
  return data
}

/** Calls an invoice's URL, with a payment if there is one. */
export async function visit(
  stack: Pick<X402Stack, 'fetch'>,
  url: string,
  payment?: string,
): Promise<Visited> {
  const headers: Record<string, string> =
    payment === undefined ? {} : { 'payment-signature': payment }
  const response = await stack.fetch(new URL(url).pathname, { headers })
  const required = response.headers.get('payment-required')
  return {
    status: response.status,
    body: await response.json(),
    accepts:
      required === null ? null : JSON.parse(Buffer.from(required, 'base64').toString()).accepts,
  }
}

/** Base Sepolia, where the payers of tests have their money. */
const PAYERS_NETWORK = 'eip155:84532'

/** PAYMENT-SIGNATURE of what the URL requires now. */
export async function paymentFor(
  stack: Pick<X402Stack, 'fetch'>,
  url: string,
  payer: PrivateKeyAccount,
  change: Parameters<typeof payloadOf>[2] = {},
): Promise<string> {
  const { accepts, status } = await visit(stack, url)
  const option = accepts?.find(({ network }) => network === PAYERS_NETWORK)
  if (option === undefined) throw new Error(`${url} answered ${status}`)
  return headerOf(option, await payloadOf(option, payer, change))
}
