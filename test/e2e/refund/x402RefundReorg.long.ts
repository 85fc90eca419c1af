import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../../support/servers/devStack.ts'
import { stopChain } from '../../support/x402/books.ts'
import { replaceFrom, whileMining } from '../../support/x402/chain.ts'
import {
  askBack,
  expectNoDifference,
  type PaidX402,
  paid,
  refundEnd,
} from '../../support/x402/refunds.ts'
import { startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** Refunds of x402 payments whose blocks are replaced. */

let stack: X402Stack

beforeAll(async () => {
  stack = await startX402Stack({
    chain: { mining: 'manual' },
    variables: { X402_DISTRIBUTE_FROM: '1', X402_DISTRIBUTE_AFTER_S: '3600' },
  })
}, 120_000)

afterAll(() => stack?.close())

async function statusOf(id: string): Promise<string | undefined> {
  const [row] = await stack.database<
    { status: string }[]
  >`select status from refund where id = ${id}`
  return row?.status
}

/** A refund that was carried out, with a payment that lies deep below it. */
async function refunded(): Promise<{ payment: PaidX402; id: string; block: number }> {
  const payment = await whileMining(stack, paid(stack, stack.merchant, 300_000n))
  await stack.chain.mine(30)
  const { data } = await askBack(stack, stack.merchant, payment, { amount: '0.1' })
  await whileMining(
    stack,
    eventually(
      () => statusOf(data.id),
      (status) => status === 'mined' || status === 'confirmed',
      30_000,
    ),
  )
  const [row] = await stack.database<{ block: bigint }[]>`
    select block_number as block from refund where id = ${data.id}`
  return { payment, id: data.id, block: Number(row?.block) }
}

describe('a refund', () => {
  test.each([['mined'], ['confirmed']] as const)(
    'that is %s and displaced is open again, and is carried out by the same order',
    async (until) => {
      const { payment, id, block } = await refunded()
      if (until === 'confirmed') await whileMining(stack, refundEnd(stack, id))
      const order = () => stack.database`
        select order_number, deadline from refund where id = ${id}`
      const [before] = await order()
      await replaceFrom(stack.chain, BigInt(block))
      await stack.chain.mine()
      await eventually(
        () => statusOf(id),
        (status) => status === 'open',
        30_000,
      )
      const [opened] = await stack.database`
        select refunded, refunding from x402_payment where id = ${payment.id}`
      expect({ ...opened }).toEqual({ refunded: 0n, refunding: 100_000n })
      await whileMining(stack, refundEnd(stack, id))
      const [after] = await order()
      expect({ ...after }).toEqual({ ...before })
      expect(await stack.chain.balance(payment.payer)).toBe(800_000n)
    },
    90_000,
  )

  test('leaves no difference to the chain afterwards', async () => {
    const { database, merchant } = stack
    const last = await whileMining(stack, paid(stack, merchant, 900_000n))
    await whileMining(
      stack,
      eventually(
        () => database`select from x402_payment where id = ${last.id} and fee is not null`,
        (rows) => rows.length === 1,
        30_000,
      ),
    )
    await stopChain(stack)
    await expectNoDifference(stack)
  }, 60_000)
})
