import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { lowerCaseAddress } from '../../../../core/chain/evm.ts'
import { signAuthorization } from '../../../support/x402/authorizations.ts'
import {
  effectOf,
  expectSettled,
  type Presented,
  present,
  settledOnce,
} from '../../../support/x402/cases.ts'
import { requirementsFor, v2Body } from '../../../support/x402/requests.ts'
import { PRICE, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** One authorization presented more than once, and one nonce in several authorizations. */

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack({ hasTwin: true })
}, 120_000)

afterAll(() => stack.close())

test('a settled payment is a duplicate ever after, to settle and to verify', async () => {
  const presented = await present(stack)
  const { transaction, paymentId } = await expectSettled(stack, presented)
  const { body } = presented
  expect(await stack.verify(body)).toMatchObject({
    isValid: false,
    invalidReason: 'duplicate_settlement',
  })
  for (let i = 0; i < 2; i += 1) {
    expect(await stack.settle(body)).toMatchObject({
      success: false,
      error: 'duplicate_settlement',
      errorReason: 'duplicate_settlement',
      payer: presented.authorization.from,
      amount: PRICE.toString(),
      transaction,
      paymentId,
    })
  }
})

test('ten calls with one authorization at once: one success, nine duplicates, one transfer', async () => {
  const presented = await present(stack)
  const effect = await effectOf(stack, presented, async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => stack.settle(presented.body)),
    )
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    expect(answers.filter(({ error }) => error === 'duplicate_settlement')).toHaveLength(9)
    expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(1)
  })
  expect(effect).toEqual(settledOnce(presented))
})

test('a payment identifier, which the payer makes up, repeats no success', async () => {
  const presented = await present(stack)
  const identified = (id: string) => ({
    ...presented.body,
    paymentPayload: {
      ...Object(presented.body.paymentPayload),
      extensions: { 'payment-identifier': { info: { id } } },
    },
  })
  expect((await stack.settle(identified('order-0000000000001'))).success).toBe(true)
  for (const id of ['order-0000000000001', 'order-0000000000002']) {
    expect(await stack.settle(identified(id))).toMatchObject({
      success: false,
      error: 'duplicate_settlement',
    })
  }
})

describe('one nonce', () => {
  test('in two authorizations at once pays one of them, and the other is told so', async () => {
    const payer = await stack.newPayer()
    const other = await stack.newMerchant()
    for (const terms of [
      { to: other.forwarder, value: 1n },
      { to: other.forwarder },
      { value: PRICE - 1n },
    ]) {
      const dear = await present(stack, { payer })
      const cheap = await sameNonce(dear, terms)
      const answers = await Promise.all([dear, cheap].map(({ body }) => stack.settle(body)))
      expect(answers.map(({ success }) => success).toSorted()).toEqual([false, true])
      const lost = answers.find(({ success }) => !success)
      expect(lost).toMatchObject({ error: 'authorization_used', transaction: '' })
      const won = answers[0]?.success ? dear : cheap
      const rows = await stack.database`
        select pay_to, amount from x402_payment
        where authorization_nonce = ${dear.authorization.nonce}`
      const { to, value } = won.authorization
      expect(rows).toMatchObject([{ payTo: to, amount: value }])
    }
  })

  test('of two payers pays twice', async () => {
    const first = await present(stack)
    const { nonce } = first.authorization
    await expectSettled(stack, first)
    await expectSettled(stack, await present(stack, { terms: { nonce } }))
  })

  test('on two chains pays twice, once on each', async () => {
    const { twin, chain } = stack
    if (twin === null) throw new Error('the stack has no second chain')
    const payer = await stack.newPayer()
    await twin.mint([{ to: payer.address, amount: PRICE }])
    const here = await present(stack, { payer })
    const network = `eip155:${twin.node.chainId}`
    const asset = twin.usdc.address
    const requirements = requirementsFor(stack, { network, asset })
    const { authorization } = here
    // What was signed for one chain is worth nothing on the other.
    const carried = v2Body(requirements, authorization, here.signature)
    const wrong = 'invalid_exact_evm_payload_signature'
    expect(await stack.verify(carried)).toMatchObject({ invalidReason: wrong })
    expect(await stack.settle(carried)).toMatchObject({ error: wrong, transaction: '' })
    const domain = { chainId: twin.node.chainId, verifyingContract: asset }
    const signature = await signAuthorization(stack.chain, payer, authorization, domain)
    const there = v2Body(requirements, authorization, signature)
    const answers = await Promise.all([here.body, there].map((body) => stack.settle(body)))
    expect(answers).toMatchObject([
      { success: true, network: `eip155:${chain.node.chainId}` },
      { success: true, network },
    ])
    expect(await twin.balance(lowerCaseAddress(payer.address))).toBe(0n)
    expect(await twin.balance(stack.merchant.forwarder)).toBe(PRICE)
  })
})

/** Another authorization by the nonce of this one, presented to whom it pays. */
async function sameNonce(
  { payer, authorization }: Presented,
  change: Partial<Presented['authorization']>,
): Promise<Presented> {
  const terms = { ...authorization, ...change }
  const requirements = { payTo: terms.to, amount: terms.value.toString() }
  return present(stack, { payer, terms, requirements })
}
