import { describe, expect, test } from 'bun:test'
import type { X402PaymentId } from '../../../core/base/ids.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { settleByOthers } from '../../../store/relayer/transition.ts'
import type { NewClaim } from '../../../store/x402/claims.ts'
import {
  bookPaidByOthers,
  PAYMENTS,
  type PaymentByOthers,
  storePaidByOthers,
} from '../../../store/x402/settles.ts'
import {
  forThisFile,
  newAddress,
  newHash,
  newNetwork,
  openTransaction,
} from '../../support/store/database.ts'
import { decidedBy } from '../../support/store/decided.ts'
import {
  aClaim,
  changeItem,
  failPayment,
  itemOf,
  newEndpointId,
  newShop,
  newTransaction,
  paymentRow,
  pending,
  place,
  settled,
} from '../../support/store/x402.ts'

let sql: Database
let url: string
forThisFile((database, databaseUrl) => {
  sql = database
  url = databaseUrl
})

const newClaim = async (terms: Parameters<typeof aClaim>[1] = {}) =>
  aClaim(await newShop(sql), terms)
const statusOf = async (id: X402PaymentId) => (await paymentRow(sql, id)).status

describe('the transfer of a foreign transaction', () => {
  const settle = (id: X402PaymentId, at = place(10n)) =>
    sql.begin((t) => settleByOthers(t, PAYMENTS, id, at))

  test.each(['pending', 'failed'])('settles a %s payment with its work', async (status) => {
    const [wanted, other] = [await newClaim(), await newClaim()]
    const [id, otherId] = [await pending(sql, wanted), await pending(sql, other)]
    if (status === 'failed') await failPayment(sql, id)
    const tx_id = await newTransaction(sql)
    await changeItem(sql, wanted, { state: 'assigned', tx_id })
    const at = place(10n, { logIndex: 3 })
    const decided = await decidedBy(sql, [id, otherId], async () => {
      expect(await settle(id, at)).toBe(true)
    })
    expect(decided).toEqual([id])
    expect(await paymentRow(sql, id)).toMatchObject({
      ...{ status: 'settled', reason: null, byOthers: true, txHash: at.txHash, logIndex: 3 },
      ...{ blockNumber: 10n, blockHash: at.blockHash },
    })
    expect(await itemOf(sql, wanted)).toMatchObject({
      ...{ state: 'settled', txId: null, result: { txHash: at.txHash } },
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
