import { afterAll, beforeAll, expect, test } from 'bun:test'
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactEvmScheme as ExactEvmServer } from '@x402/evm/exact/server'
import {
  createEIP712OfferReceiptIssuer,
  createOfferReceiptExtension,
  declareOfferReceiptExtension,
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  isEIP712SignedOffer,
  isEIP712SignedReceipt,
  verifyOfferSignatureEIP712,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureEIP712,
} from '@x402/extensions/offer-receipt'
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { paymentMiddleware } from '@x402/hono'
import { Hono } from 'hono'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { lowerCaseAddress } from '../../../../core/chain/evm.ts'
import { serveStack } from '../../../support/x402/channels/served.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** What stock packages put around a payment, unmodified: signed offers and receipts. */

const NETWORK = 'eip155:84532'
const FUNDS = 1_000_000n
const PRICE_USD = 0.01
const PRICE = 10_000n

let stack: X402Stack
let served: ReturnType<typeof serveStack>

beforeAll(async () => {
  stack = await startX402Stack()
  served = serveStack(stack)
}, 120_000)

afterAll(async () => {
  await served?.close()
  await stack?.close()
}, 60_000)

test('offers and receipts that a server signs reach the payer as they were signed', async () => {
  const signer = privateKeyToAccount(generatePrivateKey())
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: openSigningShop(signer).fetch })
  const url = new URL('/report', server.url).href
  const payer = await stack.newPayer(FUNDS)
  try {
    const challenge = await fetch(url)
    const required = JSON.parse(atob(challenge.headers.get('PAYMENT-REQUIRED') ?? ''))
    const [offer] = extractOffersFromPaymentRequired(required)
    if (!offer || !isEIP712SignedOffer(offer)) throw new Error('the server has signed no offer')
    expect((await verifyOfferSignatureEIP712(offer)).signer).toBe(signer.address)

    const pay = wrapFetchWithPaymentFromConfig(fetch, {
      schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(payer) }],
    })
    const response = await pay(url)
    expect(response.status).toBe(200)
    const receipt = extractReceiptFromResponse(response)
    if (!receipt || !isEIP712SignedReceipt(receipt)) throw new Error('there is no receipt')
    expect((await verifyReceiptSignatureEIP712(receipt)).signer).toBe(signer.address)
    const [decoded] = decodeSignedOffers([offer])
    if (!decoded) throw new Error('the offer can not be read')
    expect(verifyReceiptMatchesOffer(receipt, decoded, [payer.address])).toBe(true)
    const [paid] = await stack.database<{ txHash: string }[]>`
      select tx_hash from x402_payment where payer = ${lowerCaseAddress(payer.address)}`
    const settled = response.headers.get('PAYMENT-RESPONSE') ?? ''
    const shown = decodePaymentResponseHeader(settled)
    expect(shown.transaction).toBe(paid?.txHash ?? 'none')
    expect(shown.extensions).toMatchObject({ remit: { paymentId: expect.any(String) } })
    expect(await balance(payer)).toBe(FUNDS - PRICE)
  } finally {
    await server.stop(true)
  }
}, 60_000)

/** A server that signs what it offers, and receipts of what it has served. */
function openSigningShop(signer: PrivateKeyAccount): Hono {
  const issuer = createEIP712OfferReceiptIssuer(
    `did:pkh:eip155:1:${signer.address}#key`,
    ({ domain, types, primaryType, message }) =>
      signer.signTypedData({ domain, types, primaryType, message }),
  )
  const resources = new x402ResourceServer(new HTTPFacilitatorClient({ url: served.url }))
    .register(NETWORK, new ExactEvmServer())
    .registerExtension(createOfferReceiptExtension(issuer))
  const { forwarder: payTo } = stack.merchant
  const accepts = { scheme: 'exact', network: NETWORK, payTo, price: PRICE_USD } as const
  const extensions = declareOfferReceiptExtension()
  return new Hono()
    .use(paymentMiddleware({ 'GET /report': { accepts, extensions } }, resources))
    .get('/report', (context) => context.json({ report: 'sunny' }))
}

const balance = (payer: PrivateKeyAccount) => stack.chain.balance(lowerCaseAddress(payer.address))
