import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
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
import { withX402, withX402Client } from 'agents/x402'
import { Hono } from 'hono'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { serveStack } from '../../support/x402/channels/served.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** What stock packages put around a payment, unmodified: tools of MCP, and signed offers and receipts. */

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

test('a tool of an MCP server is paid for by an MCP client', async () => {
  const toolbox = openToolbox()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => toolbox.fetch(request),
  })
  const payer = await stack.newPayer(FUNDS)
  const client = withX402Client(new Client({ name: 'agent', version: '1.0.0' }), {
    account: payer,
    network: NETWORK,
  })
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url)))
    const call = (max: (() => Promise<boolean>) | null) =>
      client.callTool(max, { name: 'square', arguments: { number: 7 } })
    expect(await call(async () => false)).toMatchObject({ isError: true })
    expect(await balance(payer)).toBe(FUNDS)
    const { content, _meta } = await call(null)
    expect(content).toEqual([{ type: 'text', text: '49' }])
    expect(_meta?.['x402/payment-response']).toMatchObject({
      success: true,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      network: NETWORK,
      payer: payer.address.toLowerCase(),
    })
    expect(await balance(payer)).toBe(FUNDS - PRICE)
  } finally {
    await client.close()
    await server.stop(true)
  }
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

/** A server of MCP with one tool, whose facilitator is ours. */
function openToolbox() {
  const facilitator = { url: served.url }
  const recipient = checksummed(stack.merchant.forwarder)
  return createMcpHandler(() => {
    const server = withX402(new McpServer({ name: 'toolbox', version: '1.0.0' }), {
      network: NETWORK,
      recipient,
      facilitator,
    })
    const schema = { number: z.number() }
    server.paidTool('square', 'Squares a number', PRICE_USD, schema, {}, async ({ number }) => ({
      content: [{ type: 'text', text: `${number ** 2}` }],
    }))
    return server
  })
}

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

const checksummed = (address: Address): `0x${string}` => `0x${address.slice(2)}`
