import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../support/servers/devStack.ts'
import { stopChain } from '../support/x402/books.ts'
import { askBack, expectNoDifference, paid, refundEnd } from '../support/x402/refunds.ts'
import { startX402Stack, type X402Stack } from '../support/x402/stack.ts'

/** Refunds of x402 payments from the request to the payer's balance, and to the books. */

let stack: X402Stack

beforeAll(async () => {
  // Forwarders are paid out from one USDC on.
  stack = await startX402Stack({
    variables: { X402_DISTRIBUTE_FROM: '1', X402_DISTRIBUTE_AFTER_S: '3600' },
  })
}, 120_000)

afterAll(() => stack?.close())

describe('a refund', () => {
  test('brings the payer its money to the unit, and the next payout that much less', async () => {
    const { merchant, chain, database } = stack
    const payment = await paid(stack, merchant, 400_000n)
    const { status, data } = await askBack(stack, merchant, payment, { amount: '0.15' })
    expect(status).toBe(201)
    expect(data).toMatchObject({
      ...{ x402PaymentId: payment.id, invoiceId: null, amount: '0.15', baseUnits: '150000' },
      ...{ status: 'open', type: 'refund', error: null },
    })
    await refundEnd(stack, data.id)
    expect(await chain.balance(payment.payer)).toBe(600_000n + 150_000n)
    expect(await chain.balance(merchant.forwarder)).toBe(250_000n)
    const other = await paid(stack, merchant, 900_000n)
    await eventually(
      () => database`select from x402_payment where id = ${other.id} and fee is not null`,
      (rows) => rows.length === 1,
      30_000,
    )
    const rows = await database`
      select amount, refunded, refunding, fee from x402_payment
      where id in (${payment.id}, ${other.id}) order by created_at`
    expect(rows.map((row) => ({ ...row }))).toMatchObject([
      { amount: 400_000n, refunded: 150_000n, refunding: 0n },
      { amount: 900_000n, refunded: 0n, refunding: 0n },
    ])
    await stopChain(stack)
    await expectNoDifference(stack)
  }, 60_000)
})
