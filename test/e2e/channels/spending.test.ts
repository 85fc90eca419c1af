import { afterAll, beforeAll, expect, test } from 'bun:test'
import { channelOf } from '../../support/x402/channels/ownChannel.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** What callers without a key can have relayers pay for, and what nodes that lag are not believed. */

const LEAST = 100n

let stack: X402Stack
let headers: Record<string, string>

beforeAll(async () => {
  stack = await startX402Stack({
    chain: { mining: 100 },
    // Less than one action that is paid for by its gas.
    variables: { MIN_X402_USDC_BASE_SEPOLIA: '0.0001', REQUEST_BUDGET: '90' },
  })
  headers = { 'X-Service-Key': stack.merchant.secretKey }
}, 120_000)

afterAll(() => stack?.close())

test('claims that bring less than the least payment each are paid for by whoever brings no key', async () => {
  const payer = await stack.newPayer(10_000n)
  const [one, other] = [await channelOf(stack, payer), await channelOf(stack, payer)]
  for (const { deposit } of [one, other]) {
    expect(await stack.settle(await deposit(1_000n), { headers })).toMatchObject({ success: true })
  }
  const claim = (a: bigint, b: bigint) =>
    one.claim(
      new Map([
        [one, a],
        [other, b],
      ]),
    )
  const dust = await claim(LEAST, 1n)
  await expect(stack.settle(dust)).rejects.toThrow('429')
  const worthIt = await claim(LEAST, LEAST)
  expect(await stack.settle(worthIt)).toMatchObject({ success: true, amount: '200' })
  const next = await claim(2n * LEAST, LEAST + 1n)
  expect(await stack.settle(next, { headers })).toMatchObject({ success: true, amount: '101' })
}, 60_000)

test('a payout is not answered from what a node says that has not seen the newest claims', async () => {
  const payer = await stack.newPayer(10_000n)
  const channel = await channelOf(stack, payer)
  const { deposit, claim, payout } = channel
  for (const body of [await deposit(1_000n), await claim(new Map([[channel, 500n]]))]) {
    expect(await stack.settle(body, { headers })).toMatchObject({ success: true })
  }
  const paid = await stack.settle(payout(), { headers })
  expect(paid).toMatchObject({ success: true })
  expect(await stack.settle(payout(), { headers })).toMatchObject({ transaction: paid.transaction })
  await stack.database`
    update x402_channel_action set block_number = block_number + 1000000 where kind = 'claim'`
  expect(await stack.settle(payout(), { headers })).toMatchObject({
    success: false,
    error: 'unexpected_settle_error',
    transaction: '',
  })
}, 60_000)
