import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PrivateKeyAccount } from 'viem/accounts'
import { serveStack } from '../../support/x402/channels/served.ts'
import {
  type ChannelShop,
  channelPayer,
  openChannelShop,
} from '../../support/x402/channels/shop.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** The stock packages' server and client of "batch-settlement", unmodified, against this facilitator. */

let stack: X402Stack
let served: ReturnType<typeof serveStack>
let shop: ChannelShop
const PRICE = 70n

beforeAll(async () => {
  stack = await startX402Stack({ chain: { mining: 100 } })
  served = serveStack(stack)
  shop = openChannelShop({
    facilitator: served.url,
    payTo: stack.merchant.forwarder,
    price: PRICE,
    chain: stack.chain,
  })
})

afterAll(async () => {
  shop?.close()
  await served?.close()
  await stack?.close()
})

test('deposits, vouchers, claims and payouts of many payers are carried out and booked to the unit', async () => {
  const payers: PrivateKeyAccount[] = []
  for (let i = 0; i < 3; i++) payers.push(await stack.newPayer(100_000n))
  const clients = payers.map((payer) => channelPayer(payer, stack.chain.client))
  await Promise.all(
    clients.map(async ({ pay }) => {
      for (let i = 0; i < 4; i++) {
        const response = await pay(shop.url)
        expect(response.status, await response.clone().text()).toBe(200)
      }
    }),
  )
  const { claims, settle } = await shop.manager.claimAndSettle()
  expect(claims.map(({ vouchers }) => vouchers)).toEqual([3])
  expect(settle?.transaction).toMatch(/^0x[0-9a-f]{64}$/)

  const paid = 12n * PRICE
  const { database, merchant } = stack
  const booked = await eventually(async () => {
    const rows = await database<{ amount: bigint; fee: bigint | null; fromChannels: boolean }[]>`
      select amount, fee, from_channels from x402_payment where merchant_id = ${merchant.id}`
    return rows[0]?.fee == null ? null : rows
  })
  expect(booked.map(({ amount, fromChannels }) => ({ amount, fromChannels }))).toEqual([
    { amount: paid, fromChannels: true },
  ])
  const [payout] = await database<{ remitted: bigint; fee: bigint; unattributed: bigint }[]>`
    select remitted, fee, unattributed from x402_distribution where merchant_id = ${merchant.id}`
  expect(payout?.unattributed).toBe(0n)
  const held = await stack.chain.balance(merchant.forwarder)
  expect((payout?.remitted ?? 0n) + (payout?.fee ?? 0n) + held).toBe(paid)
  const channels = await database<{ balance: bigint; totalClaimed: bigint }[]>`
    select balance, total_claimed from x402_channel where merchant_id = ${merchant.id}`
  expect(channels.map((channel) => ({ ...channel }))).toEqual(
    payers.map(() => ({ balance: 10n * PRICE, totalClaimed: 4n * PRICE })),
  )
}, 60_000)

test('a payer gets back what is left, by a refund that the server signs', async () => {
  const payer = await stack.newPayer(10_000n)
  const { pay, scheme } = channelPayer(payer, stack.chain.client)
  expect((await pay(shop.url)).status).toBe(200)
  const refund = await scheme.refund(shop.url)
  expect(refund).toMatchObject({ success: true, amount: (9n * PRICE).toString() })
  expect(await stack.chain.balance(payer.address)).toBe(10_000n - PRICE)
}, 60_000)

async function eventually<T>(read: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await read()
    if (found !== null) return found
    await Bun.sleep(100)
  }
}
