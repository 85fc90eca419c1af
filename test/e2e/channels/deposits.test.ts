import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../../support/servers/devStack.ts'
import { randomHex } from '../../support/x402/authorizations.ts'
import { whileMining } from '../../support/x402/chain.ts'
import { channelOf } from '../../support/x402/channels/ownChannel.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** What payers try with deposits, which servers take for money that is there. */

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack({ chain: { mining: 'manual' } })
}, 120_000)

afterAll(() => stack?.close())

test('a deposit of less by the same nonce, which no one was answered, is no success of the one that was verified', async () => {
  const payer = await stack.newPayer(10_000n)
  const { deposit } = await channelOf(stack, payer)
  const salt = randomHex(32)
  const verified = await deposit(10_000n, salt)
  expect(await stack.verify(verified)).toMatchObject({ isValid: true })
  const hangUp = new AbortController()
  const less = await deposit(1_000n, salt)
  const first = stack.settle(less, { signal: hangUp.signal }).catch(() => null)
  const stored = () => stack.database`select status from x402_channel_action`
  await eventually(stored, ({ length }) => length === 1)
  // No block has come yet, so that nothing was answered.
  hangUp.abort()
  await first
  await whileMining(
    stack,
    eventually(stored, ([row]) => row?.status === 'settled'),
  )
  expect(await stack.settle(verified)).toMatchObject({
    success: false,
    error: 'duplicate_settlement',
  })
  expect(await stack.settle(less)).toMatchObject({ success: true, amount: '1000' })
}, 60_000)
