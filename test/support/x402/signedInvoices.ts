import type { PrivateKeyAccount } from 'viem/accounts'
import { readHead } from '../../../chain/blocks/blocks.ts'
import { openChain } from '../../../chain/rpc/client.ts'
import { transfersTo } from '../../../chain/tokens/transfers.ts'
import { asInvoiceId, type InvoiceId } from '../../../core/base/ids.ts'
import { type Address, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { CheckoutView, PayerAuthorization } from '../../../core/checkout/view.ts'
import type { Authorization } from '../../../core/x402/terms.ts'
import { recordTransfers } from '../../../store/invoice/payments.ts'
import { workerConfig } from '../servers/chain.ts'
import { asWorker } from '../servers/database.ts'
import { eventually } from '../servers/devStack.ts'
import { signAuthorization } from './authorizations.ts'
import { asStrings } from './requests.ts'
import type { Shop, X402Stack } from './stack.ts'

/** Invoices that payers pay on their pages by signing, at the facilitator's API. */

export interface OpenInvoice {
  readonly id: InvoiceId
  readonly sessionId: string
  readonly deposit: Address
}

/** What the payer's page posts, and what it signed. */
export interface SignedBody {
  readonly authorization: Authorization
  readonly signature: Hex
  readonly body: Readonly<Record<string, string>>
}

export const AMOUNT = 2_500_000n

/** An invoice of 2.5 USDC. */
export async function newInvoice(
  stack: X402Stack,
  change: Record<string, unknown> = {},
  shop: Shop = stack.merchant,
): Promise<OpenInvoice> {
  const response = await stack.fetch('/v1/invoices', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-key': shop.secretKey },
    body: JSON.stringify({ tokenSymbol: 'USDC', amountExpected: '2.5', ...change }),
  })
  const { data } = await response.json()
  const sessionId = String(data.checkoutUrl).split('/').at(-1) ?? ''
  const { payment } = await viewOf(stack, { sessionId })
  const [address] = payment?.addresses ?? []
  if (address === undefined) throw new Error(`there is no invoice: ${JSON.stringify(data)}`)
  return { id: asInvoiceId(data.id), sessionId, deposit: lowerCaseAddress(address.address) }
}

/** The payer's view. */
export async function viewOf(
  stack: X402Stack,
  { sessionId }: Pick<OpenInvoice, 'sessionId'>,
): Promise<CheckoutView> {
  const response = await stack.fetch(`/v1/checkout/sessions/${sessionId}`)
  return (await response.json()).data
}

/** What the page would post, in order but for the change. */
export async function sign(
  stack: X402Stack,
  { deposit }: OpenInvoice,
  payer: PrivateKeyAccount,
  change: Partial<Authorization> = {},
): Promise<SignedBody> {
  const authorization = await stack.authorization(lowerCaseAddress(payer.address), {
    ...{ to: deposit, value: AMOUNT, validAfter: 0n, ...change },
  })
  const signature = await signAuthorization(stack.chain, payer, authorization)
  const { to: _, ...terms } = asStrings(authorization)
  return { authorization, signature, body: { networkId: 'base-sepolia', ...terms, signature } }
}

/** Posts it. The answer is what the page shows of it. */
export async function post(
  stack: X402Stack,
  { sessionId }: OpenInvoice,
  { body }: Pick<SignedBody, 'body'>,
): Promise<PayerAuthorization> {
  const response = await stack.fetch(`/v1/checkout/sessions/${sessionId}/authorizations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (response.status !== 200) throw new Error(`the API answered ${JSON.stringify(answer)}`)
  return answer.data
}

/** Waits until the page shows this of the newest signature. */
export async function untilShown(
  stack: X402Stack,
  invoice: OpenInvoice,
  status: PayerAuthorization['status'],
): Promise<PayerAuthorization> {
  const shown = await eventually(
    async () => (await viewOf(stack, invoice)).authorization,
    (authorization) => authorization?.status === status,
  )
  if (shown === null) throw new Error('no signature is shown')
  return shown
}

/** Records what the chain has of transfers to the invoice, as the indexer would. */
export async function recordPaid(
  { chain, database }: X402Stack,
  invoice: OpenInvoice,
): Promise<void> {
  const { config, chain: active } = workerConfig(chain.variables())
  const { rpc } = openChain(active)
  const { number, time: blockTime } = await readHead(rpc)
  const logs = await transfersTo(rpc, [chain.usdc.address], [invoice.deposit], 0n, number)
  const { networkId } = chain
  const at = { networkId, blockTime, invoiceId: invoice.id }
  const seen = logs.map(({ from: sender, ...log }) => ({ ...log, ...at, sender }))
  await recordTransfers({ database: asWorker(database), config }, seen, new Date())
}
