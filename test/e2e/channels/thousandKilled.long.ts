import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Hex } from '../../../core/chain/evm.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { newPayerWithKey } from '../../support/x402/chain.ts'
import { buyAll, type MortalShop, openMortalShop } from '../../support/x402/channels/mortalShop.ts'
import { serveStack } from '../../support/x402/channels/served.ts'
import {
  beginWithdrawal,
  claimedOnChain,
  endWithdrawal,
} from '../../support/x402/channels/withdrawal.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/**
 * CHANNEL_REQUESTS (1,000) of CHANNELS (10) stock clients at a stock server that is killed CHANNEL_KILLS (20)
 * times, while one of the payers withdraws: what was served is paid for, to the unit.
 */

const CHANNELS = Number(process.env.CHANNELS ?? 10)
const REQUESTS = Number(process.env.CHANNEL_REQUESTS ?? 1_000)
const KILLS = Number(process.env.CHANNEL_KILLS ?? 20)
const PRICE = 70n
const MONEY = 1_000_000n
const EACH = REQUESTS / CHANNELS
/** Some requests are charged whose answers are lost with the server. */
const DEPOSIT = PRICE * BigInt(EACH + KILLS + 1)

let stack: X402Stack
let served: ReturnType<typeof serveStack>
let shop: MortalShop

beforeAll(async () => {
  stack = await startX402Stack({ chain: { mining: 250 } })
  served = serveStack(stack)
  shop = await openMortalShop(stack, served, { price: PRICE, minDeposit: DEPOSIT })
}, 180_000)

afterAll(async () => {
  await shop?.kill()
  await served?.close()
  await stack?.close()
})

test(`${KILLS} kills and a withdrawal in the middle of ${REQUESTS} requests lose no voucher`, async () => {
  const payers: Awaited<ReturnType<typeof newPayerWithKey>>[] = []
  for (let i = 0; i < CHANNELS; i += 1) payers.push(await newPayerWithKey(stack, MONEY))
  const [leaver] = payers
  if (leaver === undefined) throw new Error('there is no payer')
  await shop.start(60)
  // Each has its deposit before servers die: an authorization for one lasts no longer than its request.
  await Promise.all(payers.map(({ payer }) => buyAll(stack, shop, payer, 1, () => {})))
  const storage = shop.successor()
  const records = await storage.scheme.getStorage().list()
  const config = records.find(
    (one) => one.channelConfig.payer === leaver.payer.address,
  )?.channelConfig
  if (config === undefined) throw new Error('the server has stored nothing')

  let count = 0
  let isDone = false
  const onServed = () => {
    count += 1
    if (count === Math.floor(REQUESTS / 3)) void beginWithdrawal(stack, leaver.key, config, DEPOSIT)
  }
  const kills = (async () => {
    for (let i = 0; i < KILLS && !isDone; i += 1) {
      await Bun.sleep(200 + Math.random() * 800)
      await shop.kill()
      await shop.start(1)
    }
  })()
  await Promise.all(payers.map(({ payer }) => buyAll(stack, shop, payer, EACH, onServed)))
  isDone = true
  await kills
  await shop.kill()

  const last = await storage.scheme.getStorage().list()
  expect(last).toHaveLength(CHANNELS)
  const charged = last.map((one) => BigInt(one.chargedCumulativeAmount))
  for (const amount of charged) expect(amount).toBeGreaterThanOrEqual(PRICE * BigInt(EACH))
  await storage.manager.claimAndSettle()
  storage.close()
  for (const { channelId, chargedCumulativeAmount } of last) {
    const id: Hex = `0x${channelId.slice(2)}`
    expect(await claimedOnChain(stack, id)).toBe(BigInt(chargedCumulativeAmount))
  }
  const total = charged.reduce((sum, amount) => sum + amount, 0n)
  await eventually(
    () => stack.database<{ paid: bigint | null }[]>`
      select sum(amount) as paid from x402_payment where from_channels and confirmed_at is not null`,
    ([row]) => row?.paid === total,
    60_000,
  )
  await endWithdrawal(stack, leaver.key, config)
  const own = last.find((one) => one.channelConfig.payer === leaver.payer.address)
  // The withdrawal took what was left of the first deposit, which was all.
  expect(await stack.chain.balance(leaver.payer.address)).toBe(
    MONEY - BigInt(own?.chargedCumulativeAmount ?? 0),
  )
  console.log(`${KILLS} kills, ${REQUESTS} requests: ${total} charged, claimed and booked`)
}, 1_800_000)
