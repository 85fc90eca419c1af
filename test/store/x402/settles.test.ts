import { describe, expect, test } from 'bun:test'
import type { X402PaymentId } from '../../../core/base/ids.ts'
import type { Database } from '../../../store/database/database.ts'
import type { MinedIn } from '../../../store/relayer/transactions.ts'
import {
  advance,
  advanceWithWork,
  type Given,
  idsOf,
  type Step,
  settleByOthers,
} from '../../../store/relayer/transition.ts'
import type { NewClaim } from '../../../store/x402/claims.ts'
import { lockPayments } from '../../../store/x402/locking.ts'
import { PAYMENTS, postpone } from '../../../store/x402/settles.ts'
import { forThisFile, isEnding, isWaiting, openTransaction } from '../../support/store/database.ts'
import { decidedBy } from '../../support/store/decided.ts'
import {
  aClaim,
  changeItem,
  changePayment,
  confirmed,
  failPayment,
  itemOf,
  newShop,
  newTransaction,
  paymentRow,
  pending,
  place,
  settled,
} from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

const newClaim = async (terms: Parameters<typeof aClaim>[1] = {}) =>
  aClaim(await newShop(sql), terms)
const statusOf = async (id: X402PaymentId) => (await paymentRow(sql, id)).status

async function take(step: Step, given: readonly Given[], at: MinedIn | null = null) {
  return idsOf(await sql.begin((t) => advance(t, PAYMENTS, step, given, at)))
}

async function fail(given: readonly Given[]) {
  return idsOf(await sql.begin((t) => advanceWithWork(t, PAYMENTS, 'failed', given)))
}

describe('a payment that our transaction has mined', () => {
  const mine = (paymentId: X402PaymentId, at = place(10n, { logIndex: 4 })) =>
    take('mined', [{ id: paymentId, logIndex: at.logIndex }], at)

  test('is settled by its own transfer, in a commit that waits for no other that notifies', async () => {
    const [id, other] = [await pending(sql, await newClaim()), await pending(sql, await newClaim())]
    const at = place(10n, { logIndex: 4 })
    expect(await decidedBy(sql, [id, other], () => mine(id, at))).toEqual([])
    expect(await paymentRow(sql, id)).toMatchObject({
      ...{ status: 'settled', txHash: at.txHash, logIndex: 4, blockNumber: 10n },
      ...{ blockHash: at.blockHash, byOthers: false },
    })
    expect(await statusOf(other)).toBe('pending')
  })

  test('has the place of its own transfer, regardless of what else was mined with it', async () => {
    const [first, second] = [
      await pending(sql, await newClaim()),
      await pending(sql, await newClaim()),
    ]
    const payments = [
      { id: second, logIndex: 1 },
      { id: first, logIndex: 2 },
    ]
    await take('mined', payments, place(10n))
    expect((await paymentRow(sql, first)).logIndex).toBe(2)
    expect((await paymentRow(sql, second)).logIndex).toBe(1)
  })

  test('is settled even if it was thought to have failed', async () => {
    const id = await pending(sql, await newClaim())
    await failPayment(sql, id)
    await mine(id)
    expect(await paymentRow(sql, id)).toMatchObject({ status: 'settled', reason: null })
  })

  test('is settled once', async () => {
    const at = place(10n)
    const id = await settled(sql, await newClaim(), at)
    expect(await decidedBy(sql, [id], () => mine(id))).toEqual([])
    expect(await paymentRow(sql, id)).toMatchObject({ txHash: at.txHash, logIndex: 0 })
  })

  test('is one of those that are asked for', async () => {
    const id = await pending(sql, await newClaim())
    await take('mined', [], place(10n))
    expect(await statusOf(id)).toBe('pending')
  })
})

describe('a settled payment', () => {
  test('is confirmed once, with a new version', async () => {
    const [id, other] = [await settled(sql, await newClaim()), await settled(sql, await newClaim())]
    expect(await take('confirmed', [{ id }])).toEqual([id])
    const { confirmedAt, version } = await paymentRow(sql, id)
    expect(confirmedAt).toBeInstanceOf(Date)
    expect(version).toBe(2)
    expect(await take('confirmed', [{ id }])).toEqual([])
    expect((await paymentRow(sql, other)).confirmedAt).toBeNull()
  })

  test('is confirmed neither before it is settled nor by the depth of a foreign block', async () => {
    const waiting = await pending(sql, await newClaim())
    const foreign = await pending(sql, await newClaim())
    await sql.begin((t) => settleByOthers(t, PAYMENTS, foreign, place(10n)))
    expect(await take('confirmed', [{ id: waiting }, { id: foreign }])).toEqual([])
  })

  test('is pending again when its transfer was taken away', async () => {
    const [id, other] = [
      await confirmed(sql, await newClaim()),
      await settled(sql, await newClaim()),
    ]
    await changePayment(sql, id, { distribution_id: Bun.randomUUIDv7(), fee: 1 })
    await take('reopened', [{ id }])
    expect(await paymentRow(sql, id)).toMatchObject({
      ...{ status: 'pending', txHash: null, logIndex: null, blockNumber: null, blockHash: null },
      ...{ settledAt: null, confirmedAt: null, distributionId: null, fee: null },
    })
    expect(await statusOf(other)).toBe('settled')
  })

  test('of a foreign transaction is not touched by the end of ours, nor is one that failed', async () => {
    const foreign = await pending(sql, await newClaim())
    await sql.begin((t) => settleByOthers(t, PAYMENTS, foreign, place(10n)))
    const failed = await pending(sql, await newClaim())
    await failPayment(sql, failed)
    await changePayment(sql, failed, { distribution_id: Bun.randomUUIDv7() })
    await take('reopened', [{ id: foreign }])
    expect(await statusOf(foreign)).toBe('settled')
    await take('reopened', [{ id: failed }]).catch(() => undefined)
    expect(await statusOf(failed)).toBe('failed')
  })
})

test('payments are locked, and no others', async () => {
  const [id, other] = [await pending(sql, await newClaim()), await pending(sql, await newClaim())]
  const first = await openTransaction(sql, (t) => lockPayments(t, [id]))
  expect(await isEnding(sql.begin((t) => lockPayments(t, [other])))).toBe(true)
  const same = sql.begin((t) => lockPayments(t, [id]))
  expect(await isWaiting(sql, same)).toBe(true)
  await Promise.all([first.commit(), same])
})

describe('a payment that failed', () => {
  test('is ended with its work, and the waiting caller is notified', async () => {
    const [wanted, other] = [await newClaim(), await newClaim()]
    const [id, otherId] = [await pending(sql, wanted), await pending(sql, other)]
    const decided = await decidedBy(sql, [id, otherId], async () => {
      expect(await fail([{ id, reason: 'expired' }])).toEqual([id])
    })
    expect(decided).toEqual([id])
    expect(await paymentRow(sql, id)).toMatchObject({
      ...{ status: 'failed', reason: 'expired', version: 2 },
    })
    expect(await itemOf(sql, wanted)).toMatchObject({
      ...{ state: 'failed', result: { error: 'expired' } },
    })
    expect(await statusOf(otherId)).toBe('pending')
    expect((await itemOf(sql, other)).state).toBe('queued')
  })

  test('has the reason that was given for it', async () => {
    const [one, two] = [await newClaim(), await newClaim()]
    const [first, second] = [await pending(sql, one), await pending(sql, two)]
    await fail([
      { id: second, reason: 'second' },
      { id: first, reason: 'first' },
    ])
    expect((await paymentRow(sql, first)).reason).toBe('first')
    expect((await paymentRow(sql, second)).reason).toBe('second')
    expect((await itemOf(sql, one)).result).toEqual({ error: 'first' })
    expect((await itemOf(sql, two)).result).toEqual({ error: 'second' })
  })

  test('was pending: neither settled nor failed before', async () => {
    const [done, failed] = [await newClaim(), await newClaim()]
    const [doneId, failedId] = [await settled(sql, done), await pending(sql, failed)]
    await fail([{ id: failedId, reason: 'a' }])
    const failures = [doneId, failedId].map((id) => ({ id, reason: 'b' }))
    expect(await fail(failures)).toEqual([])
    expect((await itemOf(sql, done)).state).toBe('queued')
    expect((await itemOf(sql, failed)).result).toEqual({ error: 'a' })
    expect(await fail([])).toEqual([])
  })
})

test('payments are locked in the order of their ids, so that no two callers deadlock', async () => {
  const ids = [await pending(sql, await newClaim()), await pending(sql, await newClaim())]
  const [first, last] = ids.toSorted()
  if (!first || !last) throw new Error('no payments')
  const failures = [last, first].map((id) => ({ id, reason: 'late' }))
  for (const work of [
    () => sql.begin((t) => lockPayments(t, [last, first])),
    () => fail(failures),
  ]) {
    const other = await openTransaction(sql, (t) => lockPayments(t, [first]))
    const waiting = work()
    expect(await isWaiting(sql, waiting)).toBe(true)
    await lockPayments(other.sql, [last])
    await other.commit()
    await waiting
  }
})

test('the end of one payment waits for no other', async () => {
  const [id, other] = [await pending(sql, await newClaim()), await pending(sql, await newClaim())]
  const { commit } = await openTransaction(sql, (t) => lockPayments(t, [other]))
  const failed = fail([{ id, reason: 'late' }])
  expect(await isEnding(failed)).toBe(true)
  await commit()
})

test('work that is put off waits for an hour, unless it is under way', async () => {
  const [queued, assigned, other] = [await newClaim(), await newClaim(), await newClaim()]
  for (const wanted of [queued, assigned, other]) await pending(sql, wanted)
  await changeItem(sql, assigned, { state: 'assigned', tx_id: await newTransaction(sql) })
  const items = [await itemOf(sql, queued), await itemOf(sql, assigned)]
  await sql.begin((t) => postpone(t, [], 3_600))
  await sql.begin((t) =>
    postpone(
      t,
      items.map(({ id }) => id),
      3_600,
    ),
  )
  const minutes = async (wanted: NewClaim) =>
    ((await itemOf(sql, wanted)).notBefore.getTime() - Date.now()) / 60_000
  expect(await minutes(queued)).toBeWithin(59, 61)
  expect(await minutes(assigned)).toBeLessThan(1)
  expect(await minutes(other)).toBeLessThan(1)
})
