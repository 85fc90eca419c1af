/**
 * `bun run example:client [url]`: pays for a URL with the stock client `@x402/fetch`, served by any of the
 * example servers. The payer signs and needs USDC but no gas. PAYER_KEY is its private
 * key; the default is the stack's faucet.
 */
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { faucetPrivateKey } from './stack.ts'

const { PAYER_KEY } = process.env
const payer = privateKeyToAccount(isHex(PAYER_KEY) ? PAYER_KEY : faucetPrivateKey)
const client = new x402Client()
  .register('eip155:*', new ExactEvmScheme(payer))
  .registerV1('base-sepolia', new ExactEvmSchemeV1(payer))
const fetchAndPay = wrapFetchWithPayment(fetch, client)

const response = await fetchAndPay(process.argv[2] ?? 'http://localhost:4021/report')
console.log(response.status, await response.text())
const { headers } = response
const header = headers.get('PAYMENT-RESPONSE') ?? headers.get('X-PAYMENT-RESPONSE')
if (header !== null) console.log(decodePaymentResponseHeader(header))
process.exit(response.ok ? 0 : 1)
