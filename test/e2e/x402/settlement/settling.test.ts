import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ZERO_ADDRESS } from '../../../../core/chain/evm.ts'
import { eventually } from '../../../support/servers/devStack.ts'
import { paymentBy } from '../../../support/x402/requests.ts'
import { PRICE, startX402Stack, type X402Stack } from '../../../support/x402/stack.ts'

/** A payment from its authorization to the merchant's treasury. */

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack()
}, 120_000)

afterAll(() => stack.close())

test('a payment is verified, settled, and split between treasury and collector', async () => {
  const payer = await stack.newPayer()
  const body = await paymentBy(stack, payer)
  expect(await stack.verify(body)).toEqual({
    isValid: true,
    payer: payer.address.toLowerCase(),
  })
  const settled = await stack.settle(body)
  expect(settled).toMatchObject({
    success: true,
    network: 'eip155:84532',
    payer: payer.address.toLowerCase(),
    amount: PRICE.toString(),
  })
  const recipient = stack.merchant.recipient ?? ZERO_ADDRESS
  const split = await eventually(
    () => Promise.all([recipient, stack.chain.collector].map(stack.chain.balance)),
    ([remitted]) => remitted !== 0n,
  )
  // The fee is half a per cent, and one base unit stays in the forwarder.
  expect(split).toEqual([PRICE - 1n - 49n, 49n])
  const { paymentId } = settled
  const booked = await eventually(
    () => stack.database`
      select status, fee, distribution_id is not null as is_booked from x402_payment
      where id = ${paymentId ?? null} and confirmed_at is not null`,
    ([row]) => row?.isBooked === true,
  )
  expect(booked).toMatchObject([{ status: 'settled', fee: 49n }])
  const events = await stack.database`
    select type, version from outbox where object_id = ${paymentId ?? null}`
  expect(events).toMatchObject([{ type: 'x402.payment.settled', version: 2 }])
})
