import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Collector, startCollector } from '../../support/collector.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { serveStack } from '../../support/x402/channels/served.ts'
import {
  type ChannelShop,
  channelPayer,
  openChannelShop,
} from '../../support/x402/channels/shop.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** What is done with a channel is one trace, from the request to the chain's confirmations. */

let collector: Collector
let stack: X402Stack
let served: ReturnType<typeof serveStack>
let shop: ChannelShop

beforeAll(async () => {
  process.env.OTEL_BSP_SCHEDULE_DELAY = '100'
  collector = startCollector()
  stack = await startX402Stack({ chain: { mining: 100 }, traces: `${collector.url}/v1/traces` })
  served = serveStack(stack)
  shop = openChannelShop({
    facilitator: served.url,
    payTo: stack.merchant.forwarder,
    price: 70n,
    chain: stack.chain,
  })
})

afterAll(async () => {
  shop?.close()
  await served?.close()
  await stack?.close()
  await collector?.stop()
})

test('a deposit, a claim and a payout are a trace each', async () => {
  const { pay } = channelPayer(await stack.newPayer(100_000n), stack.chain.client)
  expect((await pay(shop.url)).status).toBe(200)
  await shop.manager.claimAndSettle()
  const actions = await stack.database<{ id: string }[]>`select id from x402_channel_action`
  expect(actions).toHaveLength(3)
  for (const { id } of actions) {
    const spans = await eventually(
      async () => collector.spans.filter((one) => one.attributes['remit.object_id'] === id),
      (found) => found.length === 3,
    )
    expect(spans.map(({ name }) => name).toSorted()).toEqual(['claim', 'receipt', 'relayer'])
    const [traceId, ...others] = new Set(spans.map((span) => span.traceId))
    expect(others).toEqual([])
    // Each process sends what it has when its own time comes.
    const [root] = await eventually(
      async () =>
        collector.spans.filter((span) => span.traceId === traceId && span.service === 'remit-api'),
      (found) => found.length > 0,
    )
    expect(root?.name).toBe('POST /v1/x402/settle')
    for (const span of spans) expect(span.parentSpanId).toBe(root?.spanId ?? null)
  }
}, 60_000)
