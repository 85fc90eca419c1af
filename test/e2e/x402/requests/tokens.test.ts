import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { tokenCall } from '../../../support/relayer/transactions.ts'
import {
  expectAnswers,
  expectRefused,
  expectSettled,
  present,
} from '../../../support/x402/cases.ts'
import { issuerDoes } from '../../../support/x402/chain.ts'
import { PRICE, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** What the token knows against a payment is found out before anything is claimed or sent. */

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack()
}, 120_000)

afterAll(() => stack.close())

describe('a balance', () => {
  test('of nothing, or one unit below the price, is too little', async () => {
    for (const balance of [0n, PRICE - 1n]) {
      const payer = await stack.newPayer(balance)
      await expectRefused(stack, await present(stack, { payer }), 'insufficient_funds')
    }
  })

  test('below the largest number that there is, is too little for that', async () => {
    const value = 2n ** 256n - 1n
    const requirements = { amount: value.toString() }
    const dear = await present(stack, { terms: { value }, requirements })
    await expectRefused(stack, dear, 'insufficient_funds')
  })

  test('of exactly the price is enough, once', async () => {
    const payer = await stack.newPayer(PRICE)
    const next = await present(stack, { payer })
    await expectSettled(stack, await present(stack, { payer }))
    await expectRefused(stack, next, 'insufficient_funds')
  })
})

describe('on the issuer’s black list', () => {
  test('a payer is refused, and served once it is off', async () => {
    const presented = await present(stack)
    const { from } = presented.authorization
    await issuerDoes(stack, tokenCall('blacklist', [from]))
    await expectRefused(stack, presented, 'payer_blacklisted')
    await issuerDoes(stack, tokenCall('unBlacklist', [from]))
    await expectSettled(stack, presented)
  })

  test('a payee is refused, and no other payee', async () => {
    const { forwarder } = await stack.newMerchant()
    await issuerDoes(stack, tokenCall('blacklist', [forwarder]))
    const blocked = await present(stack, {
      terms: { to: forwarder },
      requirements: { payTo: forwarder },
    })
    await expectRefused(stack, blocked, 'payee_blacklisted')
    await expectSettled(stack, await present(stack))
  })

  test('a treasury keeps no payment from being settled: it waits in the forwarder', async () => {
    const { chain, merchant } = stack
    const { recipient } = merchant
    if (recipient === null) throw new Error('the merchant has a treasury')
    await issuerDoes(stack, tokenCall('blacklist', [recipient]))
    const before = await chain.balance(merchant.forwarder)
    await expectSettled(stack, await present(stack))
    await expectSettled(stack, await present(stack))
    expect((await chain.balance(merchant.forwarder)) - before).toBe(2n * PRICE)
    await issuerDoes(stack, tokenCall('unBlacklist', [recipient]))
  })
})

test('while the token is paused every payment is refused, and none afterwards', async () => {
  const presented = await present(stack)
  await issuerDoes(stack, tokenCall('pause', []))
  try {
    await expectRefused(stack, presented, 'token_paused')
  } finally {
    await issuerDoes(stack, tokenCall('unpause', []))
  }
  await expectSettled(stack, presented)
})

test('a token without code on this chain is said to be none', async () => {
  const { node, usdc, client } = stack.chain
  const presented = await present(stack)
  const code = await client.getCode({ address: usdc.address })
  await node.rpc('anvil_setCode', [usdc.address, '0x'])
  try {
    await expectAnswers(stack, presented.body, 'asset_not_deployed')
  } finally {
    await node.rpc('anvil_setCode', [usdc.address, code ?? '0x'])
  }
  await expectSettled(stack, presented)
})
