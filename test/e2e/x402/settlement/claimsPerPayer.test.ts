import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../../../support/servers/devStack.ts'
import { type FakeRpc, startFakeRpc } from '../../../support/servers/fakeRpc.ts'
import { expectSettled, type Presented, present } from '../../../support/x402/cases.ts'
import { paymentOf, untilStatus } from '../../../support/x402/ledger.ts'
import { PRICE, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** How many payments of one payer may be under way. */

let stack: X402Stack
let sending: FakeRpc

beforeAll(async () => {
  stack = await startX402Stack({
    variables: { X402_CLAIMS_PER_PAYER: '2' },
    workerRpcUrl: (node) => {
      sending = startFakeRpc(node)
      return sending.url
    },
  })
  await expectSettled(stack, await present(stack))
}, 120_000)

afterAll(async () => {
  await stack.close()
  await sending.stop()
})

test('one more than that is not begun, says so, and is settled when others are decided', async () => {
  sending.rule(({ method }) =>
    method === 'eth_sendRawTransaction' ? { type: 'drop_request' } : undefined,
  )
  const payer = await stack.newPayer(3n * PRICE)
  const all = [
    await present(stack, { payer }),
    await present(stack, { payer }),
    await present(stack, { payer }),
  ]
  const [first, second, third] = all
  if (!first || !second || !third) throw new Error('three payments were presented')
  for (const presented of [first, second]) {
    // The party that waits for it might have it withdrawn.
    const caller = new AbortController()
    const unheard = stack.settle(presented.body, { signal: caller.signal })
    await untilBegun(presented)
    caller.abort()
    await unheard
  }
  const refused = await stack.settle(third.body)
  expect(refused).toMatchObject({
    success: false,
    transaction: '',
    error: 'unexpected_settle_error',
  })
  expect(refused.errorMessage).toContain('too many payments of this payer')
  expect(refused.paymentId).toBeUndefined()
  const { nonce } = third.authorization
  expect(
    await stack.database`select from x402_payment where authorization_nonce = ${nonce}`,
  ).toHaveLength(0)
  // Others are not concerned.
  const another = await present(stack)
  const settled = stack.settle(another.body)
  await untilBegun(another)
  sending.rule()
  expect(await settled).toMatchObject({ success: true })
  for (const presented of [first, second]) await untilStatus(stack, presented, 'settled')
  await eventually(
    () => stack.settle(third.body),
    ({ success }) => success,
  )
}, 120_000)

function untilBegun(presented: Presented) {
  return eventually(
    () => paymentOf(stack, presented).catch(() => null),
    (row) => row?.status === 'pending',
  )
}
