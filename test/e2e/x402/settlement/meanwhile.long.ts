import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generatePrivateKey } from 'viem/accounts'
import { encodeAuthorization } from '../../../../chain/x402/settlement.ts'
import { lowerCaseAddress } from '../../../../core/chain/evm.ts'
import type { Reason } from '../../../../core/x402/reasons.ts'
import { storePaidByOthers } from '../../../../store/x402/settles.ts'
import { tokenCall } from '../../../support/relayer/transactions.ts'
import {
  randomAddress,
  randomHex,
  signAuthorization,
  signCancellation,
} from '../../../support/x402/authorizations.ts'
import {
  type Effect,
  effectOf,
  expectSettled,
  type Presented,
  present,
  settledOnce,
} from '../../../support/x402/cases.ts'
import { newPayerWithKey, outbid, untilSent, whileMining } from '../../../support/x402/chain.ts'
import { eventsOf, untilStatus } from '../../../support/x402/ledger.ts'
import {
  PRICE,
  type SettleJson,
  startX402Stack,
  type X402Stack,
} from '../../../support/x402/stack.ts'

/** What happens between the claim and the block in which the transfer was to be. */

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack({ chain: { mining: 'manual' } })
}, 120_000)

afterAll(() => stack.close())

/** Settles; once the transaction waits for its block, something else goes into the block before it. */
async function settleAround(presented: Presented, act: () => Promise<unknown>) {
  const answers: SettleJson[] = []
  const effect = await effectOf(stack, presented, async () => {
    const answer = stack.settle(presented.body)
    await untilSent(stack, presented)
    await act()
    answers.push(await whileMining(stack, answer))
  })
  const [answer] = answers
  if (answer === undefined) throw new Error('settle was not called')
  return { answer, effect }
}

function failed(reason: Reason): Pick<Effect, 'payment' | 'received' | 'transactions'> {
  return { payment: { status: 'failed', reason }, received: 0n, transactions: 1 }
}

test('a caller who hangs up takes no success along: the next call gets it', async () => {
  const presented = await present(stack)
  const { body } = presented
  const effect = await effectOf(stack, presented, async () => {
    const caller = new AbortController()
    const unheard = stack.settle(body, { signal: caller.signal })
    await untilSent(stack, presented)
    caller.abort()
    await unheard
    await whileMining(stack, untilStatus(stack, presented, 'settled'))
    expect(await stack.verify(body)).toMatchObject({ isValid: true })
    expect(await stack.settle(body)).toMatchObject({ success: true })
    expect(await stack.settle(body)).toMatchObject({ error: 'duplicate_settlement' })
  })
  expect(effect).toEqual(settledOnce(presented))
})

describe('a payer who drains the balance in between', () => {
  test('has not paid, is told so, and can pay once there is money again', async () => {
    const { payer, key } = await newPayerWithKey(stack, PRICE)
    const presented = await present(stack, { payer })
    const { answer, effect } = await settleAround(presented, () =>
      outbid(stack, key, tokenCall('transfer', [randomAddress(), PRICE])),
    )
    expect(answer).toMatchObject({ success: false, error: 'insufficient_funds', transaction: '' })
    expect(effect).toEqual({ ...failed('insufficient_funds'), isUsed: false, spent: PRICE })
    expect(await eventsOf(stack, presented)).toEqual(['x402.payment.failed'])
    const poor = { isValid: false, invalidReason: 'insufficient_funds' }
    expect(await stack.verify(presented.body)).toMatchObject(poor)

    await stack.chain.mint([{ to: payer.address, amount: PRICE }])
    const again = await whileMining(stack, expectSettled(stack, presented))
    expect(again.paymentId).toBe(answer.paymentId)
  })

  test('sinks no one else who is in the same batch', async () => {
    const { payer, key } = await newPayerWithKey(stack, PRICE)
    const drained = await present(stack, { payer })
    const others = [await present(stack), await present(stack)]
    const answers = [...others, drained].map(({ body }) => stack.settle(body))
    for (const presented of [...others, drained]) await untilSent(stack, presented)
    await outbid(stack, key, tokenCall('transfer', [randomAddress(), PRICE]))
    const [first, second, last] = await whileMining(stack, Promise.all(answers))
    expect([first?.success, second?.success]).toEqual([true, true])
    expect(last).toMatchObject({ success: false, error: 'insufficient_funds' })
  })
})

test('two authorizations on one balance: the first is paid, the second refused before it costs gas', async () => {
  const payer = await stack.newPayer(2n * PRICE - 1n)
  const first = await present(stack, { payer })
  const second = await present(stack, { payer })
  const { answer, effect } = await settleAround(first, async () => {
    const reason = 'insufficient_funds'
    expect(await stack.verify(second.body)).toMatchObject({ isValid: false, invalidReason: reason })
    expect(await stack.settle(second.body)).toMatchObject({ success: false, error: reason })
    // The first one's own claim does not count against it.
    expect(await stack.verify(first.body)).toMatchObject({ isValid: true })
  })
  expect(answer.success).toBe(true)
  expect(effect).toEqual(settledOnce(first))
})

test('two authorizations on one balance at once: one is paid', async () => {
  const payer = await stack.newPayer(PRICE)
  const both = [await present(stack, { payer }), await present(stack, { payer })]
  const [first] = both
  if (first === undefined) throw new Error('there are two')
  const effect = await effectOf(stack, first, async () => {
    const settles = both.map(({ body }) => stack.settle(body))
    const answers = await whileMining(stack, Promise.all(settles))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(answers.filter(({ error }) => error === 'insufficient_funds')).toHaveLength(1)
  })
  expect(effect).toMatchObject({ spent: PRICE, received: PRICE, transactions: 1 })
})

describe('an authorization that is used in between', () => {
  test('by another sender, for what it is: settled with that transaction', async () => {
    const presented = await present(stack)
    const hashes: string[] = []
    const { answer, effect } = await settleAround(presented, async () => {
      hashes.push(await outbid(stack, generatePrivateKey(), encodeAuthorization(presented)))
    })
    expect(answer).toMatchObject({ success: true, transaction: hashes[0] })
    expect(effect).toEqual(settledOnce(presented))
    expect(await stack.settle(presented.body)).toMatchObject({
      error: 'duplicate_settlement',
      transaction: hashes[0],
    })
  })

  test('by its nonce, for something else: used up', async () => {
    const presented = await present(stack)
    const { payer } = presented
    const authorization = { ...presented.authorization, to: lowerCaseAddress(payer.address) }
    const signature = await signAuthorization(stack.chain, payer, authorization)
    const { answer, effect } = await settleAround(presented, () =>
      outbid(stack, generatePrivateKey(), encodeAuthorization({ authorization, signature })),
    )
    expect(answer).toMatchObject({ success: false, error: 'authorization_used', transaction: '' })
    expect(effect).toEqual({ ...failed('authorization_used'), isUsed: true, spent: 0n })
    expect(await eventsOf(stack, presented)).toEqual(['x402.payment.failed'])
  })

  test('by its payer, to cancel it: cancelled', async () => {
    const { payer, key } = await newPayerWithKey(stack)
    const presented = await present(stack, { payer })
    const { from, nonce } = presented.authorization
    const cancellation = await signCancellation(stack.chain, { ...presented, key })
    const { answer, effect } = await settleAround(presented, () =>
      outbid(stack, key, tokenCall('cancelAuthorization', [from, nonce, cancellation])),
    )
    expect(answer).toMatchObject({ success: false, error: 'authorization_cancelled' })
    expect(effect).toEqual({ ...failed('authorization_cancelled'), isUsed: true, spent: 0n })
    expect(await stack.verify(presented.body)).toMatchObject({
      invalidReason: 'authorization_cancelled',
    })
  })

  test('a transfer is never booked for other terms that were claimed by the same nonce', async () => {
    const claimed = await present(stack)
    const { answer, effect } = await settleAround(claimed, async () => {
      const { chain, merchant, database } = stack
      const stored = database.begin((sql) =>
        storePaidByOthers(
          sql,
          {
            merchantId: merchant.id,
            endpointId: null,
            networkId: chain.networkId,
            asset: chain.usdc.address,
            authorization: { ...claimed.authorization, value: 1n },
            signature: claimed.signature,
            isWallet: false,
            payerCode: null,
            claimedBlock: 1n,
          },
          { txHash: randomHex(32), block: 1n, blockHash: randomHex(32), logIndex: 0 },
        ),
      )
      expect(await stored).toBeNull()
    })
    expect(answer.success).toBe(true)
    expect(effect).toEqual(settledOnce(claimed))
  })
})

describe('the token’s issuer, who blocks in between', () => {
  for (const [what, block, unblock, reason] of [
    ['the payer', 'blacklist', 'unBlacklist', 'payer_blacklisted'],
    ['the payee', 'blacklist', 'unBlacklist', 'payee_blacklisted'],
    ['the whole token', 'pause', 'unpause', 'token_paused'],
  ] as const) {
    test(`${what}: not paid, and paid when that is over`, async () => {
      const presented = await present(stack)
      const { ownerKey } = stack.chain
      const { from, to } = presented.authorization
      const account = what === 'the payee' ? to : from
      const call = (name: typeof block | typeof unblock) =>
        name === 'pause' || name === 'unpause' ? tokenCall(name, []) : tokenCall(name, [account])
      const { answer, effect } = await settleAround(presented, () =>
        outbid(stack, ownerKey, call(block)),
      )
      expect(answer).toMatchObject({ success: false, error: reason, transaction: '' })
      expect(effect).toEqual({ ...failed(reason), isUsed: false, spent: 0n })
      await outbid(stack, ownerKey, call(unblock))
      await stack.chain.mine()
      await whileMining(stack, expectSettled(stack, presented))
    })
  }
})
