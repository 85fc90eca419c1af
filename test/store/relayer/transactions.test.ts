import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { asMerchantId } from '../../../core/base/ids.ts'
import type { Database } from '../../../store/database/database.ts'
import { noteGas, readGas } from '../../../store/relayer/gas.ts'
import { quarantineKey } from '../../../store/relayer/keys.ts'
import {
  endTransactions,
  insertTransaction,
  lockSigned,
  markConfirmed,
  markMined,
  markNonceTaken,
  markReorganised,
  type RelayerTx,
  readUnfinished,
  reclaimNonce,
  requestCancel,
} from '../../../store/relayer/transactions.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress, newHash } from '../../support/store/database.ts'
import { NETWORK, OTHER_NETWORK } from '../../support/store/invoice.ts'
import {
  isLocked,
  type StoredKey,
  storeAttempt,
  storeItem,
  storeKey,
  storeTransaction,
  type TransactionChange,
} from '../../support/store/relayer.ts'

let sql: Database
let key: StoredKey
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(async () => {
  await sql`truncate relayer_key, relayer_tx, relayer_attempt, work_item`
  key = await storeKey(sql, { owner: 'worker', heldForMs: 60_000 })
})
afterAll(() => sql.end({ timeout: 1 }))

const BLOCK_HASH = newHash()
const USE = { hash: newHash(), block: 30n, blockHash: newHash() }
const MINED = { state: 'mined', minedBlock: 10n, minedBlockHash: BLOCK_HASH } as const

let nonce = 0n
function newTransaction(change: TransactionChange = {}, of = key): Promise<bigint> {
  nonce += 1n
  return storeTransaction(sql, of, { accountNonce: nonce, ...change })
}

async function rowOf(id: bigint): Promise<RelayerTx> {
  const [row] = await sql<RelayerTx[]>`
    select *, confirmed_at is not null as is_confirmed from relayer_tx where id = ${id}`
  if (!row) throw new Error('there is no such transaction')
  return row
}

/** To which state a change takes a transaction in each state. */
async function outcomes(
  change: (tx: RelayerTx) => Promise<unknown>,
): Promise<Record<string, string>> {
  const ends: Record<string, string> = {}
  for (const state of ['signed', 'mined', 'final', 'nonce_taken'] as const) {
    const id = await newTransaction({ ...MINED, state })
    const other = await newTransaction({ ...MINED, state })
    const isChanged = await change(await rowOf(id))
    ends[state] = (await rowOf(id)).state
    if (typeof isChanged === 'boolean') expect(isChanged).toBe(ends[state] !== state)
    expect((await rowOf(other)).state).toBe(state)
  }
  return ends
}

describe('a transaction', () => {
  const AT = { hash: newHash(), block: 12n, blockHash: newHash(), outcome: 'succeeded' } as const
  const same = { signed: 'signed', mined: 'mined', final: 'final', nonce_taken: 'nonce_taken' }

  test('is signed when it is stored', async () => {
    const target = newAddress()
    const terms = { kind: 'sweep', target, gasLimit: 7n, itemCount: 3 } as const
    const call = { ...key, ...terms, accountNonce: 9n }
    const id = await sql.begin((transaction) =>
      insertTransaction(transaction, { ...call, calldata: '0xabcd' }),
    )
    expect(await rowOf(id)).toMatchObject({ ...call, state: 'signed' })
  })

  test('is mined when it was signed, once', async () => {
    const ends = await outcomes(({ id }) =>
      sql.begin((transaction) => markMined(transaction, id, AT)),
    )
    expect(ends).toEqual({ ...same, signed: 'mined' })
  })

  test('is signed again when its block left the chain, unless it is final', async () => {
    const ends = await outcomes((tx) =>
      sql.begin((transaction) => markReorganised(transaction, tx)),
    )
    expect(ends).toEqual({ ...same, mined: 'signed' })
  })

  test('is final when it was mined and confirmed', async () => {
    expect(await outcomes((tx) => endTransactions(sql, [tx]))).toEqual(same)
    const ends = await outcomes(async (tx) => {
      await sql`update relayer_tx set confirmed_at = now()`
      await endTransactions(sql, [tx])
    })
    expect(ends).toEqual({ ...same, mined: 'final' })
    await endTransactions(sql, [])
  })

  test('is final together with what it has cost, or not at all', async () => {
    const id = await newTransaction({ ...MINED, isConfirmed: true })
    const merchant = Bun.randomUUIDv7()
    const note = (wei: bigint) =>
      sql.begin((transaction) =>
        noteGas(transaction, id, wei, [{ merchantId: asMerchantId(merchant), items: 1, wei }]),
      )
    // Late on the day before: of another day than now, and younger than the hours that are kept.
    const [mined] = await sql<{ day: string; dayAfter: string }[]>`
      update relayer_tx set mined_at = date_trunc('day', now(), 'UTC') - interval '30 minutes'
      where id = ${id} returning (mined_at at time zone 'UTC')::date::text as day,
        ((mined_at at time zone 'UTC')::date + 1)::text as day_after`
    if (!mined) throw new Error('there is no such transaction')
    await note(7n)
    const end = () => endTransactions(sql, [{ id, state: 'mined' }])
    await expect(end()).rejects.toThrow('gas_spent_merchant_id_fkey')
    expect((await rowOf(id)).state).toBe('mined')
    await sql`insert into merchant (id, name) values (${merchant}, 'Shop')`
    await end()
    await end()
    const booked = await sql`select * from gas_spent where merchant_id = ${merchant}`
    expect([...booked]).toEqual([
      expect.objectContaining({ networkId: NETWORK, items: 1n, wei: 7n }),
    ])
    const filter = { networkId: NETWORK, merchantId: asMerchantId(merchant) }
    const of = (day: string) => readGas(sql, { ...filter, from: day, to: day })
    const ofDays = [await of(mined.day), await of(mined.dayAfter)]
    expect(ofDays.map(({ length }) => length)).toEqual([1, 0])
    const [chain] = await sql<
      { wei: bigint }[]
    >`select wei from gas_hour where network_id = ${NETWORK}`
    expect(chain?.wei).toBe(7n)
  })

  test('was another party’s only while it was signed', async () => {
    const ends = await outcomes(({ id }) =>
      sql.begin((transaction) => markNonceTaken(transaction, id, USE)),
    )
    expect(ends).toEqual({ ...same, signed: 'nonce_taken' })
  })

  test('is ours again when the chain has lost the use before that is decided', async () => {
    const unmark = (tx: RelayerTx) => sql.begin((transaction) => reclaimNonce(transaction, tx))
    expect(await outcomes(unmark)).toEqual({ ...same, nonce_taken: 'signed' })
    const decided = await newTransaction({ state: 'nonce_taken', isConfirmed: true })
    await unmark(await rowOf(decided))
    expect((await rowOf(decided)).state).toBe('nonce_taken')
  })

  test('ends the quarantine that its nonce began, unless that has a later cause as well', async () => {
    const statusOf = async () => (await sql`select status from relayer_key`)[0]?.status
    await sql`update relayer_key set status = 'draining'`
    const [first, second] = [await newTransaction(), await newTransaction()]
    const earlier = await newTransaction()
    await sql`update relayer_tx set account_nonce = 0 where id = ${earlier}`
    for (const id of [first, second, earlier]) {
      await sql.begin(async (transaction) => {
        await markNonceTaken(transaction, id, USE)
        const { accountNonce } = await rowOf(first)
        await quarantineKey(transaction, key, accountNonce, 'why')
      })
    }
    const reorganise = async (id: bigint) => {
      const tx = await rowOf(id)
      await sql.begin((transaction) => reclaimNonce(transaction, tx))
    }
    await reorganise(first)
    expect(await statusOf()).toBe('quarantined')
    await reorganise(second)
    expect(await statusOf()).toBe('draining')
    expect((await rowOf(first)).takenBy).toBeNull()
  })

  test('is given up only while it is signed', async () => {
    for (const state of ['signed', 'mined', 'nonce_taken'] as const) {
      const [id, other] = [await newTransaction({ state }), await newTransaction({ state })]
      await requestCancel(sql, id)
      expect((await rowOf(id)).cancelRequested).toBe(state === 'signed')
      expect((await rowOf(other)).cancelRequested).toBe(false)
    }
  })

  test('is locked to be signed again only while it is open', async () => {
    const id = await newTransaction()
    await storeAttempt(sql, id, { seq: 1 })
    await storeAttempt(sql, id, { seq: 2 })
    await storeAttempt(sql, await newTransaction(), { seq: 9 })
    await sql.begin(async (transaction) => {
      expect(await lockSigned(transaction, id)).toEqual({ calldata: '0x', lastSeq: 2 })
      expect(await isLocked(sql, 'relayer_tx', id)).toBe(true)
      expect(await lockSigned(transaction, await newTransaction(MINED))).toBeNull()
    })
  })
})

describe('a mined transaction', () => {
  const confirm = (tx: RelayerTx) => sql.begin((transaction) => markConfirmed(transaction, tx))

  test('is confirmed once, in the block for which that was found out', async () => {
    const [id, other] = [await newTransaction(MINED), await newTransaction(MINED)]
    const tx = await rowOf(id)
    expect(await confirm({ ...tx, minedBlockHash: newHash() })).toBe(false)
    expect((await rowOf(id)).isConfirmed).toBe(false)
    expect(await confirm(tx)).toBe(true)
    expect(await confirm(tx)).toBe(false)
    expect((await rowOf(other)).isConfirmed).toBe(false)
  })

  test.each(['nonce_taken', 'signed', 'final'] as const)(
    'is confirmed as such only: not when it is %s',
    async (state) => {
      const id = await newTransaction({ ...MINED, state })
      expect(await confirm(await rowOf(id))).toBe(false)
    },
  )

  test('is not over while an item of it is undecided, nor is one whose nonce was taken', async () => {
    const mined = await newTransaction({ ...MINED, isConfirmed: true })
    const taken = await newTransaction({ state: 'nonce_taken' })
    const item = (txId: bigint) => storeItem(sql, 'sweep', {}, { txId, state: 'assigned' })
    const items = [await item(mined), await item(taken)]
    const end = async () => {
      await endTransactions(sql, [
        { id: mined, state: 'mined' },
        { id: taken, state: 'nonce_taken' },
      ])
      return [(await rowOf(mined)).state, (await rowOf(taken)).isConfirmed]
    }
    expect(await end()).toEqual(['mined', false])
    await sql`update work_item set state = 'failed' where id = any(${items.map(String)}::bigint[])`
    expect(await end()).toEqual(['final', true])
  })

  test('is not over by what it was before its nonce was taken', async () => {
    const taken = await newTransaction({ state: 'nonce_taken' })
    await endTransactions(sql, [{ id: taken, state: 'mined' }])
    expect((await rowOf(taken)).isConfirmed).toBe(false)
  })

  test('is taken back from the block for which that was found out only', async () => {
    const id = await newTransaction({ ...MINED, isConfirmed: true })
    const [hash, otherHash] = [
      await storeAttempt(sql, id),
      await storeAttempt(sql, await newTransaction()),
    ]
    await sql`update relayer_attempt set broadcast_at = now()`
    const tx = await rowOf(id)
    const take = (from: RelayerTx) => sql.begin((transaction) => markReorganised(transaction, from))
    expect(await take({ ...tx, minedBlockHash: newHash() })).toBe(false)
    expect((await rowOf(id)).state).toBe('mined')
    expect(await take(tx)).toBe(true)
    const cleared = { outcome: null, minedHash: null, minedBlock: null, isConfirmed: false }
    expect(await rowOf(id)).toMatchObject({ state: 'signed', ...cleared })
    const attempts = await sql`select hash from relayer_attempt where broadcast_at is null`
    expect(attempts.map((row) => row.hash)).toEqual([hash])
    expect(otherHash).not.toBe(hash)
  })
})

describe('what is not over yet', () => {
  const read = async (held = [key.address], configured = held) =>
    (await readUnfinished(sql, NETWORK, held, configured)).map(({ id }) => id)

  test('is signed, mined, or used by another party and not decided, in the order of nonces', async () => {
    const mined = await newTransaction(MINED)
    await newTransaction({ ...MINED, state: 'final' })
    const taken = await newTransaction({ state: 'nonce_taken' })
    await newTransaction({ state: 'nonce_taken', isConfirmed: true })
    const signed = await newTransaction()
    expect(await read()).toEqual([mined, taken, signed])
    expect((await readUnfinished(sql, NETWORK, [key.address], []))[0]).toMatchObject({
      ...{ accountNonce: (await rowOf(mined)).accountNonce, isConfirmed: false },
    })
  })

  test('is that of the keys that are held, on their chain', async () => {
    const own = await newTransaction()
    await newTransaction({}, await storeKey(sql, { owner: 'other', heldForMs: 60_000 }))
    const twin = await storeKey(sql, { networkId: OTHER_NETWORK, address: key.address })
    await newTransaction({}, twin)
    expect(await read()).toEqual([own])
  })

  test('is seen to its end for keys that left the configuration and no one has held for a minute', async () => {
    const gone = await storeKey(sql, { heldForMs: -61_000 })
    const left = await newTransaction({}, gone)
    await newTransaction({}, await storeKey(sql, { heldForMs: -59_000 }))
    expect(await read([])).toEqual([left])
    expect(await read([], [gone.address])).toEqual([])
    expect(await read([], [newAddress()])).toEqual([left])
  })
})
