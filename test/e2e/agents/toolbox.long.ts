import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { withX402, withX402Client } from 'agents/x402'
import type { PrivateKeyAccount } from 'viem/accounts'
import { z } from 'zod'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { serveStack } from '../../support/x402/channels/served.ts'
import { newInvoice } from '../../support/x402/invoices.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/**
 * `bun run check:agents`: tools of MCP that are paid for, and invoices, by the stock package. It has a hundred dependencies of
 * its own, which are installed beside this file and for this test alone.
 */

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

test('an invoice is paid by an MCP client, through a tool that passes its x402Url on', async () => {
  const desk = openDesk()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => desk.fetch(request),
  })
  const payer = await stack.newPayer(FUNDS)
  const client = withX402Client(new Client({ name: 'agent', version: '1.0.0' }), {
    account: payer,
    network: NETWORK,
  })
  try {
    const invoice = await newInvoice(stack, '0.05')
    const url = served.api + new URL(invoice.x402Url).pathname
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url)))
    const { content, _meta } = await client.callTool(null, { name: 'pay', arguments: { url } })
    const [{ text = '' } = {}] = z.array(z.object({ text: z.string() })).parse(content)
    expect(JSON.parse(text)).toMatchObject({ invoiceId: invoice.id, amount: '50000' })
    expect(_meta?.['x402/payment-response']).toMatchObject({ success: true, network: NETWORK })
    expect(await balance(payer)).toBe(FUNDS - 50_000n)
  } finally {
    await client.close()
    await server.stop(true)
  }
}, 60_000)

/** A server of MCP whose tool pays invoices: the 402 response becomes the tool's, and the payment the request's. */
function openDesk() {
  return createMcpHandler(() => {
    const server = new McpServer({ name: 'desk', version: '1.0.0' })
    const inputSchema = z.object({ url: z.string() })
    const about = { description: 'Pays an invoice', inputSchema }
    server.registerTool('pay', about, async ({ url }, extra) => {
      const payment = extra.mcpReq._meta?.['x402/payment']
      const response = await fetch(url, {
        headers: typeof payment === 'string' ? { 'PAYMENT-SIGNATURE': payment } : {},
      })
      const header = (name: string) => {
        const value = response.headers.get(name)
        return value === null ? undefined : JSON.parse(Buffer.from(value, 'base64').toString())
      }
      const content = [{ type: 'text' as const, text: await response.text() }]
      return response.ok
        ? { content, _meta: { 'x402/payment-response': header('PAYMENT-RESPONSE') } }
        : { isError: true, content, _meta: { 'x402/error': header('PAYMENT-REQUIRED') } }
    })
    return server
  })
}

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

const balance = (payer: PrivateKeyAccount) => stack.chain.balance(lowerCaseAddress(payer.address))

const checksummed = (address: Address): `0x${string}` => `0x${address.slice(2)}`
