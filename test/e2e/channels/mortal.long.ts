import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { PrivateKeyAccount } from 'viem/accounts'
import { buyAll, type MortalShop, openMortalShop } from '../../support/x402/channels/mortalShop.ts'
import { serveStack } from '../../support/x402/channels/served.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** A merchant's stock server that keeps its channels with Remit loses no voucher when it is killed. */

const PRICE = 70n
const REQUESTS = 12
/** After so many served requests, with others under way. */
const KILLS = [9, 17]

let stack: X402Stack
let served: ReturnType<typeof serveStack>
let shop: MortalShop

beforeAll(async () => {
  stack = await startX402Stack({ chain: { mining: 100 } })
  served = serveStack(stack)
  shop = await openMortalShop(stack, served, { price: PRICE, minDeposit: 2_000n })
}, 180_000)

afterAll(async () => {
  await shop?.kill()
  await served?.close()
  await stack?.close()
})

test('what was served is claimed to the unit by another process, and nothing that was not signed', async () => {
  const payers: PrivateKeyAccount[] = []
  for (let i = 0; i < 2; i++) payers.push(await stack.newPayer(100_000n))
  let [count, killed] = [0, 0]
  let death = Promise.resolve()
  const onServed = () => {
    count += 1
    if (count !== KILLS[killed]) return
    killed += 1
    death = Bun.sleep(3)
      .then(shop.kill)
      .then(() => shop.start(1))
  }
  // A killed server's channel is busy for as long as its last request may take.
  await shop.start(20)
  await Promise.all(payers.map((payer) => buyAll(stack, shop, payer, REQUESTS, onServed)))
  await death
  await shop.kill()
  expect(killed).toBe(KILLS.length)

  const successor = shop.successor()
  const records = await successor.scheme.getStorage().list()
  const earned = BigInt(REQUESTS) * PRICE
  for (const { chargedCumulativeAmount, signedMaxClaimable } of records) {
    expect(BigInt(chargedCumulativeAmount)).toBeGreaterThanOrEqual(earned)
    expect(BigInt(chargedCumulativeAmount)).toBeLessThanOrEqual(BigInt(signedMaxClaimable))
  }
  expect(records).toHaveLength(2)
  const charged = records.reduce((sum, one) => sum + BigInt(one.chargedCumulativeAmount), 0n)
  await successor.manager.claimAndSettle()
  successor.close()
  const [paid] = await stack.database<{ moved: bigint }[]>`
    select moved from x402_channel_action where kind = 'settle' and status = 'settled'`
  expect(paid?.moved).toBe(charged)
}, 120_000)
