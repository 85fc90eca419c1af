import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { lowerCaseAddress } from '../../../../core/chain/evm.ts'
import { asHex } from '../../../../dev/servers/rpc.ts'
import { expectRefused, present } from '../../../support/x402/cases.ts'
import { newInvoice, paymentFor, visit } from '../../../support/x402/invoices.ts'
import { headerOf, payloadOf } from '../../../support/x402/paymentHeader.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** What is not accepted for an invoice, and moves nothing; and a payment that takes longer than its caller waits. */

const AMOUNT = '0.5'
const UNITS = 500_000n
const FUNDS = 1_000_000n

let stack: X402Stack

beforeAll(async () => {
  const unlimited = '1000000'
  stack = await startX402Stack({
    variables: { RATE_LIMIT_PAYERS: unlimited, REQUEST_BUDGET: unlimited },
  })
}, 120_000)

afterAll(() => stack.close(), 60_000)

const balance = (address: string) => stack.chain.balance(lowerCaseAddress(address))

test('the facilitator accepts no deposit address: an invoice is paid at its own URL', async () => {
  const { addresses } = await newInvoice(stack, AMOUNT)
  const payTo = lowerCaseAddress(asHex(addresses[0]?.address ?? ''))
  const presented = await present(stack, { terms: { to: payTo }, requirements: { payTo } })
  await expectRefused(stack, presented, 'pay_to_not_registered')
})

describe('a payment is refused, with what is due now, and nothing moves', () => {
  const cases = {
    'of less': [{ value: '499999' }, 'invalid_exact_evm_payload_authorization_value_mismatch'],
    'of more': [{ value: '500001' }, 'invalid_exact_evm_payload_authorization_value_mismatch'],
    'that has expired': [{ validBefore: '1000' }, 'payment_expired'],
    'that is valid for too long': [
      { validBefore: '4102444800' },
      'invalid_exact_evm_payload_authorization_valid_before',
    ],
    'to another address': [
      { to: `0x${'12'.repeat(20)}` },
      'invalid_exact_evm_payload_recipient_mismatch',
    ],
  } as const
  for (const [name, [change, reason]] of Object.entries(cases)) {
    test(name, async () => {
      const { x402Url } = await newInvoice(stack, AMOUNT)
      const payer = await stack.newPayer(FUNDS)
      const [option] = (await visit(stack, x402Url)).accepts ?? []
      if (option === undefined) throw new Error('nothing is required')
      const payload = await payloadOf(option, payer, change)
      const accepted = { ...option, amount: payload.authorization.value }
      const { status, body, accepts } = await visit(stack, x402Url, headerOf(accepted, payload))
      expect({ status, error: body.error }).toEqual({ status: 402, error: reason })
      expect(accepts).toMatchObject([{ amount: UNITS.toString() }])
      expect(await balance(payer.address)).toBe(FUNDS)
    })
  }

  test('of a payer without the money', async () => {
    const { x402Url } = await newInvoice(stack, AMOUNT)
    const payer = await stack.newPayer(UNITS - 1n)
    const answer = await visit(stack, x402Url, await paymentFor(stack, x402Url, payer))
    expect(answer).toMatchObject({ status: 402, body: { error: 'insufficient_funds' } })
  })

  test('of another signer', async () => {
    const { x402Url } = await newInvoice(stack, AMOUNT)
    const [payer, thief] = [await stack.newPayer(FUNDS), await stack.newPayer(0n)]
    const payment = await paymentFor(stack, x402Url, thief, { from: payer.address })
    const { body } = await visit(stack, x402Url, payment)
    expect(body.error).toBe('invalid_exact_evm_payload_signature')
    expect(await balance(payer.address)).toBe(FUNDS)
  })
})

test('a payment for one invoice pays no other, and what paid one is public but no receipt', async () => {
  const [one, other] = [await newInvoice(stack, AMOUNT), await newInvoice(stack, AMOUNT)]
  const payer = await stack.newPayer(FUNDS)
  const payment = await paymentFor(stack, one.x402Url, payer)
  expect(await visit(stack, other.x402Url, payment)).toMatchObject({
    status: 402,
    body: { error: 'invalid_payment_requirements' },
  })
  expect(await visit(stack, one.x402Url, payment)).toMatchObject({ status: 200 })
  const decoded = JSON.parse(Buffer.from(payment, 'base64').toString())
  decoded.payload.signature = `0x${'12'.repeat(64)}1b`
  const forged = Buffer.from(JSON.stringify(decoded)).toString('base64')
  const answer = await visit(stack, one.x402Url, forged)
  expect(answer.status).toBe(409)
  expect(answer.body.transaction).toBeUndefined()
  expect(await balance(payer.address)).toBe(FUNDS - UNITS)
}, 60_000)

test('a payment that is pending at the deadline continues with the same request, and is made once', async () => {
  const invoice = await newInvoice(stack, AMOUNT)
  const { x402Url } = invoice
  const payer = await stack.newPayer(FUNDS)
  const payment = await paymentFor(stack, x402Url, payer)
  await stack.chain.node.rpc('evm_setIntervalMining', [0])
  const pending = await visit(stack, x402Url, payment)
  expect(pending).toMatchObject({
    status: 402,
    accepts: null,
    body: { error: 'settlement_pending', accepts: [], reference: invoice.reference },
  })
  expect(pending.body.transaction).toMatch(/^0x[0-9a-f]{64}$/)
  // Nothing is left to sign meanwhile.
  expect(await visit(stack, x402Url)).toMatchObject({
    status: 409,
    body: { error: 'payment_pending' },
  })
  await stack.chain.node.rpc('evm_setIntervalMining', [1])
  expect(await visit(stack, x402Url, payment)).toMatchObject({
    status: 200,
    body: { invoiceId: invoice.id },
  })
  expect(await balance(payer.address)).toBe(FUNDS - UNITS)
}, 90_000)
