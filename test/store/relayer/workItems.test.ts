import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Database } from '../../../store/database/database.ts'
import {
  assignItems,
  endItems,
  itemsOf,
  itemsWaitingFor,
  lockDueItems,
  lockItems,
  readBacklog,
  recordResults,
  reopenItems,
  requeueItems,
  type WorkItem,
} from '../../../store/relayer/workItems.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { NETWORK, OTHER_NETWORK } from '../../support/store/invoice.ts'
import {
  type ItemChange,
  isLocked,
  storeItem,
  storeKey,
  storeTransaction,
} from '../../support/store/relayer.ts'

let sql: Database
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(async () => {
  await sql`truncate relayer_key, relayer_tx, relayer_attempt, work_item`
})
afterAll(() => sql.end({ timeout: 1 }))

const KINDS = ['x402', 'refund', 'configure', 'sweep', 'deploy', 'distribute']
const newItem = (change: ItemChange = {}) => storeItem(sql, 'sweep', {}, change)
const newTransaction = async () => storeTransaction(sql, await storeKey(sql))
const assigned = (txId: bigint, change: ItemChange = {}) =>
  newItem({ state: 'assigned', txId, ...change })

async function rowOf(id: bigint) {
  const [row] = await sql`select * from work_item where id = ${id}`
  return row
}

function idsOf(items: readonly WorkItem[]): bigint[] {
  return items.map(({ id }) => id)
}

describe('work that may be sent', () => {
  const due = (limit = 10) =>
    sql.begin(async (transaction) =>
      idsOf(await lockDueItems(transaction, NETWORK, 'sweep', limit)),
    )

  test('is queued, its time has come, and it is of this kind and chain; the oldest first', async () => {
    const [first, second] = [await newItem(), await newItem()]
    await newItem({ dueInMs: 60_000 })
    await newItem({ networkId: OTHER_NETWORK })
    await storeItem(sql, 'refund')
    await assigned(await newTransaction())
    for (const state of ['settled', 'failed', 'review'] as const) await newItem({ state })
    expect(await due()).toEqual([first, second])
    expect(await due(1)).toEqual([first])
    expect(await readBacklog(sql, NETWORK, KINDS)).toMatchObject([
      { kind: 'refund', count: 1 },
      { kind: 'sweep', count: 2 },
    ])
  })

  test('is seen behind any number of items of other kinds, the most urgent kind first', async () => {
    await sql`
      insert into work_item (network_id, kind, dedupe_key, payload, not_before)
      select ${NETWORK}, kind, kind || n, '{}', now() - interval '1 hour'
      from generate_series(1, 2100) n, unnest(array['sweep', 'deploy']) kind`
    const first = await storeItem(sql, 'configure')
    await sql`
      insert into work_item (network_id, kind, dedupe_key, payload, waits_for)
      select ${NETWORK}, 'sweep', 'blocked' || n, '{}', ${first} from generate_series(1, 2100) n`
    for (const kind of ['x402', 'distribute', 'refund'] as const) await storeItem(sql, kind)
    const kinds = (await readBacklog(sql, NETWORK, KINDS)).map(({ kind, count }) => [kind, count])
    expect(kinds).toEqual([
      ['x402', 1],
      ['refund', 1],
      ['configure', 1],
      ['sweep', 1_000],
      ['deploy', 1_000],
      ['distribute', 1],
    ])
  })

  test('is freed by what it waits for, one after the other', async () => {
    const firsts = [await storeItem(sql, 'configure'), await storeItem(sql, 'configure')]
    const waiting = await Promise.all(firsts.map((waitsFor) => newItem({ waitsFor })))
    for (const [i, id] of firsts.entries()) {
      expect(await due()).toEqual(waiting.slice(0, i))
      await sql`update work_item set state = 'settled' where id = ${id}`
    }
    expect(await due()).toEqual(waiting)
    expect(await due(1)).toHaveLength(1)
    const free = await newItem()
    expect(await due(1)).toEqual([free])
  })

  test.each([
    ['queued', false],
    ['assigned', false],
    ['settled', true],
    ['failed', true],
    ['review', true],
  ] as const)('waits for what is %s: may be sent %p', async (state, isDue) => {
    const txId = state === 'assigned' ? await newTransaction() : null
    const first = await storeItem(sql, 'configure', {}, { state, txId })
    await storeItem(sql, 'configure', {}, { state: 'queued', dueInMs: 60_000 })
    const waiting = await newItem({ waitsFor: first })
    expect(await due()).toEqual(isDue ? [waiting] : [])
  })

  test('is locked, and what another worker has locked is left out', async () => {
    const [first, second] = [await newItem(), await newItem()]
    await sql.begin(async (transaction) => {
      const items = await lockDueItems(transaction, NETWORK, 'sweep', 1)
      expect(idsOf(items)).toEqual([first])
      expect(await due()).toEqual([second])
    })
  })

  test('has waited since its time came, or since it last changed', async () => {
    await newItem({ dueInMs: -60_000 })
    await sql`update work_item set updated_at = now() - interval '30 seconds'`
    const [backlog] = await readBacklog(sql, NETWORK, KINDS)
    expect(backlog?.waitedMs).toBeGreaterThanOrEqual(30_000)
    expect(backlog?.waitedMs).toBeLessThan(50_000)
  })
})

test('items are locked by their ids, and others are not', async () => {
  const [first, other] = [await newItem(), await newItem()]
  await sql.begin(async (transaction) => {
    await lockItems(transaction, [first])
    expect(await isLocked(sql, 'work_item', first)).toBe(true)
    expect(await isLocked(sql, 'work_item', other)).toBe(false)
  })
})

describe('an item', () => {
  test('is assigned to one transaction, once', async () => {
    const txId = await newTransaction()
    const [first, second, other] = [await newItem(), await newItem(), await newItem()]
    await sql.begin((transaction) => assignItems(transaction, [first, second], txId))
    expect(idsOf(await itemsOf(sql, txId))).toEqual([first, second])
    expect((await rowOf(other))?.state).toBe('queued')
    const again = sql.begin((transaction) => assignItems(transaction, [second, other], txId))
    await expect(again).rejects.toThrow('an item was assigned twice')
    expect((await rowOf(other))?.state).toBe('queued')
  })

  test('gets the result of its own', async () => {
    const txId = await newTransaction()
    const [one, two] = [await assigned(txId), await assigned(txId)]
    const other = await assigned(await newTransaction())
    const results = [
      { item: { id: two }, result: { of: 'two' } },
      { item: { id: one }, result: { of: 'one' } },
    ]
    await sql.begin(async (transaction) => {
      await recordResults(transaction, 'settled', results)
      await recordResults(transaction, 'failed', [])
    })
    expect(await itemsOf(sql, txId)).toMatchObject([
      { id: one, state: 'settled', result: { of: 'one' } },
      { id: two, state: 'settled', result: { of: 'two' } },
    ])
    expect((await rowOf(other))?.state).toBe('assigned')
  })

  test.each([
    ['assigned', 'assigned'],
    ['settled', 'assigned'],
    ['failed', 'failed'],
    ['review', 'review'],
  ] as const)('that is %s is %s when its transaction was reorganised', async (state, expected) => {
    const [txId, other] = [await newTransaction(), await newTransaction()]
    const id = await newItem({ state, txId, result: { error: 'why' } })
    const others = await newItem({ state: 'settled', txId: other })
    await sql.begin((transaction) => reopenItems(transaction, txId))
    expect((await rowOf(id))?.state).toBe(expected)
    expect((await rowOf(others))?.state).toBe('settled')
  })

  test('ends alone, with its reason', async () => {
    const [id, other] = [await newItem(), await newItem()]
    await sql.begin((transaction) =>
      endItems(transaction, [{ item: { id }, reason: 'why' }], 'failed'),
    )
    expect(await rowOf(id)).toMatchObject({ state: 'failed', result: { error: 'why' } })
    expect((await rowOf(other))?.state).toBe('queued')
  })

  test('is freed alone, and a try is counted only when it was one', async () => {
    const txId = await newTransaction()
    const [id, other] = [await assigned(txId), await assigned(txId)]
    const requeue = (batchLimit: number | null, countTry: boolean) =>
      sql.begin((transaction) =>
        requeueItems(transaction, [{ id, batchLimit, countTry, delayMs: 60_000 }]),
      )
    await requeue(5, false)
    expect(await rowOf(id)).toMatchObject({ state: 'queued', txId: null, batchLimit: 5, tries: 0 })
    expect((await rowOf(id))?.notBefore.getTime()).toBeGreaterThan(Date.now() + 50_000)
    await requeue(null, true)
    expect(await rowOf(id)).toMatchObject({ batchLimit: 5, tries: 1 })
    expect((await rowOf(other))?.state).toBe('assigned')
  })

  test('is waited for by those that are queued', async () => {
    const [first, other] = [await newItem(), await newItem()]
    const waiting = await newItem({ waitsFor: first })
    await newItem({ waitsFor: first, state: 'failed' })
    await newItem({ waitsFor: other })
    await sql.begin(async (transaction) => {
      expect(idsOf(await itemsWaitingFor(transaction, [first]))).toEqual([waiting])
      expect(await isLocked(sql, 'work_item', waiting)).toBe(true)
    })
  })
})
