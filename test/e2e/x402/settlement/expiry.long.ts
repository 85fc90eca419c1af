import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../../../support/servers/devStack.ts'
import { type FakeRpc, NOTHING_ARRIVES, startFakeRpc } from '../../../support/servers/fakeRpc.ts'
import { randomAddress } from '../../../support/x402/authorizations.ts'
import { effectOf, expectSettled, present } from '../../../support/x402/cases.ts'
import {
  passValidBefore,
  untilSent,
  untilSigned,
  whileMining,
} from '../../../support/x402/chain.ts'
import { eventsOf, paymentOf, untilAllAreMined, untilStatus } from '../../../support/x402/ledger.ts'
import { PRICE, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'
import { TREACHEROUS_WALLET } from '../../../support/x402/walletCode.ts'

/** Claimed payments that were not carried out before their time had run out. */

let stack: X402Stack
/** What the worker sends by. */
let sending: FakeRpc

beforeAll(async () => {
  stack = await startX402Stack({
    chain: { mining: 'manual' },
    workerRpcUrl: (node) => {
      sending = startFakeRpc(node)
      return sending.url
    },
  })
  // What the merchant's forwarder needs has been sent by then.
  await whileMining(stack, expectSettled(stack, await present(stack)))
}, 120_000)

afterAll(async () => {
  await stack.close()
  await sending.stop()
})

/** What a payment comes to for which a transaction was made in vain. */
const EXPIRED = {
  isUsed: false,
  spent: 0n,
  received: 0n,
  payment: { status: 'failed', reason: 'payment_expired' },
}

test('a payment whose transaction no node took has failed, and comes to nothing afterwards', async () => {
  const presented = await present(stack, { requirements: { maxTimeoutSeconds: 1 } })
  const effect = await effectOf(stack, presented, async () => {
    sending.rule(NOTHING_ARRIVES)
    expect(await stack.settle(presented.body)).toMatchObject({ error: 'settlement_pending' })
    await untilSigned(stack, presented)
    await passValidBefore(stack, presented)
    await whileMining(stack, untilStatus(stack, presented, 'failed'))
    sending.rule()
    await whileMining(stack, untilAllAreMined(stack))
  })
  expect(effect).toEqual({ ...EXPIRED, transactions: 1 })
  expect(await eventsOf(stack, presented)).toEqual(['x402.payment.failed'])
  // The key goes on with its next account nonce.
  await whileMining(stack, expectSettled(stack, await present(stack)))
})

test('a payment that still waits to be sent has failed without a transaction', async () => {
  const presented = await present(stack)
  const effect = await effectOf(stack, presented, async () => {
    sending.rule(() => ({ type: 'drop_request' }))
    // A relayer's turn that has begun fails at its next request, after three tries.
    await Bun.sleep(1_500)
    // The party that waits for it would have it withdrawn.
    const caller = new AbortController()
    const unheard = stack.settle(presented.body, { signal: caller.signal })
    await eventually(
      () => paymentOf(stack, presented).catch(() => null),
      (row) => row !== null,
    )
    caller.abort()
    await unheard
    await passValidBefore(stack, presented)
    sending.rule()
    await whileMining(stack, untilStatus(stack, presented, 'failed'))
  })
  expect(effect).toEqual({ ...EXPIRED, transactions: 0 })
  expect(await eventsOf(stack, presented)).toEqual(['x402.payment.failed'])
})

test('a payment that was mined while no one could look is settled, not expired', async () => {
  const presented = await present(stack, { requirements: { maxTimeoutSeconds: 1 } })
  await whileMining(stack, untilAllAreMined(stack))
  sending.rule(({ method }) =>
    method === 'eth_getTransactionReceipt' ? { type: 'drop_answer' } : undefined,
  )
  await whileMining(stack, stack.settle(presented.body))
  const transaction = await untilSent(stack, presented)
  // Before its time is over, also when it was sent late.
  await stack.chain.mine()
  expect(await stack.settle(presented.body)).toMatchObject({
    error: 'settlement_pending',
    transaction,
  })
  await passValidBefore(stack, presented)
  await stack.chain.mine(3)
  await Bun.sleep(1_000)
  sending.rule()
  await whileMining(stack, untilStatus(stack, presented, 'confirmed'))
  expect(await stack.settle(presented.body)).toMatchObject({ success: true, transaction })
  expect(await eventsOf(stack, presented)).toEqual(['x402.payment.settled'])
})

test('a wallet that burns gas on the chain alone has failed when its time is over', async () => {
  const from = randomAddress()
  await stack.chain.node.rpc('anvil_setCode', [from, TREACHEROUS_WALLET])
  await stack.chain.mint([{ to: from, amount: PRICE }])
  const requirements = { maxTimeoutSeconds: 1 }
  const payer = await stack.newPayer(0n)
  const presented = await present(stack, { payer, terms: { from }, requirements })
  const effect = await effectOf(stack, presented, async () => {
    const answer = await whileMining(stack, stack.settle(presented.body))
    expect(answer).toMatchObject({ error: 'settlement_pending' })
    const { id } = await paymentOf(stack, presented)
    const givenUp = eventually(
      () => stack.database`
        select id from work_item where payload->>'paymentId' = ${id} and state = 'held'`,
      (rows) => rows.length === 1,
    )
    await whileMining(stack, givenUp)
    await passValidBefore(stack, presented)
    await whileMining(stack, untilStatus(stack, presented, 'failed'))
  })
  expect(effect).toEqual({ ...EXPIRED, transactions: 1 })
  expect(await eventsOf(stack, presented)).toEqual(['x402.payment.failed'])
  expect(await stack.settle(presented.body)).toMatchObject({ error: 'payment_expired' })
})
