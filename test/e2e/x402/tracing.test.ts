import { afterAll, beforeAll, expect, test } from 'bun:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { type Collector, startCollector } from '../../support/collector.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { startReceiver } from '../../support/webhooks.ts'
import { randomHex, signAuthorization } from '../../support/x402/authorizations.ts'
import { startX402Processes, type X402Processes } from '../../support/x402/processes.ts'
import { v2Body } from '../../support/x402/requests.ts'
import { PRICE } from '../../support/x402/stack.ts'

/** One payment is one trace, whichever processes have a part in it. */

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
