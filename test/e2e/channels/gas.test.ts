import { afterAll, beforeAll, expect, test } from 'bun:test'
import { channelOf } from '../../support/x402/channels/ownChannel.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** Money that goes into a channel and back again earns no one anything: how often relayers pay for that. */

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack({
    chain: { mining: 100 },
    // A deposit and a refund, and what is read before them.
    variables: { MIN_X402_USDC_BASE_SEPOLIA: '0.0001', REQUEST_BUDGET: '230' },
  })
}, 120_000)

afterAll(() => stack?.close())

test('who brings no key has a deposit and a refund carried out as often as the budget allows', async () => {
  const payer = await stack.newPayer(1_000n)
  const { deposit, refund } = await channelOf(stack, payer)
  expect(await stack.settle(await deposit(1_000n))).toMatchObject({ success: true })
  expect(await stack.settle(await refund(99n, 0n))).toMatchObject({
    error: 'invalid_payment_requirements',
    errorMessage: 'a refund must be 100 base units at least, or all that is left',
  })
  expect(await stack.settle(await refund(910n, 0n))).toMatchObject({ amount: '910' })
  expect(stack.settle(await refund(1_000n, 1n))).rejects.toThrow('429')
  const headers = { 'X-Service-Key': stack.merchant.secretKey }
  expect(await stack.settle(await refund(1_000n, 1n), { headers })).toMatchObject({ amount: '90' })
  expect(await stack.chain.balance(payer.address)).toBe(1_000n)
}, 60_000)
