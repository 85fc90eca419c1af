import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  approvePermit2,
  MAXIMUM,
  openPermitShop,
  type PermitShop,
  payByPermit,
} from '../../../support/x402/permitShops.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'
import { untilAtRest } from '../../../support/x402/truth.ts'

/** Stock clients and servers that pay by Permit2, with this facilitator. */

let stack: X402Stack
let api: ReturnType<typeof Bun.serve>
let upto: PermitShop
let exact: PermitShop
let sponsored: PermitShop

beforeAll(async () => {
  stack = await startX402Stack()
  api = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      const body = method === 'POST' ? { body: await request.text() } : {}
      return stack.fetch(`${pathname}${search}`, { method, headers, ...body })
    },
  })
  const facilitator = `http://127.0.0.1:${api.port}/v1/x402` as const
  const terms = {
    asset: stack.chain.usdc.address,
    payTo: stack.merchant.forwarder,
    network: `eip155:${stack.chain.node.chainId}`,
    key: stack.merchant.secretKey,
  } as const
  upto = openPermitShop(facilitator, 'upto', terms)
  exact = openPermitShop(facilitator, 'exact', terms)
  sponsored = openPermitShop(facilitator, 'upto', terms, true)
}, 180_000)

afterAll(async () => {
  for (const shop of [upto, exact, sponsored]) shop?.close()
  api?.stop(true)
  await stack?.close()
}, 180_000)

const FUNDS = 1_000_000n

async function newPayer() {
  const payer = await stack.newPayer(FUNDS)
  await approvePermit2(stack.chain, payer)
  return payer
}

const spentBy = async ({ address }: { address: string }) =>
  FUNDS - (await stack.chain.balance(address as `0x${string}`))

describe('upto', () => {
  test('settles exactly what the server says at the end', async () => {
    const payer = await newPayer()
    const paid = await payByPermit(`${upto.url}?use=1858`, payer, stack.chain.node.url)
    expect(paid.status).toBe(200)
    expect(paid.settled).toMatchObject({ success: true, amount: '1858' })
    expect(await spentBy(payer)).toBe(1858n)
  })

  test('settles the maximum when the server says nothing', async () => {
    const payer = await newPayer()
    const paid = await payByPermit(upto.url, payer, stack.chain.node.url)
    expect(paid.settled).toMatchObject({ success: true, amount: MAXIMUM.toString() })
    expect(await spentBy(payer)).toBe(MAXIMUM)
  })

  test('settles 0 without a transaction', async () => {
    const payer = await newPayer()
    const paid = await payByPermit(`${upto.url}?use=0`, payer, stack.chain.node.url)
    expect(paid.status).toBe(200)
    expect(paid.settled).toMatchObject({ success: true, transaction: '', amount: '0' })
    expect(await spentBy(payer)).toBe(0n)
  })

  test('refuses more than the payer has signed for', async () => {
    const payer = await newPayer()
    const paid = await payByPermit(`${upto.url}?use=20001`, payer, stack.chain.node.url)
    expect(paid.status).toBe(402)
    expect(paid.settled).toMatchObject({
      success: false,
      errorReason: 'invalid_upto_evm_payload_settlement_exceeds_amount',
    })
    expect(await spentBy(payer)).toBe(0n)
  })

  test('needs no approval beforehand where an EIP-2612 permit goes along', async () => {
    const payer = await stack.newPayer(FUNDS)
    const paid = await payByPermit(`${sponsored.url}?use=7`, payer, stack.chain.node.url)
    expect(paid.settled).toMatchObject({ success: true, amount: '7' })
    expect(await spentBy(payer)).toBe(7n)
  })
})

test('exact by Permit2 pays the price', async () => {
  const payer = await newPayer()
  const paid = await payByPermit(exact.url, payer, stack.chain.node.url)
  expect(paid.status).toBe(200)
  expect(paid.settled).toMatchObject({ success: true, amount: MAXIMUM.toString() })
  expect(await spentBy(payer)).toBe(MAXIMUM)
})

test('all that was paid is booked and paid out', async () => {
  await untilAtRest(stack.database, 90_000)
  const [row] = await stack.database<{ paid: string }[]>`
    select sum(amount) as paid from x402_payment where status = 'settled'`
  const { forwarder, recipient } = stack.merchant
  const holders = [forwarder, recipient ?? forwarder, stack.chain.collector]
  const held = await Promise.all(holders.map((holder) => stack.chain.balance(holder)))
  expect(held.reduce((sum, one) => sum + one)).toBe(BigInt(row?.paid ?? -1))
})
