import { beforeEach, describe, expect, test } from 'bun:test'
import type { MerchantId } from '../../../core/base/ids.ts'
import { baseUnits } from '../../../core/base/money.ts'
import type { Address } from '../../../core/chain/evm.ts'
import type { RegistryState } from '../../../core/hub/registryEntry.ts'
import type { Invoice } from '../../../core/invoice/state.ts'
import { setRecipient } from '../../../store/access/merchants.ts'
import type { Database } from '../../../store/database/database.ts'
import {
  dueEntries,
  ensureConfigured,
  entriesOf,
  entryAlarms,
  keptEntries,
  recordActivated,
  requestEntryReads,
  saveEntry,
} from '../../../store/hub/registryEntries.ts'
import { followRegistry, insertSweeps } from '../../../store/invoice/sweeps.ts'
import { forThisFile, newAddress } from '../../support/store/database.ts'
import {
  NETWORK,
  OTHER_NETWORK,
  storeConfig,
  storeInvoice,
  storeMerchant,
  USDC,
} from '../../support/store/invoice.ts'

/** What is known of merchants' entries at a hub, and by which of them merchants are paid. */

const HUB = newAddress()
const REGISTRY = { networkId: NETWORK, hub: HUB }
const TERMS = { x402FeeBps: 50, x402FeeCap: baseUnits(5n) }

let sql: Database
forThisFile((database) => {
  sql = database
})

let old: Address
let recent: Address
let merchantId: MerchantId
beforeEach(async () => {
  old = newAddress()
  recent = newAddress()
  merchantId = await storeMerchant(sql, { recipient: recent, configVersion: 2 })
  await sql`update registry_entry set look_at = null, look_from = null`
})

function ensure(version: number, treasury: Address) {
  return sql.begin((t) =>
    ensureConfigured(t, REGISTRY, merchantId, treasury, { ...TERMS, configVersion: version }),
  )
}

/** Queues an entry and lets it end in this state. */
async function entryOf(version: number, treasury: Address, state: string): Promise<bigint> {
  const { waitsFor } = await ensure(version, treasury)
  await sql`update work_item set state = ${state} where id = ${waitsFor}`
  return waitsFor ?? 0n
}

async function look(state: RegistryState, block = 10n): Promise<boolean> {
  await requestEntryReads(sql, REGISTRY, [merchantId], 1n)
  return sql.begin((t) => saveEntry(t, { ...REGISTRY, merchantId }, state, block))
}

const inForce = () => ({ version: 1, treasury: old })
const waiting = () => ({ version: 2, treasury: recent, readyAt: 2_000_000_000n })
const vetoed = () => ({ version: 2, treasury: recent, readyAt: null })

async function payable(): Promise<bigint | null> {
  const [row] = await sql<{ version: bigint | null }[]>`
    select payable_version(${NETWORK}, ${HUB}, ${merchantId}, 2) as version`
  return row?.version ?? null
}

describe('a merchant is paid', () => {
  test('by its newest entry, once that is in force', async () => {
    expect(await payable()).toBeNull()
    const id = await entryOf(2, recent, 'queued')
    expect(await payable()).toBeNull()
    await sql`update work_item set state = 'settled' where id = ${id}`
    expect(await payable()).toBe(2n)
  })

  test('by none while a change of it waits, whoever asked for that', async () => {
    await entryOf(1, old, 'settled')
    await entryOf(2, recent, 'settled')
    await look({ entry: { version: 2, treasury: recent }, change: waitingFor(9) })
    expect(await payable()).toBeNull()
    await look({
      entry: { version: 2, treasury: recent },
      change: { ...waitingFor(9), readyAt: null },
    })
    expect(await payable()).toBe(2n)
  })

  test('by none that another party has put in force', async () => {
    await entryOf(2, recent, 'settled')
    await look({ entry: { version: 9, treasury: newAddress() }, change: null })
    expect(await payable()).toBeNull()
  })

  test('by the entry before, after a veto of the newest', async () => {
    await entryOf(1, old, 'settled')
    await entryOf(2, recent, 'failed')
    await look({ entry: inForce(), change: waiting() })
    expect(await payable()).toBeNull()
    await look({ entry: inForce(), change: vetoed() })
    expect(await payable()).toBe(1n)
    expect(await ensure(2, recent)).toEqual({ version: 1, treasury: old, waitsFor: null })
    const kept = async (change: Partial<Invoice>) => {
      const { id } = await storeInvoice(sql, merchantId, { recipient: null, hub: HUB, ...change })
      return (await keptEntries(sql, [id]))(id)
    }
    expect(await kept({})).toEqual(new Map([[NETWORK, inForce()]]))
    expect(await kept({ hub: newAddress() })).toEqual(new Map())
    expect(await kept({ recipient: recent })).toEqual(new Map())
  })

  test('by none that this ledger never asked for, after a veto either', async () => {
    await entryOf(1, newAddress(), 'settled')
    const id = await entryOf(2, recent, 'failed')
    await look({ entry: inForce(), change: vetoed() })
    expect(await payable()).toBeNull()
    // It isn't sent again: the hub refuses a version that is burnt.
    expect(await ensure(2, recent)).toEqual({ version: 2, treasury: recent, waitsFor: id })
    const [item] = await sql`select state from work_item where id = ${id}`
    expect(item?.state).toBe('failed')
  })

  const waitingFor = (version: number) => ({ ...waiting(), version, treasury: newAddress() })
})

describe('what is known of an entry', () => {
  const known = async () => {
    const [row] = await entriesOf(sql, merchantId)
    return row
  }

  test('is what our transactions put in force, and the newest of it', async () => {
    const note = (version: number, treasury: Address) =>
      sql.begin((t) => recordActivated(t, REGISTRY, [{ merchantId, version, treasury }]))
    await note(1, old)
    await note(2, recent)
    await note(1, old)
    expect(await known()).toMatchObject({ ...REGISTRY, version: 2, treasury: recent })
  })

  test('is no change any more that it has put in force or outrun', async () => {
    await look({ entry: inForce(), change: waiting() })
    const readyAt = new Date(2_000_000_000_000)
    expect(await known()).toMatchObject({
      ...{ version: 1, treasury: old },
      ...{ changeVersion: 2, changeTreasury: recent, changeReadyAt: readyAt },
    })
    await sql.begin((t) =>
      recordActivated(t, REGISTRY, [{ merchantId, version: 1, treasury: old }]),
    )
    expect((await known())?.changeVersion).toBe(2)
    await sql.begin((t) =>
      recordActivated(t, REGISTRY, [{ merchantId, version: 2, treasury: recent }]),
    )
    expect(await known()).toMatchObject({ version: 2, changeVersion: null, changeReadyAt: null })
  })

  test('is not replaced by an older state', async () => {
    await look({ entry: { version: 2, treasury: recent }, change: null })
    expect(await look({ entry: inForce(), change: waiting() })).toBe(false)
    expect(await known()).toMatchObject({ version: 2, changeVersion: null })
  })
})

describe('an entry is read', () => {
  const due = (block = 100n) => dueEntries(sql, NETWORK, block, [], 10)

  test('when someone asks, and not before the block is confirmed that it is about', async () => {
    await requestEntryReads(sql, REGISTRY, [merchantId, merchantId], 50n)
    await requestEntryReads(sql, { ...REGISTRY, networkId: OTHER_NETWORK }, [merchantId], 1n)
    expect(await due(49n)).toEqual([])
    expect([...(await due(50n))]).toEqual([{ ...REGISTRY, merchantId }])
  })

  test('once, unless a change waits', async () => {
    await look({ entry: inForce(), change: vetoed() })
    expect(await due()).toEqual([])
    await sql`update registry_entry set look_at = now() - interval '1 hour', look_from = 1
      where merchant_id = ${merchantId}`
    await sql.begin((t) =>
      saveEntry(t, { ...REGISTRY, merchantId }, { entry: inForce(), change: waiting() }, 10n),
    )
    expect(await due()).toEqual([])
    const [row] = await sql<{ seconds: number }[]>`
      select extract(epoch from look_at - now())::float8 as seconds from registry_entry
      where merchant_id = ${merchantId}`
    expect(row?.seconds).toBeGreaterThan(0)
    expect(row?.seconds).toBeLessThanOrEqual(30)
  })

  test('once more, when someone has asked for a later state meanwhile', async () => {
    await requestEntryReads(sql, REGISTRY, [merchantId], 20n)
    await sql.begin((t) =>
      saveEntry(t, { ...REGISTRY, merchantId }, { entry: inForce(), change: null }, 10n),
    )
    expect(await due(20n)).toHaveLength(1)
  })
})

describe('operators hear of', () => {
  const alarms = async () =>
    (await entryAlarms(sql)).filter((alarm) => alarm.merchantId === merchantId)

  test('a veto, until the merchant has a newer entry', async () => {
    await look({ entry: inForce(), change: vetoed() })
    expect(await alarms()).toEqual([
      { networkId: NETWORK, merchantId, type: 'vetoed', version: 2, treasury: recent },
    ])
    const other = newAddress()
    const terms = { ...storeConfig(), x402Fee: { rateBps: 50, cap: baseUnits(5n) } }
    const changed = await setRecipient(sql, terms, merchantId, other)
    expect(changed).toMatchObject({ ok: true, merchant: { configVersion: 3 } })
    expect(await alarms()).toEqual([])
  })

  test('a change that waits and no one asked for, and an entry that it became', async () => {
    await look({ entry: inForce(), change: waiting() })
    expect(await alarms()).toEqual([])
    const thief = newAddress()
    await look({ entry: inForce(), change: { version: 2, treasury: thief, readyAt: 5n } })
    expect(await alarms()).toMatchObject([{ type: 'foreign_change', treasury: thief }])
    await look({ entry: inForce(), change: { version: 7, treasury: recent, readyAt: 5n } })
    expect(await alarms()).toMatchObject([{ type: 'foreign_change', version: 7 }])
    await look({ entry: { version: 7, treasury: thief }, change: null })
    expect(await alarms()).toMatchObject([{ type: 'foreign_entry', version: 7, treasury: thief }])
  })

  test('no veto of what another party had asked for', async () => {
    await look({
      entry: { version: 2, treasury: recent },
      change: { version: 9, treasury: newAddress(), readyAt: null },
    })
    expect(await alarms()).toEqual([])
  })
})

test('a new recipient gets a version above every one that a hub knows', async () => {
  await look({
    entry: inForce(),
    change: { version: 1_001, treasury: newAddress(), readyAt: null },
  })
  const terms = { ...storeConfig(), x402Fee: { rateBps: 50, cap: baseUnits(5n) } }
  const changed = await setRecipient(sql, terms, merchantId, newAddress())
  expect(changed).toMatchObject({ ok: true, merchant: { configVersion: 1_002 } })
})

test('sweeps in no transaction follow the entry that pays', async () => {
  const sweepOf = async (state: string, registryVersion: number, hub = HUB) => {
    const invoice = await storeInvoice(sql, merchantId, { hub, status: 'paid' })
    const waitsFor = registryVersion === 0 ? null : (await ensure(2, recent)).waitsFor
    const plan = {
      ...{ invoiceId: invoice.id, waitsFor, notBefore: new Date() },
      ...{ networkId: NETWORK, token: USDC.address, round: 1, recipient: recent, registryVersion },
      ...{ amount: baseUnits(10n), fee: baseUnits(1n), leave: baseUnits(0n), deploys: true },
    }
    const [stored] = await sql.begin((t) => insertSweeps(t, [plan]))
    if (!stored) throw new Error('the sweep was not stored')
    await sql`
      update work_item set state = ${state} where payload->>'settlementId' = ${stored.id}`
    return { invoiceId: invoice.id, id: stored.id }
  }
  await entryOf(1, old, 'settled')
  const ours = await sweepOf('queued', 2)
  const others = [
    await sweepOf('review', 2),
    await sweepOf('queued', 0),
    await sweepOf('queued', 2, newAddress()),
  ]
  await sql`
    update work_item set state = 'failed' where kind = 'configure'
      and payload->>'merchantId' = ${merchantId} and payload->>'version' = '2'`
  await look({ entry: inForce(), change: vetoed() })
  const invoices = await sql.begin((t) => followRegistry(t, REGISTRY, merchantId))
  expect(invoices).toEqual([ours.invoiceId])
  const [sweep] = await sql`
    select s.recipient, s.registry_version, w.waits_for from settlement s
    join work_item w on w.payload->>'settlementId' = s.id::text where s.id = ${ours.id}`
  expect(sweep).toEqual({ recipient: old, registryVersion: 1, waitsFor: null })
  const rows = await sql`
    select recipient from settlement where id = any(${others.map(({ id }) => id)}::uuid[])`
  expect(new Set(rows.map((row) => row.recipient))).toEqual(new Set([recent]))
})
