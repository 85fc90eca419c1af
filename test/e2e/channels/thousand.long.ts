import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { serveStack } from '../../support/x402/channels/served.ts'
import {
  type ChannelShop,
  channelPayer,
  openChannelShop,
} from '../../support/x402/channels/shop.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/**
 * What paid requests over channels cost: CHANNEL_REQUESTS (1,000) of CHANNELS (10) stock clients at a stock
 * server, from the first deposit to the payout. Gas doesn't depend on the machine.
 */

const CHANNELS = Number(process.env.CHANNELS ?? 10)
const REQUESTS = Number(process.env.CHANNEL_REQUESTS ?? 1_000)
const PRICE = 70n
/** Gas of deposits, claims and payout together, for each request. */
const GAS_MAX = 1_500

let stack: X402Stack
let served: ReturnType<typeof serveStack>
let shop: ChannelShop

beforeAll(async () => {
  stack = await startX402Stack({ chain: { mining: 250 } })
  served = serveStack(stack)
  const { forwarder: payTo } = stack.merchant
  const minDeposit = (PRICE * BigInt(REQUESTS)) / BigInt(CHANNELS)
  const { url: facilitator } = served
  shop = openChannelShop({ facilitator, payTo, price: PRICE, minDeposit, chain: stack.chain })
}, 180_000)

afterAll(async () => {
  shop?.close()
  await served?.close()
  await stack?.close()
})

test(`${REQUESTS} requests over ${CHANNELS} channels cost ${GAS_MAX} gas each at most`, async () => {
  const each = REQUESTS / CHANNELS
  const payers: PrivateKeyAccount[] = []
  for (let i = 0; i < CHANNELS; i++) payers.push(await stack.newPayer(1_000_000n))
  await Promise.all(
    payers.map(async (payer) => {
      const { pay } = channelPayer(payer, stack.chain.client)
      for (let i = 0; i < each; i++) expect((await pay(shop.url)).status).toBe(200)
    }),
  )
  const { claims } = await shop.manager.claimAndSettle()
  expect(claims.map(({ vouchers }) => vouchers)).toEqual([CHANNELS])
  const hashes = await stack.database<{ txHash: Hex; kind: string }[]>`
    select tx_hash, string_agg(distinct kind, ',') as kind from x402_channel_action
    where status = 'settled' group by tx_hash`
  let gas = 0n
  for (const { txHash: hash, kind } of hashes) {
    const { gasUsed } = await stack.chain.client.getTransactionReceipt({ hash })
    console.log(kind, gasUsed)
    gas += gasUsed
  }
  const [moved] = await stack.database<{ paid: bigint }[]>`
    select sum(moved) as paid from x402_channel_action where kind = 'settle' and status = 'settled'`
  expect(moved?.paid).toBe(BigInt(REQUESTS) * PRICE)
  console.log('gas for each request', Number(gas) / REQUESTS)
  expect(Number(gas) / REQUESTS).toBeLessThanOrEqual(GAS_MAX)
}, 900_000)
