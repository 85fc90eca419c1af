import { describe, expect, test } from 'bun:test'
import type { X402PaymentId } from '../../../../core/ids.ts'
import { type Database, openDatabase } from '../../../../store/database.ts'
import type { NewClaim } from '../../../../store/x402/claim/claims.ts'
import { lockPayments } from '../../../../store/x402/locking.ts'
import { listenForDecided } from '../../../../store/x402/settlement/outcomes.ts'
import {
  bookPaidByOthers,
  type PaymentByOthers,
  putOff,
  settleByEvidence,
  settlesConfirmed,
  settlesFailed,
  settlesMined,
  settlesReopened,
  storePaidByOthers,
} from '../../../../store/x402/settlement/settles.ts'
import {
  forThisFile,
  isEnding,
  isWaiting,
  newAddress,
  newHash,
  newNetwork,
  openTransaction,
} from '../../../support/store/database.ts'
import {
  aClaim,
  changeItem,
  changePayment,
  confirmed,
  failPayment,
  itemOf,
  newEndpointId,
  newShop,
  newTransaction,
  paymentRow,
  pending,
  place,
  settled,
} from '../../../support/store/x402.ts'

let sql: Database
let url: string
forThisFile((database, databaseUrl) => {
  sql = database
  url = databaseUrl
})

const newClaim = async (terms: Parameters<typeof aClaim>[1] = {}) =>
  aClaim(await newShop(sql), terms)
const statusOf = async (id: X402PaymentId) => (await paymentRow(sql, id)).status

/** The payments of these that were said to be decided while something was done. */
async function decidedBy(
  ids: readonly X402PaymentId[],
  work: () => Promise<unknown>,
): Promise<X402PaymentId[]> {
  const heard: X402PaymentId[] = []
  const unlisten = await listenForDecided(sql, (decided) => heard.push(...decided))
  const last = await pending(sql, await newClaim())
  await work()
  await sql.begin((t) => settlesFailed(t, [{ paymentId: last, reason: 'last' }]))
  while (!heard.includes(last)) await Bun.sleep(5)
  await unlisten()
  return heard.filter((id) => ids.includes(id))
}

describe('a payment that our transaction has mined', () => {
  const mine = (paymentId: X402PaymentId, at = place(10n, { logIndex: 4 })) =>
    sql.begin((t) => settlesMined(t, [{ paymentId, logIndex: at.logIndex }], at))

  test('is settled by its own transfer, in a commit that waits for no other that notifies', async () => {
    const [id, other] = [await pending(sql, await newClaim()), await pending(sql, await newClaim())]
    const at = place(10n, { logIndex: 4 })
    expect(await decidedBy([id, other], () => mine(id, at))).toEqual([])
    expect(await paymentRow(sql, id)).toMatchObject({
      ...{ status: 'settled', txHash: at.txHash, logIndex: 4, blockNumber: 10n },
      ...{ blockHash: at.blockHash, byOthers: false },
    })
    expect(await statusOf(other)).toBe('pending')
  })

  test('has the place of its own transfer, whatever else was mined with it', async () => {
    const [first, second] = [
      await pending(sql, await newClaim()),
      await pending(sql, await newClaim()),
    ]
    const payments = [
      { paymentId: second, logIndex: 1 },
      { paymentId: first, logIndex: 2 },
    ]
    await sql.begin((t) => settlesMined(t, payments, place(10n)))
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
    expect(await decidedBy([id], () => mine(id))).toEqual([])
    expect(await paymentRow(sql, id)).toMatchObject({ txHash: at.txHash, logIndex: 0 })
  })

  test('is one of those that are asked for', async () => {
    const id = await pending(sql, await newClaim())
    await sql.begin((t) => settlesMined(t, [], place(10n)))
    expect(await statusOf(id)).toBe('pending')
  })
})

describe('a settled payment', () => {
  test('is confirmed once, with a new version', async () => {
    const [id, other] = [await settled(sql, await newClaim()), await settled(sql, await newClaim())]
    expect(await sql.begin((t) => settlesConfirmed(t, [id]))).toEqual([id])
    const { confirmedAt, version } = await paymentRow(sql, id)
    expect(confirmedAt).toBeInstanceOf(Date)
    expect(version).toBe(2)
    expect(await sql.begin((t) => settlesConfirmed(t, [id]))).toEqual([])
    expect((await paymentRow(sql, other)).confirmedAt).toBeNull()
  })

  test('is confirmed neither before it is settled nor by the depth of a foreign block', async () => {
    const waiting = await pending(sql, await newClaim())
    const foreign = await pending(sql, await newClaim())
    await sql.begin((t) => settleByEvidence(t, foreign, place(10n)))
    expect(await sql.begin((t) => settlesConfirmed(t, [waiting, foreign]))).toEqual([])
  })

  test('is pending again when its transfer was taken away', async () => {
    const [id, other] = [
      await confirmed(sql, await newClaim()),
      await settled(sql, await newClaim()),
    ]
    await changePayment(sql, id, { distribution_id: Bun.randomUUIDv7(), fee: 1 })
    await sql.begin((t) => settlesReopened(t, [id]))
    expect(await paymentRow(sql, id)).toMatchObject({
      ...{ status: 'pending', txHash: null, logIndex: null, blockNumber: null, blockHash: null },
      ...{ settledAt: null, confirmedAt: null, distributionId: null, fee: null },
    })
    expect(await statusOf(other)).toBe('settled')
  })

  test('of a foreign transaction is not touched by the end of ours, nor is one that failed', async () => {
    const foreign = await pending(sql, await newClaim())
    await sql.begin((t) => settleByEvidence(t, foreign, place(10n)))
    const failed = await pending(sql, await newClaim())
    await failPayment(sql, failed)
    await changePayment(sql, failed, { distribution_id: Bun.randomUUIDv7() })
    await sql.begin((t) => settlesReopened(t, [foreign]))
    expect(await statusOf(foreign)).toBe('settled')
    await sql.begin((t) => settlesReopened(t, [failed]).catch(() => undefined))
    expect(await statusOf(failed)).toBe('failed')
  })
})

test('payments are locked, and no others', async () => {
  const [id, other] = [await pending(sql, await newClaim()), await pending(sql, await newClaim())]
  const first = await openTransaction(sql, (t) => lockPayments(t, [id]))
  expect(await isEnding(sql.begin((t) => lockPayments(t, [other])))).toBe(true)
  const same = sql.begin((t) => lockPayments(t, [id]))
  expect(await isWaiting(same)).toBe(true)
  await Promise.all([first.commit(), same])
})

describe('the transfer of a foreign transaction', () => {
  const settle = (id: X402PaymentId, at = place(10n)) =>
    sql.begin((t) => settleByEvidence(t, id, at))

  test.each(['pending', 'failed'])('settles a %s payment with its work', async (status) => {
    const [wanted, other] = [await newClaim(), await newClaim()]
    const [id, otherId] = [await pending(sql, wanted), await pending(sql, other)]
    if (status === 'failed') await failPayment(sql, id)
    const tx_id = await newTransaction(sql)
    await changeItem(sql, wanted, { state: 'assigned', tx_id })
    const at = place(10n, { logIndex: 3 })
    const decided = await decidedBy([id, otherId], async () => {
      expect(await settle(id, at)).toBe(true)
    })
    expect(decided).toEqual([id])
    expect(await paymentRow(sql, id)).toMatchObject({
      ...{ status: 'settled', reason: null, byOthers: true, txHash: at.txHash, logIndex: 3 },
      ...{ blockNumber: 10n, blockHash: at.blockHash },
    })
    expect(await itemOf(sql, wanted)).toMatchObject({
      ...{ state: 'settled', txId: null, logIndex: 3, result: { txHash: at.txHash } },
    })
    expect(await statusOf(otherId)).toBe('pending')
    expect((await itemOf(sql, other)).state).toBe('queued')
  })

  test('does not settle a payment for the second time', async () => {
    const at = place(10n)
    const id = await settled(sql, await newClaim(), at)
    expect(await settle(id)).toBe(false)
    expect((await paymentRow(sql, id)).txHash).toBe(at.txHash)
  })

  test('pays for one payment only', async () => {
    const at = place(10n)
    const [first, second] = [
      await pending(sql, await newClaim()),
      await pending(sql, await newClaim()),
    ]
    expect(await settle(first, at)).toBe(true)
    expect(await settle(second, at)).toBe(false)
    expect(await statusOf(second)).toBe('pending')
  })

  test('is not taken for another of its transaction, or one of another network', async () => {
    const at = place(10n)
    await settle(await pending(sql, await newClaim()), at)
    const beside = await pending(sql, await newClaim())
    expect(await settle(beside, { ...at, logIndex: 1 })).toBe(true)
    const elsewhere = await pending(sql, await newClaim({ networkId: newNetwork() }))
    expect(await settle(elsewhere, at)).toBe(true)
    const later = await pending(sql, await newClaim())
    expect(await settle(later, { ...at, txHash: newHash() })).toBe(true)
  })
})

describe('a payment that a foreign transaction made before it was claimed here', () => {
  const foreign = (claim: NewClaim): PaymentByOthers => ({ ...claim, claimedBlock: claim.block })

  test('is stored as settled, once', async () => {
    const wanted = await newClaim()
    const at = place(10n, { logIndex: 2 })
    const id = await bookPaidByOthers(sql, foreign(wanted), at)
    if (id === null) throw new Error('it was not stored')
    expect(await paymentRow(sql, id)).toMatchObject({
      ...{ status: 'settled', byOthers: true, txHash: at.txHash, logIndex: 2, blockNumber: 10n },
    })
    expect(await bookPaidByOthers(sql, foreign(wanted), place(11n))).toBe(id)
    expect((await paymentRow(sql, id)).txHash).toBe(at.txHash)
  })

  test('is the one that was claimed meanwhile', async () => {
    const wanted = await newClaim()
    const id = await pending(sql, wanted)
    expect(await bookPaidByOthers(sql, foreign(wanted), place(10n))).toBe(id)
    expect(await paymentRow(sql, id)).toMatchObject({ status: 'settled', byOthers: true })
  })

  test('is not one that was claimed for other terms', async () => {
    const wanted = await newClaim({ endpointId: newEndpointId() })
    await pending(sql, wanted)
    const { authorization: a } = wanted
    for (const other of [
      { ...wanted, authorization: { ...a, to: newAddress() } },
      { ...wanted, authorization: { ...a, value: 61n } },
      { ...wanted, authorization: { ...a, validAfter: 1n } },
      { ...wanted, authorization: { ...a, validBefore: 9n } },
      { ...wanted, endpointId: newEndpointId() },
      { ...wanted, endpointId: null },
    ]) {
      expect(await bookPaidByOthers(sql, foreign(other), place(10n))).toBeNull()
    }
  })

  test('is not one of another payer, token, network or nonce', async () => {
    const wanted = await newClaim()
    const known = await pending(sql, wanted)
    const { authorization: a } = wanted
    for (const other of [
      { ...wanted, networkId: newNetwork() },
      { ...wanted, asset: newAddress() },
      { ...wanted, authorization: { ...a, from: newAddress() } },
      { ...wanted, authorization: { ...a, nonce: newHash() } },
    ]) {
      const id = await bookPaidByOthers(sql, foreign(other), place(10n))
      expect(id).not.toBeNull()
      expect(id).not.toBe(known)
    }
    expect(await statusOf(known)).toBe('pending')
  })

  test('is none when its transfer has paid for another one', async () => {
    const at = place(10n)
    await settled(sql, await newClaim(), at)
    const unpaid = await newClaim()
    expect(await bookPaidByOthers(sql, foreign(unpaid), at)).toBeNull()
    const waiting = await pending(sql, unpaid)
    expect(await bookPaidByOthers(sql, foreign(unpaid), at)).toBeNull()
    expect(await statusOf(waiting)).toBe('pending')
  })

  test('is not another one that its transfer has paid for', async () => {
    const wanted = await newClaim()
    const at = place(10n)
    expect(await bookPaidByOthers(sql, foreign(wanted), at)).not.toBeNull()
    const { authorization: a } = wanted
    for (const other of [
      { ...wanted, asset: newAddress() },
      { ...wanted, authorization: { ...a, from: newAddress() } },
      { ...wanted, authorization: { ...a, nonce: newHash() } },
    ]) {
      expect(await bookPaidByOthers(sql, foreign(other), at)).toBeNull()
    }
    const networkId = newNetwork()
    await settled(sql, await newClaim({ networkId }), at)
    expect(await bookPaidByOthers(sql, foreign({ ...wanted, networkId }), at)).toBeNull()
  })

  test('is looked for once more by whoever loses against another booking', async () => {
    const [first, second] = [await newClaim(), await newClaim()]
    await Promise.all([pending(sql, first), pending(sql, second)])
    const at = place(10n)
    const ids = await Promise.all([
      bookPaidByOthers(sql, foreign(first), at),
      bookPaidByOthers(sql, foreign(second), at),
    ])
    expect(ids.filter((id) => id !== null)).toHaveLength(1)
  })

  test('is looked for once more by whoever waited too long for another booking', async () => {
    const wanted = foreign(await newClaim())
    const impatient = openDatabase(url, { name: 'test-impatient', statementTimeoutMs: 200 })
    const at = place(10n)
    const first = await openTransaction(sql, (t) => storePaidByOthers(t, wanted, at))
    const booked = bookPaidByOthers(
      notified(impatient, (begun) => {
        if (begun === 2) void first.commit()
      }),
      wanted,
      at,
    )
    expect(await booked).toBe(first.result)
    await impatient.end()
  })

  test('is not tried again after any other fault', async () => {
    const wanted = foreign(await newClaim({ signature: '0xnothing' }))
    let last = 0
    const database = notified(sql, (begun) => {
      last = begun
    })
    await expect(bookPaidByOthers(database, wanted, place(10n))).rejects.toThrow('signature')
    expect(last).toBe(1)
  })

  /** The same database, which counts the transactions that are begun. */
  function notified(database: Database, onBegin: (count: number) => void): Database {
    let count = 0
    return new Proxy(database, {
      get(target, name) {
        if (name === 'begin') onBegin(++count)
        return Reflect.get(target, name)
      },
    })
  }
})

describe('a payment that failed', () => {
  test('is ended with its work, and whoever waits is notified', async () => {
    const [wanted, other] = [await newClaim(), await newClaim()]
    const [id, otherId] = [await pending(sql, wanted), await pending(sql, other)]
    const decided = await decidedBy([id, otherId], async () => {
      const failures = [{ paymentId: id, reason: 'expired' }]
      expect(await sql.begin((t) => settlesFailed(t, failures))).toEqual([id])
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
    await sql.begin((t) =>
      settlesFailed(t, [
        { paymentId: second, reason: 'second' },
        { paymentId: first, reason: 'first' },
      ]),
    )
    expect((await paymentRow(sql, first)).reason).toBe('first')
    expect((await paymentRow(sql, second)).reason).toBe('second')
    expect((await itemOf(sql, one)).result).toEqual({ error: 'first' })
    expect((await itemOf(sql, two)).result).toEqual({ error: 'second' })
  })

  test('was pending: neither settled nor failed before', async () => {
    const [done, failed] = [await newClaim(), await newClaim()]
    const [doneId, failedId] = [await settled(sql, done), await pending(sql, failed)]
    await sql.begin((t) => settlesFailed(t, [{ paymentId: failedId, reason: 'a' }]))
    const failures = [doneId, failedId].map((paymentId) => ({ paymentId, reason: 'b' }))
    expect(await sql.begin((t) => settlesFailed(t, failures))).toEqual([])
    expect((await itemOf(sql, done)).state).toBe('queued')
    expect((await itemOf(sql, failed)).result).toEqual({ error: 'a' })
    expect(await sql.begin((t) => settlesFailed(t, []))).toEqual([])
  })
})

test('payments are locked in the order of their ids, so that no two callers deadlock', async () => {
  const ids = [await pending(sql, await newClaim()), await pending(sql, await newClaim())]
  const [first, last] = ids.toSorted()
  if (!first || !last) throw new Error('no payments')
  const failures = [last, first].map((paymentId) => ({ paymentId, reason: 'late' }))
  for (const work of [
    () => sql.begin((t) => lockPayments(t, [last, first])),
    () => sql.begin((t) => settlesFailed(t, failures)),
  ]) {
    const other = await openTransaction(sql, (t) => lockPayments(t, [first]))
    const waiting = work()
    expect(await isWaiting(waiting)).toBe(true)
    await lockPayments(other.sql, [last])
    await other.commit()
    await waiting
  }
})

test('the end of one payment waits for no other', async () => {
  const [id, other] = [await pending(sql, await newClaim()), await pending(sql, await newClaim())]
  const { commit } = await openTransaction(sql, (t) => lockPayments(t, [other]))
  const failed = sql.begin((t) => settlesFailed(t, [{ paymentId: id, reason: 'late' }]))
  expect(await isEnding(failed)).toBe(true)
  await commit()
})

test('work that is put off waits for an hour, unless it is under way', async () => {
  const [queued, assigned, other] = [await newClaim(), await newClaim(), await newClaim()]
  for (const wanted of [queued, assigned, other]) await pending(sql, wanted)
  await changeItem(sql, assigned, { state: 'assigned', tx_id: await newTransaction(sql) })
  const items = [await itemOf(sql, queued), await itemOf(sql, assigned)]
  await sql.begin((t) => putOff(t, [], 3_600))
  await sql.begin((t) =>
    putOff(
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
