import { beforeEach, expect, test } from 'bun:test'
import type { Database } from '../../../store/database/database.ts'
import {
  type ItemWait,
  readHubWaiting,
  waitForHub,
  wakeHubWaiters,
} from '../../../store/relayer/hubWaits.ts'
import { assignItems, lockDueItems, readBacklog } from '../../../store/relayer/workItems.ts'
import { forThisFile } from '../../support/store/database.ts'
import { NETWORK, OTHER_NETWORK } from '../../support/store/invoice.ts'
import { storeItem, storeKey, storeTransaction } from '../../support/store/relayer.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})
beforeEach(async () => {
  await sql`truncate relayer_key, relayer_tx, relayer_attempt, work_item`
})

const wait = (...waits: readonly Partial<ItemWait>[]) =>
  sql.begin((tx) =>
    waitForHub(
      tx,
      waits.map((one) => ({
        itemId: 0n,
        wait: 'stopped',
        reason: 'sweeps are stopped',
        until: null,
        ...one,
      })),
    ),
  )
const rowOf = async (id: bigint) => (await sql`select * from work_item where id = ${id}`)[0]
const due = () =>
  sql.begin(async (tx) => (await lockDueItems(tx, NETWORK, 'sweep', 10)).map(({ id }) => id))

test('an item that waits is not due, says why, and is due again when it is woken', async () => {
  const [first, second] = [await storeItem(sql, 'sweep'), await storeItem(sql, 'sweep')]
  await wait({ itemId: first })
  expect(await due()).toEqual([second])
  expect(await rowOf(first)).toMatchObject({
    state: 'queued',
    hubWait: 'stopped',
    result: { waits: 'sweeps are stopped' },
  })
  expect(await readHubWaiting(sql)).toEqual([
    { networkId: NETWORK, kind: 'sweep', wait: 'stopped', count: 1 },
  ])
  expect(await wakeHubWaiters(sql, NETWORK, ['stopped'])).toBe(1)
  expect(await due()).toEqual([first, second])
  expect(await readHubWaiting(sql)).toEqual([])
})

test('what waits for something else, or on another chain, goes on waiting', async () => {
  const elsewhere = await storeItem(sql, 'sweep', {}, { networkId: OTHER_NETWORK })
  const other = await storeItem(sql, 'sweep')
  await wait({ itemId: elsewhere }, { itemId: other, wait: 'merchant_change' })
  expect(await wakeHubWaiters(sql, NETWORK, ['stopped', 'refund_limit'])).toBe(0)
  expect(await due()).toEqual([])
})

test('what no one wakes is tried at its time, or after minutes', async () => {
  const [named, unnamed] = [await storeItem(sql, 'sweep'), await storeItem(sql, 'sweep')]
  await wait({ itemId: named, until: new Date(Date.now() - 1_000) }, { itemId: unnamed })
  expect(await due()).toEqual([named])
  const [row] = await sql<{ isSoon: boolean }[]>`
    select not_before between now() + interval '1 minute' and now() + interval '10 minutes' as is_soon
    from work_item where id = ${unnamed}`
  expect(row?.isSoon).toBe(true)
})

test('an item of a transaction is freed from it, and one that has ended stays as it ended', async () => {
  const txId = await storeTransaction(sql, await storeKey(sql))
  const taken = await storeItem(sql, 'sweep', {}, { state: 'assigned', txId })
  const over = await storeItem(sql, 'sweep', {}, { state: 'settled', txId })
  await wait({ itemId: taken }, { itemId: over })
  expect(await rowOf(taken)).toMatchObject({ state: 'queued', txId: null, hubWait: 'stopped' })
  expect(await rowOf(over)).toMatchObject({ state: 'settled', txId, hubWait: null })
})

test('an item that is sent after all no longer waits', async () => {
  const txId = await storeTransaction(sql, await storeKey(sql))
  const id = await storeItem(sql, 'sweep')
  await wait({ itemId: id, until: new Date(Date.now() - 1_000) })
  expect(await readBacklog(sql, NETWORK, ['sweep'])).toMatchObject([{ kind: 'sweep', count: 1 }])
  await sql.begin((tx) => assignItems(tx, [id], txId))
  expect(await rowOf(id)).toMatchObject({ state: 'assigned', hubWait: null })
  expect(await wakeHubWaiters(sql, NETWORK, ['stopped'])).toBe(0)
})
