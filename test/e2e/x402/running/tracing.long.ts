import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createWalletClient, erc20Abi, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { lowerCaseAddress } from '../../../../core/chain/evm.ts'
import { type Collector, startCollector } from '../../../support/collector.ts'
import { eventually } from '../../../support/servers/devStack.ts'
import { startReceiver } from '../../../support/webhooks.ts'
import { randomHex, signAuthorization } from '../../../support/x402/authorizations.ts'
import { startX402Processes, type X402Processes } from '../../../support/x402/processes.ts'
import { v2Body } from '../../../support/x402/requests.ts'
import { PRICE } from '../../../support/x402/stack.ts'

/** A payment, an invoice and a refund are one trace each, whichever processes have a part in it. */

let collector: Collector
let stack: X402Processes

beforeAll(async () => {
  collector = startCollector()
  stack = await startX402Processes({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  })
}, 120_000)

afterAll(async () => {
  await stack?.close()
  await collector?.stop()
}, 120_000)

/** Asks the API as the merchant, in a caller's trace if there is one; the data of its answer. */
async function ask(path: string, body: unknown, traceId?: string): Promise<AskedFor> {
  const traceparent = traceId === undefined ? {} : { traceparent: `00-${traceId}-${CALLER}-01` }
  const response = await fetch(`http://127.0.0.1:${stack.variables.PORT}${path}`, {
    method: 'POST',
    headers: {
      ...{ 'X-Service-Key': stack.merchant.secretKey, 'content-type': 'application/json' },
      ...traceparent,
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  const { data }: { data: AskedFor } = await response.json()
  return data
}

interface AskedFor {
  readonly id: string
  readonly addresses: readonly { readonly address: string }[]
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

async function payment() {
  const payer = privateKeyToAccount(generatePrivateKey())
  await stack.chain.mint([{ to: payer.address, amount: 10_000_000n }])
  const { timestamp } = await stack.chain.client.getBlock()
  const authorization = {
    from: lowerCaseAddress(payer.address),
    to: stack.merchant.forwarder,
    value: PRICE,
    validAfter: 0n,
    validBefore: timestamp + 3_600n,
    nonce: randomHex(32),
  }
  const signature = await signAuthorization(stack.chain, payer, authorization)
  return v2Body(stack.requirements, authorization, signature)
}

function spansOf(traceId: string) {
  return collector.spans.filter((span) => span.traceId === traceId)
}

test('a payment is one trace over API, worker and webhook, in the trace of its caller', async () => {
  const receiver = startReceiver()
  const made = await fetch(`http://127.0.0.1:${stack.variables.PORT}/v1/webhooks/endpoints`, {
    method: 'POST',
    headers: { 'X-Service-Key': stack.merchant.secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiver.url }),
  })
  expect(made.status).toBe(201)
  const answer = await stack.settle(await payment(), { traceparent: `00-${TRACE}-${CALLER}-01` })
  expect(answer.success).toBe(true)
  const parts = ['claim', 'receipt', 'relayer', 'webhook']
  const names = await eventually(
    async () => [...new Set(spansOf(TRACE).map(({ name }) => name))].sort(),
    (found) => parts.every((name) => found.includes(name)) && found.length === 5,
    30_000,
  )
  expect(names).toEqual(['POST /v1/x402/settle', ...parts])
  const spans = spansOf(TRACE)
  const root = spans.find(({ name }) => name.startsWith('POST'))
  expect(root).toMatchObject({ service: 'remit-api', parentSpanId: CALLER })
  for (const span of spans.filter((one) => one !== root)) {
    expect(span).toMatchObject({ service: 'remit-worker', parentSpanId: root?.spanId })
  }
  const relayer = spans.find(({ name }) => name === 'relayer')
  expect(relayer?.attributes['remit.tx_hash']).toBe(answer.transaction)

  // Without a caller's trace it is the one that the client sees; and none where the caller records none.
  const seen = await fetch(`http://127.0.0.1:${stack.variables.PORT}/health`)
  const own = (seen.headers.get('x-trace-id') ?? '').replaceAll('-', '')
  await stack.settle(await payment(), { traceparent: `00-${'5'.repeat(32)}-${CALLER}-00` })
  await stack.settle(await payment(), { traceparent: `00-${'0'.repeat(32)}-${CALLER}-01` })
  await eventually(
    async () => spansOf(own).length,
    (count) => count === 1,
    10_000,
  )
  expect(spansOf(own)[0]).toMatchObject({ name: 'GET /health', parentSpanId: null })
  await eventually(
    async () => collector.spans.filter(({ name }) => name === 'POST /v1/x402/settle').length,
    (count) => count === 2,
    10_000,
  )
  expect(spansOf('5'.repeat(32))).toEqual([])
  expect(spansOf('0'.repeat(32))).toEqual([])
  await receiver.stop()
}, 120_000)

/** An invoice in a trace of its own, and a payment that is submitted, since no indexer runs here. */
async function paidInvoice(traceId: string, amounts: { asked: string; paid: bigint }) {
  const { chain } = stack
  const { id, addresses } = await ask(
    '/v1/invoices',
    { tokenSymbol: 'USDC', amountExpected: amounts.asked },
    traceId,
  )
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.mint([{ to: payer.address, amount: amounts.paid }])
  await chain.node.rpc('anvil_setBalance', [payer.address, '0xde0b6b3a7640000'])
  const wallet = createWalletClient({ account: payer, transport: http(chain.node.url) })
  const txHash = await wallet.writeContract({
    chain: null,
    address: chain.usdc.address,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [lowerCaseAddress(addresses[0]?.address ?? ''), amounts.paid],
  })
  await chain.client.waitForTransactionReceipt({ hash: txHash, pollingInterval: 50 })
  await ask(`/v1/invoices/${id}/transactions`, { networkId: chain.networkId, txHash })
  return { id, payer: payer.address }
}

/** All parts of a trace, once its worker and its webhook have sent theirs. */
async function wholeTrace(
  traceId: string,
  objectId: string,
  kind: string,
  events: readonly string[],
) {
  const of = (attribute: string) => spansOf(traceId).map((span) => span.attributes[attribute])
  await eventually(
    async () => [...spansOf(traceId).map(({ name }) => name), ...of('remit.event_type')],
    (found) => [...events, 'receipt'].every((one) => found.includes(one)),
    60_000,
  )
  const spans = spansOf(traceId)
  const root = spans.find(({ service }) => service === 'remit-api')
  for (const span of spans.filter((one) => one !== root)) {
    expect(span).toMatchObject({ service: 'remit-worker', parentSpanId: root?.spanId })
    if (span.name === 'webhook') continue
    expect(span.attributes).toMatchObject({ 'remit.kind': kind, 'remit.object_id': objectId })
  }
  const names = spans.map(({ name }) => name).filter((name) => name !== 'webhook')
  expect(names.toSorted()).toEqual([root?.name ?? '', 'claim', 'receipt', 'relayer'].toSorted())
  return root
}

test('an invoice is one trace, from its creation to the webhook of its settlement, and a refund another', async () => {
  const receiver = startReceiver()
  await ask('/v1/webhooks/endpoints', { url: receiver.url })
  const [ofInvoice, ofPartial, ofRefund] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)]
  const sold = await paidInvoice(ofInvoice, { asked: '1', paid: 1_000_000n })
  const events = ['invoice.created', 'invoice.paid', 'invoice.completed']
  const root = await wholeTrace(ofInvoice, sold.id, 'sweep', events)
  expect(root).toMatchObject({ name: 'POST /v1/invoices', parentSpanId: CALLER })

  const partial = await paidInvoice(ofPartial, { asked: '5', paid: 2_000_000n })
  await eventually(
    async () => spansOf(ofPartial).map(({ attributes }) => attributes['remit.event_type']),
    (types) => types.includes('invoice.partially_paid'),
    60_000,
  )
  const refund = await ask(
    `/v1/invoices/${partial.id}/refunds`,
    { amount: '2', address: partial.payer, idempotencyKey: 'back' },
    ofRefund,
  )
  const refunded = await wholeTrace(ofRefund, refund.id, 'refund', [
    'refund.created',
    'refund.completed',
  ])
  expect(refunded).toMatchObject({ name: 'POST /v1/invoices/:id/refunds', parentSpanId: CALLER })
  // What is refunded of an invoice is no part of the invoice's own trace.
  expect(spansOf(ofPartial).map(({ name }) => name)).not.toContain('relayer')
  await receiver.stop()
}, 180_000)
