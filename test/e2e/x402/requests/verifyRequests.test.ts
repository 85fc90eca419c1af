import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type FakeRpc, startFakeRpc } from '../../../support/servers/fakeRpc.ts'
import { present } from '../../../support/x402/cases.ts'
import { submitByOther } from '../../../support/x402/chain.ts'
import { channelPayer, openChannelShop } from '../../../support/x402/channels/shop.ts'
import { approvePermit2, openPermitShop, payByPermit } from '../../../support/x402/permitShops.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** How many requests one verify sends to a node, for each way to pay. */

const MOST = 3

let stack: X402Stack
/** What the API reads through; it counts. */
let reading: FakeRpc
let api: ReturnType<typeof Bun.serve>
/** The requests of each verify, by its scheme. */
const counted = new Map<string, number[]>()
/** The newest body of verify. */
let verified = ''

beforeAll(async () => {
  stack = await startX402Stack({
    chain: { mining: 100 },
    variables: { REQUEST_BUDGET: '1000' },
    apiRpcUrl: (node) => {
      reading = startFakeRpc(node)
      return reading.url
    },
  })
  // A URL is asked which chain it is before its answers count, whoever comes first.
  await stack.verify((await present(stack)).body)
  api = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 60, fetch: forward })
}, 180_000)

afterAll(async () => {
  await api?.stop(true)
  await stack?.close()
  await reading?.stop()
})

async function forward(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const { method, headers } = request
  const text = method === 'POST' ? await request.text() : undefined
  const before = reading.requestCount()
  const body = text === undefined ? {} : { body: text }
  const response = await stack.fetch(pathname + search, { method, headers, ...body })
  if (pathname.endsWith('/verify')) {
    count(schemeOf(text), reading.requestCount() - before)
    verified = text ?? ''
  }
  return response
}

/** The scheme that a body asks for. */
function schemeOf(body = '{}'): string {
  const { paymentRequirements } = JSON.parse(body)
  return String(paymentRequirements?.scheme)
}

function count(scheme: string, requests: number): void {
  counted.set(scheme, [...(counted.get(scheme) ?? []), requests])
}

const facilitator = () => `http://127.0.0.1:${api.port}/v1/x402` as const

function expectFew(scheme: string): void {
  const counts = counted.get(scheme) ?? []
  expect(counts.length).toBeGreaterThan(0)
  expect(Math.max(...counts)).toBeLessThanOrEqual(MOST)
  counted.clear()
}

test('exact by EIP-3009 asks at most three times, used or not', async () => {
  const [good, used] = [await present(stack), await present(stack)]
  await submitByOther(stack, used)
  for (const { body } of [good, used, used]) {
    await fetch(`${facilitator()}/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }
  expectFew('exact')
}, 60_000)

test.each(['exact', 'upto'] as const)(
  '%s by Permit2 asks at most three times',
  async (scheme) => {
    const terms = {
      ...{ asset: stack.chain.usdc.address, payTo: stack.merchant.forwarder },
      network: `eip155:${stack.chain.node.chainId}`,
      key: stack.merchant.secretKey,
    } as const
    for (const isSponsored of [false, true]) {
      const shop = openPermitShop(facilitator(), scheme, terms, isSponsored)
      const payer = await stack.newPayer(100_000n)
      if (!isSponsored) await approvePermit2(stack.chain, payer)
      for (let i = 0; i < 2; i += 1) {
        expect((await payByPermit(shop.url, payer, stack.chain.node.url)).status).toBe(200)
      }
      shop.close()
    }
    expectFew(scheme)
  },
  60_000,
)

test('channels ask at most three times, for a deposit and for a voucher', async () => {
  const { chain, merchant } = stack
  const shop = openChannelShop({
    ...{ facilitator: facilitator(), payTo: merchant.forwarder, price: 70n, chain },
  })
  const { pay } = channelPayer(await stack.newPayer(100_000n), chain.client)
  for (let i = 0; i < 3; i += 1) expect((await pay(shop.url)).status).toBe(200)
  shop.close()
  expectFew('batch-settlement')
}, 60_000)

test('what is read of channels for one caller alone is paid for by its address', async () => {
  expect(schemeOf(verified)).toBe('batch-settlement')
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: verified }
  const calls = Array.from({ length: 300 }, () => stack.fetch('/v1/x402/verify', init))
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
}, 60_000)
