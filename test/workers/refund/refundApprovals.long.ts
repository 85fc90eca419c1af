import { afterAll, beforeAll, expect, test } from 'bun:test'
import { endUnapprovedRefunds } from '../../../workers/refund/ends.ts'
import { newAddress, type OwnRefundRig, openRefundRig } from '../../support/invoice/refunds.ts'
import { databaseUrlOf } from '../../support/servers/database.ts'
import { openAs } from '../../support/servers/roles.ts'
import { isWaiting, openTransaction } from '../../support/store/database.ts'

/** Refunds that need a second person: what is not approved is never signed, regardless of what rows say of its work. */

let rig: OwnRefundRig
beforeAll(async () => {
  rig = await openRefundRig()
  await rig.database`
    insert into approval_policy (merchant_id, recipient, refunds_above, since, on_since)
    values (${rig.merchantId}, false, 1000000, now() - interval '1 hour', now())`
}, 120_000)
afterAll(() => rig?.close())

async function asked(amount: string) {
  const invoice = await rig.invoice()
  await rig.pay(invoice, 4_000_000n)
  const address = newAddress()
  const result = await rig.ask(invoice, amount, { address })
  if (!result.ok) throw new Error(JSON.stringify(result))
  return { invoice, address, refund: result.refund }
}

const request = (refundId: string, state: string) => rig.database`
  insert into approval_request (id, merchant_id, kind, refund_id, actor, actor_id, actor_name, needed,
    state, checked_at, ended_at)
  values (${Bun.randomUUIDv7()}, ${rig.merchantId}, 'refund', ${refundId}, 'key', 'x', 'a key', 2,
    ${state}, now(), ${state === 'open' ? null : new Date()})`

test('one above the amount is signed once it is approved, and one below without', async () => {
  const [small, large] = [await asked('1'), await asked('1.000001')]
  await rig.turn(4)
  expect(await rig.chain.balance(small.address)).toBe(1_000_000n)
  expect(await rig.chain.balance(large.address)).toBe(0n)
  // Nothing of it was signed.
  expect(await rig.refundOf(large.invoice)).toMatchObject({ status: 'open', deadline: null })
  await request(large.refund.id, 'open')
  await rig.turn(2)
  expect(await rig.chain.balance(large.address)).toBe(0n)
  await rig.database`
    update approval_request set state = 'approved', ended_at = now(), done_at = now()
    where refund_id = ${large.refund.id}`
  await rig.turn(4)
  expect(await rig.chain.balance(large.address)).toBe(1_000_001n)
}, 60_000)

test('one that was refused fails, and its money is free again', async () => {
  const { invoice, refund } = await asked('3')
  await request(refund.id, 'refused')
  await rig.turn(2)
  await endUnapprovedRefunds(rig.projection, new Date())
  expect(await rig.refundOf(invoice)).toMatchObject({
    status: 'failed',
    error: 'it was refused by an approver',
  })
  expect((await rig.read(invoice)).payments).toMatchObject([{ refunding: 0n }])
  expect(await rig.told(refund.id)).toEqual(['refund.created', 'refund.failed'])
  await endUnapprovedRefunds(rig.projection, new Date())
}, 60_000)

test('small ones that come to more together are not signed, regardless of what the API has let pass', async () => {
  await rig.database`
    update refund set created_at = created_at - interval '25 hours' where merchant_id = ${rig.merchantId}`
  const parts = [await asked('0.6'), await asked('0.4'), await asked('0.000001')]
  await rig.turn(4)
  const paid = async () => Promise.all(parts.map(({ address }) => rig.chain.balance(address)))
  expect(await paid()).toEqual([600_000n, 400_000n, 0n])
  const [first] = parts
  await rig.database`
    update refund set created_at = created_at - interval '24 hours' where id = ${first?.refund.id ?? ''}`
  await rig.turn(4)
  expect(await paid()).toEqual([600_000n, 400_000n, 1n])
}, 60_000)

const age = () => rig.database`
  update refund set created_at = created_at - interval '25 hours' where merchant_id = ${rig.merchantId}`

test('a request for a refund that is signed already doesn’t reduce the sum', async () => {
  await age()
  const api = await openAs(databaseUrlOf(rig.database), 'api', 1)
  const hold = async (refundId: string) => {
    await api`
      insert into audit_entry (merchant_id, actor, actor_id, actor_name, action)
      values (${rig.merchantId}, 'key', 'x', 'a key', 'createRefund')`
    await api`select hold_refund(${refundId}, 'key', 'x', 'a key')`
  }
  const first = await asked('0.9')
  await rig.turn()
  const signed = await rig.refundOf(first.invoice)
  expect([signed.status, signed.orderNumber === null]).toEqual(['open', false])
  await expect(hold(first.refund.id)).rejects.toThrow('requested this refund')
  await request(first.refund.id, 'open')
  const second = await asked('0.9')
  await rig.turn(4)
  expect(await rig.chain.balance(first.address)).toBe(900_000n)
  expect(await rig.chain.balance(second.address)).toBe(0n)
  // One that is not signed may be held.
  await hold(second.refund.id)
  await api.end()
}, 60_000)

test('a changed rule allows only what it or the previous rule allowed', async () => {
  await age()
  const [small, large] = [await asked('0.7'), await asked('3')]
  const put = (above: string | null) => rig.database`
    select put_policy(${rig.merchantId}, false, ${above})`
  await put('500000')
  await rig.turn(4)
  // Too late to request an approval of what the rule of then let pass.
  expect(await rig.chain.balance(small.address)).toBe(700_000n)
  expect(await rig.chain.balance(large.address)).toBe(0n)
  await put('2000000')
  await rig.turn(4)
  expect(await rig.chain.balance(large.address)).toBe(0n)
  // Two people agreed that nothing needs an approval.
  await put(null)
  await rig.turn(4)
  expect(await rig.chain.balance(large.address)).toBe(3_000_000n)
}, 60_000)

test('one that is signed before it can be ended goes on', async () => {
  const { invoice, refund } = await asked('3')
  await request(refund.id, 'refused')
  const signing = await openTransaction(
    rig.database,
    (sql) => sql`select from invoice where id = ${invoice.id} for update`,
  )
  const ending = endUnapprovedRefunds(rig.projection, new Date())
  expect(await isWaiting(rig.database, ending)).toBe(true)
  await signing.sql`
    update refund set deadline = 9999999999, order_number = 1000, fee_left = 0 where id = ${refund.id}`
  await signing.commit()
  expect(await ending).toMatchObject({ changed: 0 })
  expect(await rig.refundOf(invoice)).toMatchObject({ status: 'open' })
}, 60_000)
