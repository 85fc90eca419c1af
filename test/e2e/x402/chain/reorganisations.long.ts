import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type FakeRpc, NOTHING_ARRIVES, startFakeRpc } from '../../../support/servers/fakeRpc.ts'
import { effectOf, type Presented, present, settledOnce } from '../../../support/x402/cases.ts'
import {
  passValidBefore,
  replaceFrom,
  submitByOther,
  untilSent,
  whileMining,
} from '../../../support/x402/chain.ts'
import { eventsOf, paymentOf, untilStatus } from '../../../support/x402/ledger.ts'
import { type SettleJson, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** Settled payments whose blocks are replaced by others. */

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
}, 120_000)

afterAll(async () => {
  await stack.close()
  await sending.stop()
})

const FAILED = { status: 'failed', reason: 'payment_expired' }

for (const confirmations of [1, 3]) {
  describe(`a payment settled ${confirmations} deep, whose block is replaced`, () => {
    test('is settled again by the same bytes', async () => {
      const presented = await present(stack)
      const hashes = new Set<string>()
      const effect = await effectOf(stack, presented, async () => {
        hashes.add((await settledUnder(presented, confirmations)).transaction)
        await replaceBlocksOf(presented)
        expect(await stateOf(presented)).toEqual({ status: 'pending', transaction: null })
        // The one success was written out before: who asks again waits, and is told the end.
        const repeat = await whileMining(stack, stack.settle(presented.body))
        expect(repeat).toMatchObject({ success: false, error: 'duplicate_settlement' })
        hashes.add(repeat.transaction)
        await whileMining(stack, untilStatus(stack, presented, 'confirmed'))
      })
      expect(effect).toEqual(settledOnce(presented))
      expect(hashes.size).toBe(1)
      expect(await eventsOf(stack, presented)).toEqual(
        // What was told once is told again when it is true again.
        Array(confirmations === 1 ? 1 : 2).fill('x402.payment.settled'),
      )
    })

    test('fails once the chain is past validBefore, and an event says so', async () => {
      const presented = await present(stack)
      const effect = await effectOf(stack, presented, async () => {
        await settledUnder(presented, confirmations)
        await replaceBlocksOf(presented)
        await passValidBefore(stack, presented)
        await whileMining(stack, untilStatus(stack, presented, 'failed'))
      })
      expect(effect).toEqual({
        isUsed: false,
        spent: 0n,
        received: 0n,
        payment: FAILED,
        transactions: 1,
      })
      expect((await eventsOf(stack, presented)).at(-1)).toBe('x402.payment.failed')
      expect(await stack.verify(presented.body)).toMatchObject({ invalidReason: 'payment_expired' })
      expect(await stack.settle(presented.body)).toMatchObject({
        success: false,
        error: 'payment_expired',
        transaction: '',
      })
    })
  })
}

describe('another sender’s transfer that paid for a payment, and is reorganised away', () => {
  test('is made up for by a transaction of ours', async () => {
    const presented = await present(stack)
    const effect = await effectOf(stack, presented, async () => {
      const transaction = await submitByOther(stack, presented)
      expect(await stack.settle(presented.body)).toMatchObject({ success: true, transaction })
      await stack.chain.mine()
      await replaceBlocksOf(presented)
      const repeat = await whileMining(stack, stack.settle(presented.body))
      expect(repeat).toMatchObject({ success: false, error: 'duplicate_settlement' })
      expect(repeat.transaction).not.toBe(transaction)
      await whileMining(stack, untilStatus(stack, presented, 'confirmed'))
    })
    expect(effect).toEqual(settledOnce(presented))
  })

  test('is a failure once it is too late', async () => {
    const presented = await present(stack)
    const effect = await effectOf(stack, presented, async () => {
      await submitByOther(stack, presented)
      expect(await stack.settle(presented.body)).toMatchObject({ success: true })
      await stack.chain.mine()
      sending.rule(NOTHING_ARRIVES)
      await replaceBlocksOf(presented)
      await passValidBefore(stack, presented)
      await whileMining(stack, untilStatus(stack, presented, 'failed'))
      sending.rule()
    })
    expect(effect).toMatchObject({ isUsed: false, spent: 0n, received: 0n, payment: FAILED })
    expect((await eventsOf(stack, presented)).at(-1)).toBe('x402.payment.failed')
  })
})

/** Settles, and mines until the transfer is so deep. */
async function settledUnder(presented: Presented, depth: number): Promise<SettleJson> {
  const answer = stack.settle(presented.body)
  await untilSent(stack, presented)
  await stack.chain.mine()
  const settled = await answer
  expect(settled.success).toBe(true)
  if (depth === 1) return settled
  await stack.chain.mine(depth - 1)
  await whileMining(stack, untilStatus(stack, presented, 'confirmed'))
  return settled
}

/** Replaces all blocks from the payment's own on by empty ones, and waits until that was noticed. */
async function replaceBlocksOf(presented: Presented): Promise<void> {
  const { blockNumber: block } = await paymentOf(stack, presented)
  if (block === null) throw new Error('the payment is not mined')
  await replaceFrom(stack.chain, BigInt(block))
  await untilStatus(stack, presented, 'pending')
}

/** What anyone is told who asks by the nonce. */
async function stateOf({ authorization }: Presented) {
  const { nonce, from } = authorization
  const path = `/v1/x402/payments/status?nonce=${nonce}&payer=${from}`
  const { data } = await (await stack.fetch(path)).json()
  return { status: data.status, transaction: data.transaction }
}
