import { expect, test } from 'bun:test'
import type { Database, Transaction } from '../../../store/database/database.ts'
import { assignedTo, lockAssigned } from '../../../store/relayer/workItems.ts'
import { readSettles } from '../../../store/x402/work.ts'
import { forThisFile, isEnding, isWaiting, openTransaction } from '../../support/store/database.ts'
import {
  aClaim,
  changeItem,
  itemOf,
  newShop,
  newTransaction,
  pending,
} from '../../support/store/x402.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

/** A claim whose work is bound to a transaction. */
async function assigned(tx_id: bigint, change: Parameters<typeof changeItem>[2] = {}) {
  const wanted = aClaim(await newShop(sql))
  await pending(sql, wanted)
  await changeItem(sql, wanted, { state: 'assigned', tx_id, ...change })
  return itemOf(sql, wanted)
}

test('what a relayer must know is read in the order of the items', async () => {
  const shops = [await newShop(sql), await newShop(sql)]
  const claims = shops.map((shop) => aClaim(shop, { isWallet: true, block: 77n }))
  for (const wanted of claims) await pending(sql, wanted)
  await pending(sql, aClaim(await newShop(sql)))
  const items = await Promise.all(claims.map((wanted) => itemOf(sql, wanted)))
  const rows = await readSettles(sql, items.map(({ id }) => id).toReversed())
  expect(rows.map(({ itemId }) => itemId)).toEqual(items.map(({ id }) => id))
  for (const [i, row] of rows.entries()) {
    expect(row).toMatchObject({
      ...{ merchantId: shops[i]?.id ?? '', hub: shops[i]?.hub ?? '', status: 'pending' },
      ...{ authorization: claims[i]?.authorization ?? {}, isWallet: true, claimedBlock: 77n },
    })
  }
})

test('undecided is what transactions have left undone, but for some', async () => {
  const [mined, other] = [await newTransaction(sql, 'mined'), await newTransaction(sql, 'mined')]
  const first = await assigned(mined, { tries: 2, result: '{"error":"late"}' })
  const wallet = await assigned(mined, { kind: 'x402_wallet' })
  await assigned(other)
  await assigned(mined, { state: 'settled' })
  const last = await assigned(mined)
  const idsLeft = async (...limits: [bigint[], number]) =>
    (await assignedTo(sql, [mined], ...limits)).map(({ id, txId }) => [id, txId])
  expect(await idsLeft([], 10)).toEqual([first, wallet, last].map(({ id }) => [id, mined]))
  expect(await idsLeft([first.id], 1)).toEqual([[wallet.id, mined]])
  expect(await assignedTo(sql, [], [], 10)).toEqual([])
})

test('undecided items are locked while they are still undone', async () => {
  const [mined, signed] = [await newTransaction(sql, 'mined'), await newTransaction(sql)]
  const undone = await assigned(mined)
  const done = await assigned(mined, { state: 'settled' })
  const open = await assigned(signed)
  const [beside, moved] = [await assigned(mined), await assigned(mined)]
  const of = (id: bigint, ...items: { id: bigint }[]) => items.map((item) => ({ item, tx: { id } }))
  const lock = (t: Transaction) =>
    lockAssigned(t, [...of(mined, undone, done), ...of(signed, open, moved)])
  const first = await openTransaction(sql, lock)
  expect(first.result).toEqual(new Set([undone.id]))
  expect(await isEnding(sql.begin((t) => lockAssigned(t, of(mined, beside))))).toBe(true)
  const second = sql.begin(lock)
  expect(await isWaiting(sql, second)).toBe(true)
  await first.sql`update work_item set state = 'settled' where id = ${undone.id}`
  await first.commit()
  expect(await second).toEqual(new Set())
})
