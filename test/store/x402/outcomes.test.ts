import { describe, expect, test } from 'bun:test'
import { asX402PaymentId, type X402PaymentId } from '../../../core/base/ids.ts'
import { type Database, openDatabase, type Queryable } from '../../../store/database/database.ts'
import { newestAttempt } from '../../../store/relayer/attempts.ts'
import { lockPayments } from '../../../store/x402/locking.ts'
import {
  endAnswers,
  listenForDecided,
  notifyAfterwards,
  notifyDecided,
  readOutcomes,
} from '../../../store/x402/outcomes.ts'
import {
  forThisFile,
  isEnding,
  isWaiting,
  newHash,
  openTransaction,
} from '../../support/store/database.ts'
import {
  aClaim,
  changeItem,
  changePayment,
  failPayment,
  newShop,
  newTransaction,
  paymentRow,
  pending,
  settled,
} from '../../support/store/x402.ts'

let sql: Database
let url: string
forThisFile((database, databaseUrl) => {
  sql = database
  url = databaseUrl
})

const newOwner = () => Bun.randomUUIDv7()
const settledPayment = async () => settled(sql, aClaim(await newShop(sql)))

/** Whether each of these readers is granted the right to write out the success. */
async function grants(
  queries: readonly (readonly [X402PaymentId, string | null])[],
  database: Queryable = sql,
): Promise<boolean[]> {
  const given = queries.map(([paymentId, owner]) => ({ paymentId, owner }))
  return (await readOutcomes(database, given)).map(({ isGranted }) => isGranted)
}

describe('the right to write out a success', () => {
  test('is granted once, to the first caller', async () => {
    const id = await settledPayment()
    expect(await grants([[id, null]])).toEqual([false])
    expect(await grants([[id, newOwner()]])).toEqual([true])
    expect(await grants([[id, newOwner()]])).toEqual([false])
  })

  test('is granted to one of those who ask together', async () => {
    const [first, second] = [await settledPayment(), await settledPayment()]
    const [one, two] = [newOwner(), newOwner()]
    expect(
      await grants([
        [second, null],
        [first, one],
        [first, two],
        [second, two],
        [second, one],
      ]),
    ).toEqual([false, true, false, true, false])
  })

  test('is granted for no payment but the one that it is asked for', async () => {
    const [wanted, other] = [await settledPayment(), await settledPayment()]
    const owner = newOwner()
    await grants([[wanted, owner]])
    expect(await grants([[other, owner]])).toEqual([true])
  })

  test('is granted neither before a payment is settled nor when it failed', async () => {
    const shop = await newShop(sql)
    const waiting = await pending(sql, aClaim(shop))
    const failed = await pending(sql, aClaim(shop))
    await failPayment(sql, failed)
    const owner = newOwner()
    expect(
      await grants([
        [waiting, owner],
        [failed, owner],
      ]),
    ).toEqual([false, false])
  })

  test('is granted again once its lease has ended, and not at its last moment', async () => {
    const id = await settledPayment()
    await grants([[id, newOwner()]])
    await changePayment(sql, id, { answer_until: new Date(Date.now() + 60_000) })
    expect(await grants([[id, newOwner()]])).toEqual([false])
    await changePayment(sql, id, { answer_until: new Date(Date.now() - 1) })
    expect(await grants([[id, newOwner()]])).toEqual([true])
  })

  test('is leased for five seconds', async () => {
    const id = await settledPayment()
    await grants([[id, newOwner()]])
    const [row] = await sql<{ left: number }[]>`
      select extract(epoch from answer_until - now())::float8 as left from x402_payment
      where id = ${id}`
    expect(row?.left).toBeWithin(3, 5)
  })

  test('is leased from when it is granted, however long its transaction has waited', async () => {
    const id = await settledPayment()
    const left = await sql.begin(async (transaction) => {
      await transaction`select pg_sleep(1.5)`
      await grants([[id, newOwner()]], transaction)
      const [row] = await transaction<{ left: number }[]>`
        select extract(epoch from answer_until - clock_timestamp())::float8 as left
        from x402_payment where id = ${id}`
      return row?.left
    })
    expect(left).toBeWithin(4, 5.01)
  })

  test('that ends while its transaction waits is free then', async () => {
    const id = await settledPayment()
    await changePayment(sql, id, { answer_until: new Date(Date.now() + 500) })
    const granted = await sql.begin(async (transaction) => {
      await transaction`select pg_sleep(1)`
      return grants([[id, newOwner()]], transaction)
    })
    expect(granted).toEqual([true])
  })

  test('is asked for by one reader at a time', async () => {
    const id = await settledPayment()
    const first = await openTransaction(sql, (t) => grants([[id, newOwner()]], t))
    expect(first.result).toEqual([true])
    const second = grants([[id, newOwner()]])
    expect(await isWaiting(sql, second)).toBe(true)
    await first.commit()
    expect(await second).toEqual([false])
  })
})

test('no one waits for those who change other payments', async () => {
  const [id, other] = [await settledPayment(), await settledPayment()]
  const owner = newOwner()
  const { commit } = await openTransaction(sql, (t) => lockPayments(t, [other]))
  const granted = grants([[id, owner]])
  expect(await isEnding(granted)).toBe(true)
  const ended = endAnswers(sql, [{ paymentId: id, owner, wasWritten: true }])
  expect(await isEnding(ended)).toBe(true)
  await commit()
})

describe('the end of an answer', () => {
  test('that was written ends the right for good, regardless of who has it by now', async () => {
    const [id, other] = [await settledPayment(), await settledPayment()]
    const owner = newOwner()
    await grants([
      [id, newOwner()],
      [other, newOwner()],
    ])
    await endAnswers(sql, [{ paymentId: id, owner, wasWritten: true }])
    const { answeredAt } = await paymentRow(sql, id)
    expect(answeredAt).toBeInstanceOf(Date)
    expect(await grants([[id, newOwner()]])).toEqual([false])
    expect((await paymentRow(sql, other)).answeredAt).toBeNull()

    await endAnswers(sql, [{ paymentId: id, owner, wasWritten: true }])
    expect((await paymentRow(sql, id)).answeredAt).toEqual(answeredAt)
  })

  test('that was not written leaves the right to the next reader', async () => {
    const [id, other] = [await settledPayment(), await settledPayment()]
    const owner = newOwner()
    await grants([
      [id, owner],
      [other, owner],
    ])
    await endAnswers(sql, [{ paymentId: id, owner, wasWritten: false }])
    expect(
      await grants([
        [id, newOwner()],
        [other, newOwner()],
      ]),
    ).toEqual([true, false])
    expect((await paymentRow(sql, id)).answeredAt).toBeNull()
  })

  test('that was not written takes the right from no one else', async () => {
    const id = await settledPayment()
    await grants([[id, newOwner()]])
    await endAnswers(sql, [{ paymentId: id, owner: newOwner(), wasWritten: false }])
    expect(await grants([[id, newOwner()]])).toEqual([false])
  })

  test('in a batch of answers is each for its own payment', async () => {
    const [written, lost] = [await settledPayment(), await settledPayment()]
    const owner = newOwner()
    await grants([
      [written, owner],
      [lost, owner],
    ])
    await endAnswers(sql, [
      { paymentId: written, owner, wasWritten: true },
      { paymentId: lost, owner, wasWritten: false },
    ])
    expect(await grants([[written, newOwner()]])).toEqual([false])
    expect(await grants([[lost, newOwner()]])).toEqual([true])
  })
})

test('the newest attempt is the last one that carries the payment, not one that cancels it', async () => {
  const shop = await newShop(sql)
  const [carried, other] = [aClaim(shop), aClaim(shop)]
  const [id, otherId] = [await pending(sql, carried), await pending(sql, other)]
  expect(await newestAttempt(sql, id)).toBeNull()
  const tx_id = await newTransaction(sql)
  await changeItem(sql, carried, { state: 'assigned', tx_id })
  const hashes = [newHash(), newHash(), newHash()]
  for (const [i, hash] of hashes.entries()) {
    await sql`
      insert into relayer_attempt (network_id, hash, tx_id, seq, raw, max_fee_per_gas,
        max_priority_fee_per_gas, is_cancel)
      values ('base-sepolia', ${hash}, ${tx_id}, ${i + 1}, '0x', 1, 1, ${i === 2})`
  }
  expect(await newestAttempt(sql, id)).toBe(hashes[1] ?? '0x')
  expect(await newestAttempt(sql, otherId)).toBeNull()
})

test.each([
  ['in a transaction', notifyDecided],
  ['after one', notifyAfterwards],
])(
  'every decided payment is heard of, however many are decided together: %s',
  async (_, notify) => {
    const heard: X402PaymentId[][] = []
    const begun = Promise.withResolvers<void>()
    const unlisten = listenForDecided(sql, {
      hear: (ids) => heard.push([...ids]),
      begin: begun.resolve,
      log: { warn: (_, message) => begun.reject(new Error(message)) },
    })
    await begun.promise
    const id = asX402PaymentId(newOwner())
    await notify(sql, [])
    await notify(sql, [id])
    await notify(sql, Array(200).fill(id))
    await notify(sql, Array(201).fill(id))
    const ours = () => heard.filter(([first]) => first === id)
    while (ours().flat().length < 402) await Bun.sleep(5)
    expect(ours().map(({ length }) => length)).toEqual([1, 200, 200, 1])
    await unlisten()
  },
)

test('what is committed after a notification waits for the disk again', async () => {
  const one = openDatabase(url, { name: 'remit-test', poolSize: 1 })
  await one`set synchronous_commit to on`
  await notifyAfterwards(one, [asX402PaymentId(newOwner())])
  const [setting] = await one<{ value: string }[]>`
    select current_setting('synchronous_commit') as value`
  expect(setting?.value).toBe('on')
  await one.end()
})
