import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../../support/servers/devStack.ts'
import { type FakeRpc, NOTHING_ARRIVES, startFakeRpc } from '../../support/servers/fakeRpc.ts'
import { serveStack } from '../../support/x402/channels/served.ts'
import { channelPayer, openChannelShop } from '../../support/x402/channels/shop.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** A payout that is asked for while the claim that it needs is on its way. */

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
}, 120_000)

afterAll(async () => {
  await stack?.close()
  await node?.stop()
})

test('a payout waits for the claim in flight, instead of finding nothing to settle', async () => {
  const served = serveStack(stack)
  const { chain, database, merchant } = stack
  const shop = openChannelShop({
    ...{ facilitator: served.url, payTo: merchant.forwarder, price: 70n, chain },
  })
  try {
    const { pay } = channelPayer(await stack.newPayer(100_000n), chain.client)
    expect((await pay(shop.url)).status).toBe(200)
    node.rule(NOTHING_ARRIVES)
    const claim = shop.manager.claim()
    await eventually(
      () => database`select from x402_channel_action where kind = 'claim' and status = 'pending'`,
      ({ length }) => length > 0,
    )
    const settle = shop.manager.settle()
    // Long enough for an answer that waits for nothing.
    expect(await Promise.race([settle, Bun.sleep(1_000).then(() => 'waiting')])).toBe('waiting')
    node.rule()
    await claim
    await settle
    const rows = await eventually(
      () => database`select amount from x402_payment where from_channels`,
      ({ length }) => length > 0,
    )
    expect(rows.map(({ amount }) => amount)).toEqual([70n])
  } finally {
    node.rule()
    shop.close()
    await served.close()
  }
}, 60_000)
