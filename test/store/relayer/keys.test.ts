import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  changeKeyStatus,
  idleLeases,
  insertRelayerKey,
  type KeyStatus,
  type Lease,
  leaseKeys,
  lockLeasedKey,
  quarantineKey,
  reactivateKey,
  readRelayerKeys,
  recordBalance,
  recordTakenNonces,
  releaseKeyLeases,
  renewLeases,
  takeNonce,
} from '../../../store/relayer/keys.ts'
import { freshDatabase } from '../../support/servers/database.ts'
import { newAddress } from '../../support/store/database.ts'
import { NETWORK, OTHER_NETWORK } from '../../support/store/invoice.ts'
import {
  isLocked,
  type StoredKey,
  storeKey,
  storeTransaction,
} from '../../support/store/relayer.ts'

const LEASE_MS = 60_000

let sql: Database
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(async () => {
  await sql`truncate relayer_key, relayer_tx, relayer_attempt, work_item`
})
afterAll(() => sql.end({ timeout: 1 }))

interface Wanted {
  readonly senders?: readonly StoredKey[]
  readonly limit?: number
  readonly workerId?: string
}

async function lease(keys: readonly StoredKey[], wanted: Wanted = {}): Promise<Lease[]> {
  const { senders = keys, limit = 10, workerId = 'worker' } = wanted
  return leaseKeys(sql, {
    ...{ networkId: NETWORK, workerId, leaseMs: LEASE_MS, limit },
    addresses: addressesOf(keys),
    senders: addressesOf(senders),
  })
}

/** A key that a worker holds, with its lease. */
async function held(change: Parameters<typeof storeKey>[1] = {}): Promise<Lease> {
  const owner = 'worker'
  const key = await storeKey(sql, { owner, fence: 7n, heldForMs: LEASE_MS, ...change })
  return { ...key, workerId: owner, fence: change.fence ?? 7n }
}

function addressesOf(keys: readonly { readonly address: Address }[]): Address[] {
  return keys.map(({ address }) => address)
}

async function rowOf({ address }: Pick<StoredKey, 'address'>) {
  const [key] = (await readRelayerKeys(sql)).filter((row) => row.address === address)
  if (!key) throw new Error('there is no such key')
  return key
}

describe('a key is leased', () => {
  test('when no one holds it, for a term, and every lease raises the fence', async () => {
    const key = await storeKey(sql)
    expect(await lease([key])).toEqual([{ ...key, workerId: 'worker', fence: 1n }])
    expect(await rowOf(key)).toMatchObject({ leaseOwner: 'worker', isLeased: true, fence: 1n })
    expect(await lease([key], { workerId: 'other' })).toEqual([])
    await sql`update relayer_key set lease_until = now() - interval '1 second'`
    expect(await lease([key], { workerId: 'other' })).toMatchObject([{ fence: 2n }])
  })

  test('not while another worker’s term lasts, with transactions on their way or without', async () => {
    const key = await storeKey(sql, { owner: 'other', heldForMs: 1_000 })
    await storeTransaction(sql, key)
    expect(await lease([key])).toEqual([])
  })

  test('only if it was asked for, on its own chain', async () => {
    const key = await storeKey(sql)
    const { address } = key
    await storeKey(sql, { networkId: OTHER_NETWORK, address })
    await storeKey(sql)
    expect(await lease([key])).toMatchObject([key])
    const elsewhere = (await readRelayerKeys(sql)).filter(({ isLeased }) => !isLeased)
    expect(elsewhere).toHaveLength(2)
  })

  test('up to the worker’s share, healthy ones first', async () => {
    const first = newAddress()
    const poor = await storeKey(sql, { status: 'no_funds', address: lowest(first) })
    const keys = [poor, await storeKey(sql), await storeKey(sql)]
    const leased = await lease(keys, { limit: 2 })
    expect(addressesOf(leased).toSorted()).toEqual(addressesOf(keys.slice(1)).toSorted())
  })

  test('counted by those that are free', async () => {
    const taken = await storeKey(sql, {
      ...{ owner: 'other', heldForMs: LEASE_MS, address: lowest(newAddress()) },
    })
    const free = await storeKey(sql)
    expect(addressesOf(await lease([taken, free], { limit: 1 }))).toEqual([free.address])
  })

  test('counted by those of its own chain that were asked for', async () => {
    const address = lowest(newAddress())
    await storeKey(sql, { networkId: OTHER_NETWORK, address })
    const free = await storeKey(sql)
    const asked = [{ networkId: NETWORK, address }, free]
    expect(addressesOf(await lease(asked, { limit: 1 }))).toEqual([free.address])
    await sql`truncate relayer_key cascade`
    const unasked = await storeKey(sql, { address })
    const sender = await storeKey(sql)
    const leased = await lease([sender], { senders: [sender], limit: 1 })
    expect(addressesOf(leased)).toEqual([sender.address])
    expect((await rowOf(unasked)).isLeased).toBe(false)
  })

  test('only if the hub lets it send, or it has something on its way', async () => {
    const stranger = await storeKey(sql)
    expect(await lease([stranger], { senders: [] })).toEqual([])
    await storeTransaction(sql, stranger)
    expect(await lease([stranger], { senders: [] })).toMatchObject([stranger])
  })

  test.each([
    ['signed', false, true],
    ['mined', true, true],
    ['nonce_taken', false, true],
    ['nonce_taken', true, false],
    ['final', true, false],
  ] as const)('beyond the share with a %s transaction (confirmed: %p): %p', async (...given) => {
    const [state, isConfirmed, isLeased] = given
    const key = await storeKey(sql)
    await storeTransaction(sql, key, { state, isConfirmed })
    expect((await lease([key], { limit: 0 })).length).toBe(isLeased ? 1 : 0)
  })

  test('beyond the share for no other key’s transactions', async () => {
    const key = await storeKey(sql)
    await storeTransaction(sql, await storeKey(sql))
    const twin = await storeKey(sql, { networkId: OTHER_NETWORK, address: key.address })
    await storeTransaction(sql, twin)
    expect(await lease([key], { limit: 0 })).toEqual([])
  })

  test('by one of two workers that ask at once', async () => {
    const key = await storeKey(sql)
    await sql.begin(async (transaction) => {
      await transaction`select from relayer_key where address = ${key.address} for update`
      expect(await lease([key])).toEqual([])
    })
  })
})

describe('a lease', () => {
  const HELD: readonly (readonly [string, (lease: Lease) => Lease])[] = [
    ['another chain', (one) => ({ ...one, networkId: OTHER_NETWORK })],
    ['another key', (one) => ({ ...one, address: newAddress() })],
    ['another worker', (one) => ({ ...one, workerId: 'other' })],
    ['an earlier fence', (one) => ({ ...one, fence: one.fence - 1n })],
  ]

  test('locks its key and says where it goes on', async () => {
    const one = await held({ nextNonce: 5n })
    await sql.begin(async (transaction) => {
      expect(await lockLeasedKey(transaction, one)).toEqual({ nextNonce: 5n, status: 'active' })
      expect(await isLocked(sql, 'relayer_key', one.address)).toBe(true)
    })
  })

  test('is worth nothing once its term is over, though no one else has the key', async () => {
    const one = await held({ heldForMs: -1 })
    expect(await sql.begin((transaction) => lockLeasedKey(transaction, one))).toBeNull()
  })

  test.each(HELD)('is worth nothing with %s', async (_name, change) => {
    const other = change(await held())
    expect(await sql.begin((transaction) => lockLeasedKey(transaction, other))).toBeNull()
    expect(await renewLeases(sql, [other], LEASE_MS)).toEqual([])
  })

  test('is renewed while it is ours, overdue or not', async () => {
    const one = await held({ heldForMs: -1_000 })
    expect(await renewLeases(sql, [one], LEASE_MS)).toEqual([one])
    expect((await rowOf(one)).isLeased).toBe(true)
  })

  test('is given back', async () => {
    const one = await held()
    await releaseKeyLeases(sql, [one])
    expect(await rowOf(one)).toMatchObject({ leaseOwner: null, isLeased: false })
  })

  test.each(HELD)('is not given back with %s', async (_name, change) => {
    const one = await held()
    await releaseKeyLeases(sql, [change(one)])
    expect(await rowOf(one)).toMatchObject({ leaseOwner: 'worker', isLeased: true })
  })

  test('of a key with nothing on its way is idle', async () => {
    const [idle, busy] = [await held(), await held()]
    await storeTransaction(sql, busy)
    const twin = await storeKey(sql, { networkId: OTHER_NETWORK, address: idle.address })
    await storeTransaction(sql, twin)
    await storeKey(sql, { networkId: OTHER_NETWORK, address: busy.address })
    expect(await idleLeases(sql, [idle, busy])).toEqual([idle])
    expect(await idleLeases(sql, [])).toEqual([])
  })
})

describe('an account nonce', () => {
  const take = (one: Lease, nonce: bigint) =>
    sql.begin((transaction) => takeNonce(transaction, one, nonce))

  test('is taken once, by the holder of the key', async () => {
    const [one, other] = [await held({ nextNonce: 5n }), await held({ nextNonce: 5n })]
    await take(one, 5n)
    expect((await rowOf(one)).nextNonce).toBe(6n)
    expect((await rowOf(other)).nextNonce).toBe(5n)
    expect(take(one, 5n)).rejects.toThrow('account nonce 5')
    expect(take(one, 7n)).rejects.toThrow('account nonce 7')
    expect(take({ ...one, fence: 6n }, 6n)).rejects.toThrow('was taken')
  })

  test('that another party used is written down, and the key goes on behind it', async () => {
    const one = await held({ nextNonce: 5n })
    const other = await held({ nextNonce: 5n })
    const elsewhere = { ...one, networkId: OTHER_NETWORK }
    await storeKey(sql, { ...elsewhere, nextNonce: 5n })
    await sql.begin((transaction) => recordTakenNonces(transaction, one, 5n, 8n))
    const rows = await sql`
      select account_nonce, state, confirmed_at is not null as is_over from relayer_tx
      where address = ${one.address} order by account_nonce`
    const taken = { state: 'nonce_taken', isOver: true }
    expect([...rows]).toEqual([5n, 6n, 7n].map((accountNonce) => ({ accountNonce, ...taken })))
    const nonces = (await readRelayerKeys(sql)).map((key) => [
      ...[key.address, key.networkId, key.nextNonce],
    ])
    expect(nonces).toContainEqual([one.address, NETWORK, 8n])
    expect(nonces).toContainEqual([one.address, OTHER_NETWORK, 5n])
    expect(nonces).toContainEqual([other.address, NETWORK, 5n])
  })

  test('is written down for a key that is where it was thought to be', async () => {
    const one = await held({ nextNonce: 6n })
    await sql.begin((transaction) => recordTakenNonces(transaction, one, 5n, 8n))
    expect((await rowOf(one)).nextNonce).toBe(6n)
  })
})

describe('the status of a key', () => {
  test('changes from what it is said to be, and not from another', async () => {
    const key = await storeKey(sql)
    const change = (from: readonly KeyStatus[], to: KeyStatus) =>
      changeKeyStatus(sql, key, from, to, 'why')
    expect(await change(['draining', 'no_funds'], 'quarantined')).toBe(false)
    expect((await rowOf(key)).status).toBe('active')
    expect(await change(['active'], 'no_funds')).toBe(true)
    expect(await rowOf(key)).toMatchObject({ status: 'no_funds', note: 'why' })
  })

  test.each([
    ['active', true],
    ['draining', true],
    ['no_funds', true],
    ['quarantined', false],
  ] as const)('%s: quarantined now, for the first reason: %p', async (status, isNew) => {
    const key = await storeKey(sql, { status })
    await sql.begin((transaction) => quarantineKey(transaction, key, 7n, 'why'))
    expect(await rowOf(key)).toMatchObject({
      status: 'quarantined',
      note: isNew ? 'why' : null,
      quarantineNonce: isNew ? 7n : null,
      quarantinedFrom: isNew ? status : null,
    })
  })

  test('is that of one key on one chain, as its balance is', async () => {
    const key = await storeKey(sql)
    const others = [
      await storeKey(sql),
      await storeKey(sql, { networkId: OTHER_NETWORK, address: key.address }),
    ]
    await changeKeyStatus(sql, key, ['active'], 'no_funds', null)
    await recordBalance(sql, key, 5n)
    const rows = await readRelayerKeys(sql)
    for (const other of others) {
      const row = rows.find(
        ({ address, networkId }) => address === other.address && networkId === other.networkId,
      )
      expect(row).toMatchObject({ status: 'active', balance: null })
    }
    expect(await readRelayerKeys(sql, NETWORK)).toHaveLength(2)
  })
})

test('a key is taken in once: its nonces never fall', async () => {
  const key = { networkId: NETWORK, address: newAddress() }
  await insertRelayerKey(sql, { ...key, nextNonce: 5n })
  await insertRelayerKey(sql, { ...key, nextNonce: 2n })
  expect((await rowOf(key)).nextNonce).toBe(5n)
})

describe('a quarantined key is put back to work', () => {
  const quarantined = (nextNonce = 5n) => storeKey(sql, { status: 'quarantined', nextNonce })

  test('where the chain is, with what another party used written down', async () => {
    const key = await quarantined()
    expect(await reactivateKey(sql, key, 7n)).toEqual({ ok: true, taken: 2n })
    expect(await rowOf(key)).toMatchObject({ status: 'active', nextNonce: 7n, note: null })
  })

  test('where it stopped, when no one has used it since', async () => {
    const key = await quarantined()
    expect(await reactivateKey(sql, key, 5n)).toEqual({ ok: true, taken: 0n })
  })

  test('not while the chain lacks transactions of ours', async () => {
    const key = await quarantined()
    expect(await reactivateKey(sql, key, 4n)).toEqual({
      ok: false,
      reason: 'behind',
      nextNonce: 5n,
    })
    expect((await rowOf(key)).status).toBe('quarantined')
  })

  test('not when it isn’t quarantined, or there is none', async () => {
    const key = await storeKey(sql)
    await quarantined()
    await storeKey(sql, {
      ...{ networkId: OTHER_NETWORK, address: key.address, status: 'quarantined' },
    })
    const refused = { ok: false, reason: 'not_quarantined' } as const
    expect(await reactivateKey(sql, key, 0n)).toEqual(refused)
    expect(await reactivateKey(sql, { ...key, address: newAddress() }, 0n)).toEqual(refused)
  })

  test.each([
    ['signed', false, false],
    ['nonce_taken', false, false],
    ['nonce_taken', true, true],
    ['mined', true, true],
  ] as const)('with a %s transaction (confirmed: %p): %p', async (state, isConfirmed, ok) => {
    const key = await quarantined()
    await storeTransaction(sql, key, { state, isConfirmed })
    expect((await reactivateKey(sql, key, 5n)).ok).toBe(ok)
  })

  test('whatever other keys have on their way', async () => {
    const key = await quarantined()
    await storeTransaction(sql, await storeKey(sql))
    const twin = await storeKey(sql, { networkId: OTHER_NETWORK, address: key.address })
    await storeTransaction(sql, twin)
    expect((await reactivateKey(sql, key, 5n)).ok).toBe(true)
  })
})

/** An address that comes before all others. */
function lowest(address: Address): Address {
  return lowerCaseAddress(`0x0000${address.slice(6)}`)
}
