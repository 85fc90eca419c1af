import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { RefundJson } from '../../../core/invoice/refundJson.ts'
import { newAddress } from '../../support/invoice/refunds.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { stopChain } from '../../support/x402/books.ts'
import { askBack, expectNoDifference, paid, refundEnd } from '../../support/x402/refunds.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

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
  }, 60_000)

  test('goes to the payer when no one is named, once per key, and is listed', async () => {
    const { merchant, chain } = stack
    const payment = await paid(stack, merchant, 30_000n)
    const body = { amount: '0.01', idempotencyKey: 'order-1' }
    const asked = await Promise.all(
      [body, body].map((same) => askBack(stack, merchant, payment, same)),
    )
    expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 201])
    expect(new Set(asked.map(({ data }) => data.id)).size).toBe(1)
    const again = await askBack(stack, merchant, payment, { ...body, amount: '0.02' })
    expect(again).toMatchObject({ status: 409, code: 'idempotency_key_conflict' })
    const id = asked[0]?.data.id ?? ''
    await refundEnd(stack, id)
    expect(await chain.balance(payment.payer)).toBe(970_000n + 10_000n)
    const path = `/v1/x402/payments/${payment.id}/refunds`
    const read = async (key: string) => {
      const answer = await stack.fetch(path, { headers: { 'x-service-key': key } })
      return { status: answer.status, ...(await answer.json()) }
    }
    expect(await read(merchant.secretKey)).toMatchObject({
      data: [{ id, status: 'confirmed', baseUnits: '10000', x402PaymentId: payment.id }],
    })
    const other = await stack.newMerchant()
    expect(await read(other.secretKey)).toMatchObject({ status: 404, code: 'payment_not_found' })
    const theirs = await askBack(stack, other, payment, { amount: '0.01' })
    expect(theirs).toMatchObject({ status: 404, code: 'payment_not_found' })
    const told = await stack.database<{ type: string; data: RefundJson }[]>`
      select type, data from outbox where object_id = ${id} order by version`
    expect(told.map(({ type, data }) => [type, data.x402PaymentId])).toEqual([
      ['refund.created', payment.id],
      ['refund.completed', payment.id],
    ])
  }, 60_000)

  test('is refused where it can’t be, with what can', async () => {
    const { merchant } = stack
    const payment = await paid(stack, merchant, 30_000n)
    const refused = async (body: Record<string, unknown>, of = payment) => {
      const { status, code, details } = await askBack(stack, merchant, of, body)
      return { status, code, message: details?.[0]?.message }
    }
    expect(await refused({ amount: '0.040001' })).toEqual({
      status: 409,
      code: 'refund_not_possible',
      message: 'must be at most 0.03: the rest went back or is on its way',
    })
    expect(await refused({ amount: '0' })).toMatchObject({ code: 'invalid_request_body' })
    const hub = { amount: '0.01', address: stack.chain.hub }
    expect(await refused(hub)).toMatchObject({ code: 'invalid_recipient' })
    const watched = { amount: '0.01', address: merchant.forwarder }
    await stack.database`update merchant set refunds_any = true where id = ${merchant.id}`
    expect(await refused(watched)).toMatchObject({ code: 'invalid_recipient' })
    await stack.database`update merchant set refunds_any = false where id = ${merchant.id}`
    const address = newAddress()
    expect(await refused({ amount: '0.01', address })).toEqual({
      status: 403,
      code: 'refund_address_not_allowed',
      message: 'must be the payer; the operator can allow others',
    })
    const change = async (columns: Record<string, boolean | null>) => {
      await stack.database`
        update x402_payment set ${stack.database(columns)} where id = ${payment.id}`
    }
    await change({ direct: true })
    expect(await refused({ amount: '0.01' })).toMatchObject({ code: 'refund_settled' })
    await change({ direct: false, from_channels: true })
    expect(await refused({ amount: '0.01' })).toMatchObject({ code: 'refund_not_possible' })
    await change({ from_channels: false })
    await stack.database`update merchant set refunds_any = true where id = ${merchant.id}`
    const allowed = await askBack(stack, merchant, payment, { amount: '0.01', address })
    expect(allowed.status).toBe(201)
    await refundEnd(stack, allowed.data.id)
    expect(await stack.chain.balance(address)).toBe(10_000n)
    await stack.database`update merchant set refunds_any = false where id = ${merchant.id}`
  }, 60_000)

  test('of all of it leaves nothing to be paid out, and no difference to the chain', async () => {
    const { chain } = stack
    const shop = await stack.newMerchant()
    const payment = await paid(stack, shop, 50_000n)
    const { data } = await askBack(stack, shop, payment, { amount: 0.05 })
    await refundEnd(stack, data.id)
    expect(await chain.balance(payment.payer)).toBe(1_000_000n)
    expect(await chain.balance(shop.forwarder)).toBe(0n)
    const again = await askBack(stack, shop, payment, { amount: '0.01' })
    expect(again).toMatchObject({ status: 409, code: 'refund_not_possible' })
    await stopChain(stack)
    await expectNoDifference(stack)
  }, 60_000)
})
