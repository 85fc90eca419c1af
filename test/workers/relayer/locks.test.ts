import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { InvoiceId } from '../../../core/base/ids.ts'
import type { Database, Transaction } from '../../../store/database/database.ts'
import { openRelayer, settleAll, step } from '../../support/relayer/relayers.ts'
import { openRelayerRig, type RelayerRig } from '../../support/relayer/rig.ts'
import {
  dueSweeps,
  expectSweptOnce,
  expectUnbrokenNonces,
  states,
} from '../../support/relayer/sweeps.ts'
import type { HubChain } from '../../support/servers/chain.ts'

/** A relayer beside others that write the same invoices. */

let rig: RelayerRig
let chain: HubChain

beforeAll(async () => {
  rig = await openRelayerRig({ relayers: 4 })
  chain = rig.chain
}, 120_000)

afterAll(() => rig?.close())

async function scene(count: number) {
  const database = await rig.ownDatabase()
  const key = rig.ownKey()
  const collected = await chain.balance(chain.collector)
  const sweeps = await dueSweeps(database, chain, count, { pays: 'recipient' })
  const relayer = openRelayer(database, chain, { key, isAdvancing: true })
  return { database, relayer, sweeps, collected }
}

function lock(sql: Transaction, invoiceId: InvoiceId | undefined) {
  if (invoiceId === undefined) throw new Error('there is no such sweep')
  return sql`select id from invoice where id = ${invoiceId} for update`
}

/** Resolves once a connection to the database waits for a lock. */
async function someoneWaits(database: Database): Promise<void> {
  for (let look = 0; look < 6_000; look += 1) {
    const rows = await database`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    if (rows.length > 0) return
    await Bun.sleep(10)
  }
  throw new Error('nobody waits for a lock')
}

describe('a relayer whose invoice is being changed by another party', () => {
  test('waits for it before it touches a settlement, so that no one deadlocks', async () => {
    const { database, relayer, sweeps, collected } = await scene(1)
    await step(chain, relayer)
    let turn: Promise<void> | undefined
    await database.begin(async (sql) => {
      await lock(sql, sweeps[0]?.invoiceId)
      turn = relayer.turn()
      await someoneWaits(database)
      await sql`update settlement set error = error`
    })
    await turn
    expect(await states(database)).toEqual({ 'settlement mined': 1, 'sweep settled': 1 })
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, sweeps, collected)
  })

  test('ends its turn without a fault when it loses in a deadlock, and records it in the next', async () => {
    const { database, relayer, sweeps, collected } = await scene(2)
    const [first, second] = sweeps.map(({ invoiceId }) => invoiceId).toSorted()
    await step(chain, relayer)
    let turn: Promise<void> | undefined
    await database.begin(async (sql) => {
      await lock(sql, second)
      turn = relayer.turn()
      await someoneWaits(database)
      // The party that waits for so long looks for a deadlock and is ended. It is not to be this session.
      await sql`set local deadlock_timeout = '1min'`
      // Against the order that all others keep.
      await lock(sql, first)
    })
    await turn
    expect(await states(database)).toEqual({ 'settlement open': 2, 'sweep assigned': 2 })
    await relayer.turn()
    expect(await states(database)).toEqual({ 'settlement mined': 2, 'sweep settled': 2 })
    await settleAll(database, chain, [relayer])
    await expectSweptOnce(database, chain, sweeps, collected)
    await expectUnbrokenNonces(database, chain)
  })
})
