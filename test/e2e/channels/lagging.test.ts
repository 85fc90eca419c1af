import { afterAll, beforeAll, expect, test } from 'bun:test'
import { CHANNELS } from '../../../core/channels/channel.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { type FakeRpc, startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { serveStack } from '../../support/x402/channels/served.ts'
import { channelPayer, openChannelShop } from '../../support/x402/channels/shop.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** Of nodes behind one URL, one may answer for a range of blocks whose last ones only another has. */

let stack: X402Stack
let node: FakeRpc

beforeAll(async () => {
  stack = await startX402Stack({
    chain: { mining: 100 },
    workerRpcUrl: (url) => {
      node = startFakeRpc(url)
      return node.url
    },
  })
  node.rule(({ method, params }) => {
    const [query] = params
    const isOfChannels = JSON.stringify(query ?? '').includes(CHANNELS.slice(2))
    const isRange = typeof query === 'object' && query !== null && 'toBlock' in query
    if (method !== 'eth_getLogs' || !isOfChannels || !isRange) return undefined
    return { type: 'result', result: [] }
  })
}, 120_000)

afterAll(async () => {
  await stack?.close()
  await node?.stop()
})

test('a payout in new blocks is booked, although a node shows nothing of their range', async () => {
  const served = serveStack(stack)
  const { chain, database, merchant } = stack
  const shop = openChannelShop({
    ...{ facilitator: served.url, payTo: merchant.forwarder, price: 70n, chain },
  })
  try {
    const { pay } = channelPayer(await stack.newPayer(100_000n), chain.client)
    expect((await pay(shop.url)).status).toBe(200)
    await shop.manager.claimAndSettle()
    const rows = await eventually(
      () => database`select amount from x402_payment where from_channels`,
      ({ length }) => length > 0,
    )
    expect(rows.map(({ amount }) => amount)).toEqual([70n])
  } finally {
    shop.close()
    await served.close()
  }
}, 60_000)
