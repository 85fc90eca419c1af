import { afterAll, beforeAll, expect, test } from 'bun:test'
import { lowerCaseAddress } from '../../../../core/chain/evm.ts'
import { newInvoice, paymentFor, type Visited, visit } from '../../../support/x402/invoices.ts'
import { startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** Many payments at once: each invoice is paid once, and what loses a race moves nothing. */

const INVOICES = 200
const RACING = 50
const AMOUNT = '0.5'
const UNITS = 500_000n
const FUNDS = 1_000_000n

let stack: X402Stack

beforeAll(async () => {
  const unlimited = '1000000'
  stack = await startX402Stack({
    variables: {
      RATE_LIMIT_PAYERS: unlimited,
      RATE_LIMIT_AUTHENTICATED: unlimited,
      REQUEST_BUDGET: unlimited,
      GASLESS_UNPAID_PER_CLIENT: unlimited,
      GASLESS_PER_MERCHANT_DAY: unlimited,
    },
  })
}, 120_000)

afterAll(() => stack.close(), 60_000)

const balance = (address: string) => stack.chain.balance(lowerCaseAddress(address))

test(`${INVOICES} payments of ${INVOICES} invoices at once pay each once`, async () => {
  const payments = await Promise.all(
    Array.from({ length: INVOICES }, async () => {
      const invoice = await newInvoice(stack, AMOUNT)
      const payer = await stack.newPayer(FUNDS)
      return { invoice, payer, payment: await paymentFor(stack, invoice.x402Url, payer) }
    }),
  )
  const answers = await Promise.all(
    payments.map(({ invoice, payment }) => untilSettled(invoice.x402Url, payment)),
  )
  for (const [i, { invoice, payer }] of payments.entries()) {
    expect(answers[i]).toMatchObject({
      status: 200,
      body: {
        invoiceId: invoice.id,
        reference: invoice.reference,
        amount: UNITS.toString(),
        payer: payer.address.toLowerCase(),
      },
    })
    expect(await balance(payer.address)).toBe(FUNDS - UNITS)
    expect(await balance(invoice.addresses[0]?.address ?? '')).toBe(UNITS)
  }
}, 300_000)

test(`of ${RACING} payments of one invoice one is made, and the others are refused before anything moves`, async () => {
  const invoice = await newInvoice(stack, AMOUNT)
  const racers = await Promise.all(
    Array.from({ length: RACING }, async () => {
      const payer = await stack.newPayer(FUNDS)
      return { payer, payment: await paymentFor(stack, invoice.x402Url, payer) }
    }),
  )
  const answers = await Promise.all(
    racers.map(({ payment }) => untilSettled(invoice.x402Url, payment)),
  )
  const statuses = answers.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([200, ...Array(RACING - 1).fill(409)])
  for (const [i, { payer }] of racers.entries()) {
    const spent = answers[i]?.status === 200 ? UNITS : 0n
    expect(await balance(payer.address)).toBe(FUNDS - spent)
  }
  expect(await balance(invoice.addresses[0]?.address ?? '')).toBe(UNITS)
  const claims = await stack.database`
    select from invoice_authorization where invoice_id = ${invoice.id}`
  expect(claims).toHaveLength(1)
}, 120_000)

test('the same payment at once and again is one payment, with one receipt', async () => {
  const invoice = await newInvoice(stack, AMOUNT)
  const payer = await stack.newPayer(FUNDS)
  const payment = await paymentFor(stack, invoice.x402Url, payer)
  const pay = () => untilSettled(invoice.x402Url, payment)
  const answers = [...(await Promise.all(Array.from({ length: 10 }, pay))), await pay()]
  const [first] = answers
  expect(first).toMatchObject({ status: 200, body: { invoiceId: invoice.id } })
  for (const { status, body } of answers) {
    expect({ status, transaction: body.transaction }).toEqual({
      status: 200,
      transaction: first?.body.transaction,
    })
  }
  expect(await balance(payer.address)).toBe(FUNDS - UNITS)
}, 120_000)

/** A client repeats what is pending, or was not answered. */
async function untilSettled(url: string, payment: string): Promise<Visited> {
  for (;;) {
    const answer = await visit(stack, url, payment)
    if (answer.body.error !== 'settlement_pending' && answer.status !== 503) return answer
  }
}
