import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { lowerCaseAddress } from '../../../../core/chain/evm.ts'
import type { Authorization } from '../../../../core/x402/terms.ts'
import { keyWallet } from '../../../support/servers/bytecode.ts'
import { eventually } from '../../../support/servers/devStack.ts'
import { type FakeRpc, startFakeRpc } from '../../../support/servers/fakeRpc.ts'
import { randomAddress } from '../../../support/x402/authorizations.ts'
import { expectSettled, type Presented, present } from '../../../support/x402/cases.ts'
import { paymentOf, untilAllAreMined, untilStatus } from '../../../support/x402/ledger.ts'
import { PRICE, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'
import { placeCode } from '../../../support/x402/walletCode.ts'

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

/** A settle that has claimed its payment, and waits for the worker. */
async function claimed(presented: Presented) {
  const answer = stack.settle(presented.body)
  await eventually(
    () => paymentOf(stack, presented).catch(() => null),
    (row) => row?.status === 'pending',
  )
  return { answer }
}

test('a payment that is mined and not recorded is not counted twice', async () => {
  const payer = await stack.newPayer(2n * PRICE)
  const first = await present(stack, { payer, ...HASTY })
  const second = await present(stack, { payer })
  const third = await present(stack, { payer })
  await mineUnseen(first, PRICE)
  expect(await stack.verify(second.body)).toMatchObject({ isValid: true })
  const settled = await claimed(second)
  // The second one is claimed now, and nothing is left.
  expect(await stack.verify(third.body)).toMatchObject({ isValid: false, invalidReason: POOR })
  expect(await stack.settle(third.body)).toMatchObject({ success: false, error: POOR })
  sending.rule()
  expect(await settled.answer).toMatchObject({ success: true })
  for (const presented of [first, second]) await untilStatus(stack, presented, 'settled')
  expect(await stack.chain.balance(payer.address)).toBe(0n)
}, 120_000)

test('what is claimed and not mined stays reserved beside it', async () => {
  const payer = await stack.newPayer(3n * PRICE - 1n)
  const first = await present(stack, { payer, ...HASTY })
  await mineUnseen(first, 2n * PRICE - 1n)
  sending.rule(() => ({ type: 'drop_request' }))
  const second = await present(stack, { payer })
  const settled = await claimed(second)
  const third = await present(stack, { payer })
  expect(await stack.verify(third.body)).toMatchObject({ isValid: false, invalidReason: POOR })
  expect(await stack.settle(third.body)).toMatchObject({ success: false, error: POOR })
  sending.rule()
  expect(await settled.answer).toMatchObject({ success: true })
  for (const presented of [first, second]) await untilStatus(stack, presented, 'settled')
}, 120_000)

const VALID = { isValid: true }
const INVALID = { isValid: false, invalidReason: POOR }

test('of twenty payments with the money of one, verify finds one good and settle any', async () => {
  const payer = await stack.newPayer(PRICE)
  const all = await Promise.all(Array.from({ length: 20 }, () => present(stack, { payer })))
  const verdicts = await Promise.all(all.map(({ body }) => stack.verify(body)))
  const good = all.filter((_, i) => verdicts[i]?.isValid)
  expect(good).toHaveLength(1)
  const bad = verdicts.filter(({ isValid }) => !isValid)
  for (const verdict of bad) expect(verdict).toMatchObject(INVALID)
  expect(bad[0]?.invalidMessage).toContain('other payments')
  // The one that is held goes on being good, and settle asks no one's leave.
  for (const { body } of good) expect(await stack.verify(body)).toMatchObject(VALID)
  const other = all.find((one) => !good.includes(one))
  expect(await stack.settle(other?.body)).toMatchObject({ success: true })
  for (const { body } of good) expect(await stack.settle(body)).toMatchObject({ error: POOR })
}, 120_000)

test('a hold is one of what was signed, and of nothing else with the same nonce', async () => {
  const payer = await stack.newPayer(PRICE)
  const shared = (terms: Partial<Authorization>) => present(stack, { payer, terms })
  const nonces = await Promise.all([1, 2].map(async () => (await shared({})).authorization.nonce))
  // Little is held by each nonce, and the price is asked for by the same ones.
  for (const nonce of nonces) {
    const little = await present(stack, {
      payer,
      terms: { nonce, value: 1n },
      requirements: { amount: '1' },
    })
    expect(await stack.verify(little.body)).toMatchObject(VALID)
    expect(await stack.verify((await shared({ nonce })).body)).toMatchObject(INVALID)
    const elsewhere = { nonce, validBefore: little.authorization.validBefore + 1n, value: 1n }
    const later = await present(stack, {
      payer,
      terms: elsewhere,
      requirements: { amount: '1' },
    })
    expect(await stack.verify(later.body)).toMatchObject(INVALID)
    expect(await stack.verify(little.body)).toMatchObject(VALID)
  }
}, 120_000)

test('a payment that is settled holds nothing besides', async () => {
  const payer = await stack.newPayer(2n * PRICE)
  for (const _ of [1, 2]) await expectSettled(stack, await present(stack, { payer }))
  await stack.chain.mint([{ to: payer.address, amount: PRICE }])
  expect(await stack.verify((await present(stack, { payer })).body)).toMatchObject(VALID)
}, 120_000)

test("no one holds a payer's money without its signature", async () => {
  const payer = await stack.newPayer(PRICE)
  const stranger = await stack.newPayer(PRICE)
  const from = lowerCaseAddress(payer.address)
  const forged = await present(stack, { payer: stranger, terms: { from } })
  expect(await stack.verify(forged.body)).toMatchObject({ isValid: false })
  const wallet = randomAddress()
  await placeCode(stack.chain, wallet, keyWallet(from))
  await stack.chain.mint([{ to: wallet, amount: PRICE }])
  const ofWallet = { terms: { from: wallet } }
  const wrong = await present(stack, { payer: stranger, ...ofWallet })
  expect(await stack.verify(wrong.body)).toMatchObject({ isValid: false })
  const holds = await stack.database`
    select from x402_hold where payer in (${from}, ${wallet})`
  expect(holds).toHaveLength(0)
  expect(await stack.verify((await present(stack, { payer })).body)).toMatchObject(VALID)
  const right = await present(stack, { payer, ...ofWallet })
  expect(await stack.verify(right.body)).toMatchObject(VALID)
  const besides = await present(stack, { payer, ...ofWallet })
  expect(await stack.verify(besides.body)).toMatchObject(INVALID)
}, 120_000)
