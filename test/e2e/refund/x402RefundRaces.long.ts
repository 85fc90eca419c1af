import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Address } from '../../../core/chain/evm.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { distributeByTreasury, stopChain, untilConfigured } from '../../support/x402/books.ts'
import { newOtherSender } from '../../support/x402/chain.ts'
import { askBack, expectNoDifference, paid, refundEnd } from '../../support/x402/refunds.ts'
import { type Shop, startX402Stack, type X402Stack } from '../../support/x402/stack.ts'

/** Refunds of x402 payments against payouts of the forwarder that holds them. */

const VALUE = 200_000n
let stack: X402Stack

beforeAll(async () => {
  // A forwarder is paid out with every fifth payment or so.
  stack = await startX402Stack({
    variables: { X402_DISTRIBUTE_FROM: '0.9', X402_DISTRIBUTE_AFTER_S: '3600' },
  })
}, 120_000)

afterAll(() => stack?.close())

interface Asked {
  readonly id: string | null
  readonly amount: bigint
  readonly payer: `0x${string}`
}

test('each ends as paid or as refused, and every unit is where the books say', async () => {
  const { merchant, chain, database } = stack
  // Nothing is to be paid out yet, so that this one is not too late however slow the machine is.
  const first = await paid(stack, merchant, VALUE)
  const { data: sure } = await askBack(stack, merchant, first, { amount: '0.1' })
  await refundEnd(stack, sure.id)
  const asked = await Promise.all(
    Array.from({ length: 24 }, async (_, i): Promise<Asked> => {
      await Bun.sleep(i * 120)
      const payment = await paid(stack, merchant, VALUE)
      const amount = BigInt(1 + (i % 4)) * 50_000n
      const { status, code, data } = await askBack(stack, merchant, payment, {
        amount: (Number(amount) / 1_000_000).toString(),
      })
      // Asked for too late: the payment is with the merchant.
      if (status !== 201) expect(code).toBe('refund_settled')
      return { id: status === 201 ? data.id : null, amount, payer: payment.payer }
    }),
  )
  await eventually(
    () => database`
      select from refund where status not in ('confirmed', 'failed')`,
    (open) => open.length === 0,
    60_000,
  )
  const ended = await database<{ id: string; status: string }[]>`select id, status from refund`
  const statusOf = new Map(ended.map(({ id, status }) => [id, status]))
  for (const { id, amount, payer } of asked) {
    const back = id !== null && statusOf.get(id) === 'confirmed' ? amount : 0n
    expect(await chain.balance(payer)).toBe(1_000_000n - VALUE + back)
  }
  await eventually(
    () => database`
      select from work_item where state in ('queued', 'assigned')`,
    (open) => open.length === 0,
    30_000,
  )
  const last = await paid(stack, merchant, 950_000n)
  await eventually(
    () => database`select from x402_payment where id = ${last.id} and fee is not null`,
    (rows) => rows.length === 1,
    30_000,
  )
  const late = await askBack(stack, merchant, last, { amount: '0.1' })
  expect(late).toMatchObject({ status: 409, code: 'refund_settled' })
  expect(await chain.balance(merchant.forwarder)).toBe(1n)
}, 180_000)

test('a refund that waits for a second person holds payouts up, and goes out once it is approved', async () => {
  const { chain, database } = stack
  const shop = await carefulShop()
  const payment = await paid(stack, shop, VALUE)
  const { data } = await askBack(stack, shop, payment, { amount: '0.1' })
  // Enough to be paid out.
  await paid(stack, shop, 950_000n)
  await Bun.sleep(1_500)
  expect(await chain.balance(shop.forwarder)).toBe(VALUE + 950_000n)
  await database`
    update approval_request set state = 'approved', ended_at = now(), done_at = now() where refund_id = ${data.id}`
  await database`update work_item set not_before = now() where dedupe_key = ${`refund:${data.id}`}`
  await refundEnd(stack, data.id)
  expect(await chain.balance(payment.payer)).toBe(900_000n)
  await eventually(
    () => chain.balance(shop.forwarder),
    (held) => held === 1n,
    30_000,
  )
}, 60_000)

test('a refund whose payment the treasury has paid out to itself first fails, and says so', async () => {
  const { chain, database } = stack
  const treasury = await newOtherSender(chain)
  const shop = await carefulShop(addressOf(treasury))
  await untilConfigured(stack, shop)
  const payment = await paid(stack, shop, VALUE)
  const { data } = await askBack(stack, shop, payment, { amount: '0.1' })
  await distributeByTreasury(stack, shop, treasury)
  await refundEnd(stack, data.id, 'failed')
  const [row] = await database<{ error: string; refunding: bigint; state: string }[]>`
    select r.error, p.refunding, w.state from refund r
    join x402_payment p on p.id = r.x402_payment_id
    join work_item w on w.dedupe_key = 'refund:' || r.id where r.id = ${data.id}`
  expect({ ...row }).toEqual({
    error: 'the payment was paid out to your treasury before it could be sent back',
    refunding: 0n,
    state: 'failed',
  })
  expect(await chain.balance(payment.payer)).toBe(1_000_000n - VALUE)
  const told = await database<{ type: string }[]>`
    select type from outbox where object_id = ${data.id} order by version`
  expect(told.map(({ type }) => type)).toEqual(['refund.created', 'refund.failed'])
  await stopChain(stack)
  await expectNoDifference(stack)
}, 60_000)

/** A merchant all of whose refunds need a second person. */
async function carefulShop(recipient?: Address): Promise<Shop> {
  const shop = await stack.newMerchant(recipient)
  await stack.database`
    insert into approval_policy (merchant_id, recipient, refunds_above, since, on_since)
    values (${shop.id}, false, 0, now(), now())`
  return shop
}
