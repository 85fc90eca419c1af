import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../support/servers/devStack.ts'
import { type FakeRpc, startFakeRpc } from '../support/servers/fakeRpc.ts'
import { expectSettled, type Presented, present } from '../support/x402/cases.ts'
import { untilAllAreMined, untilStatus } from '../support/x402/ledger.ts'
import { PRICE, startX402Stack, type X402Stack } from '../support/x402/stack.ts'

/** What is reserved of a balance while the chain knows more of a payment than the ledger does. */

let stack: X402Stack
/** What the worker sends by. */
let sending: FakeRpc

beforeAll(async () => {
  stack = await startX402Stack({
    // A payout whose receipt is lost would hold up what is to be sent after it.
    variables: { X402_DISTRIBUTE_FROM: '1000000', X402_DISTRIBUTE_AFTER_S: '2592000' },
    workerRpcUrl: (node) => {
      sending = startFakeRpc(node)
      return sending.url
    },
  })
  await expectSettled(stack, await present(stack))
}, 120_000)

afterEach(() => sending.rule())

afterAll(async () => {
  await stack.close()
  await sending.stop()
})

const HASTY = { requirements: { maxTimeoutSeconds: 2 } }
const PENDING = { error: 'settlement_pending' }
const POOR = 'insufficient_funds'

/** The payment is carried out on the chain, and the ledger is kept from seeing it. */
async function mineUnseen({ body, payer }: Presented, left: bigint): Promise<void> {
  await untilAllAreMined(stack)
  sending.rule(({ method }) =>
    method === 'eth_getTransactionReceipt' ? { type: 'drop_answer' } : undefined,
  )
  expect(await stack.settle(body)).toMatchObject(PENDING)
  const { address } = payer
  await eventually(
    () => stack.chain.balance(address),
    (balance) => balance === left,
  )
}

test('a payment that is mined and not recorded is not counted twice', async () => {
  const payer = await stack.newPayer(2n * PRICE)
  const first = await present(stack, { payer, ...HASTY })
  const second = await present(stack, { payer, ...HASTY })
  const third = await present(stack, { payer, ...HASTY })
  await mineUnseen(first, PRICE)
  expect(await stack.verify(second.body)).toMatchObject({ isValid: true })
  expect(await stack.settle(second.body)).toMatchObject(PENDING)
  // The second one is claimed now, and nothing is left.
  expect(await stack.verify(third.body)).toMatchObject({ isValid: false, invalidReason: POOR })
  expect(await stack.settle(third.body)).toMatchObject({ success: false, error: POOR })
  sending.rule()
  for (const presented of [first, second]) await untilStatus(stack, presented, 'settled')
  expect(await stack.chain.balance(payer.address)).toBe(0n)
}, 120_000)

test('what is claimed and not mined stays reserved beside it', async () => {
  const payer = await stack.newPayer(3n * PRICE - 1n)
  const first = await present(stack, { payer, ...HASTY })
  await mineUnseen(first, 2n * PRICE - 1n)
  sending.rule(() => ({ type: 'drop_request' }))
  const second = await present(stack, { payer, ...HASTY })
  expect(await stack.settle(second.body)).toMatchObject(PENDING)
  const third = await present(stack, { payer, ...HASTY })
  expect(await stack.verify(third.body)).toMatchObject({ isValid: false, invalidReason: POOR })
  expect(await stack.settle(third.body)).toMatchObject({ success: false, error: POOR })
  sending.rule()
  for (const presented of [first, second]) await untilStatus(stack, presented, 'settled')
}, 120_000)
