/**
 * `bun run example:agent [url]`: pays an invoice at its `x402Url` with the stock client `@x402/fetch`, as an agent does
 * that was handed the URL. The payer signs and needs USDC but no gas. Without a URL it creates an invoice of the stack's
 * demo merchant. PAYER_KEY is the payer's private key; the default is the stack's faucet.
 */
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { apiUrl, faucetPrivateKey, secretKey } from './stack.ts'

const { PAYER_KEY } = process.env
const payer = privateKeyToAccount(isHex(PAYER_KEY) ? PAYER_KEY : faucetPrivateKey)
const pay = wrapFetchWithPaymentFromConfig(fetch, {
  schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(payer) }],
  // The stock limit is one dollar.
  spendControls: { maxAmountPerPayment: '$100' },
})

const url = process.argv[2] ?? (await createInvoice())
const response = await pay(url)
const answer = await response.json()
// A payment that is still pending continues when the same request is sent again; a new signature is never needed.
console.log(response.status, answer)
process.exit(response.ok ? 0 : 1)

/** What a merchant's server does: it creates the invoice, and hands its x402Url to the agent. */
async function createInvoice(): Promise<string> {
  const created = await fetch(`${apiUrl}/v1/invoices`, {
    method: 'POST',
    headers: { 'X-Service-Key': secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ tokenSymbol: 'USDC', amountExpected: '1', chains: ['base-sepolia'] }),
  })
  const { data, error } = await created.json()
  if (!created.ok) throw new Error(error)
  return data.x402Url
}
