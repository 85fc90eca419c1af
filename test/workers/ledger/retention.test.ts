import { expect, test } from 'bun:test'
import pino from 'pino'
import { openChain } from '../../../chain/rpc/client.ts'
import type { Database } from '../../../store/database/database.ts'
import { Retention } from '../../../workers/ledger/retention.ts'
import { LedgerWork } from '../../../workers/turns/ledgerWork.ts'
import { asWorker, databaseUrlOf } from '../../support/servers/database.ts'
import { openAs } from '../../support/servers/roles.ts'
import { forThisFile } from '../../support/store/database.ts'
import { storeConfig } from '../../support/store/invoice.ts'
import { storeItem, storeKey, storeTransaction } from '../../support/store/relayer.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

const log = pino({ level: 'silent' })
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

test('the leader removes what is older than configured, and looks again after a while', async () => {
  const config = storeConfig({ KEEP_WORK_DAYS: '7', KEEP_TRANSACTION_BYTES_DAYS: '2' })
  const [chain] = config.chains
  if (!chain) throw new Error('no chain is switched on')
  const client = openChain(chain)
  const retention = new Retention(
    { database: asWorker(sql), config, client, work: new LedgerWork(log) },
    log,
  )
  const txId = await storeTransaction(sql, await storeKey(sql), {
    state: 'final',
    isConfirmed: true,
  })
  const store = () => storeItem(sql, 'distribute', {}, { state: 'settled', txId })
  const left = async () => {
    const [row] = await sql<{ items: number; bytes: number }[]>`
      select (select count(*)::int from work_item) as items, count(calldata)::int as bytes
      from relayer_tx`
    return row
  }
  await store()
  const start = Date.now()
  const at = (days: number, minutes = 0) =>
    retention.turn(new Date(start + days * DAY_MS + minutes * MINUTE_MS))
  await at(1)
  expect(await left()).toEqual({ items: 1, bytes: 1 })
  await at(3)
  expect(await left()).toEqual({ items: 1, bytes: 0 })
  await at(8)
  expect(await left()).toEqual({ items: 0, bytes: 0 })
  await store()
  await at(8, 5)
  expect(await left()).toEqual({ items: 1, bytes: 0 })
  await at(8, 11)
  expect(await left()).toEqual({ items: 0, bytes: 0 })
})

test('checkout sessions in which no one chose are removed 30 days after their end', async () => {
  const config = storeConfig({})
  const [chain] = config.chains
  if (!chain) throw new Error('no chain is switched on')
  const context = {
    ...{ database: asWorker(sql), config, client: openChain(chain) },
    work: new LedgerWork(log),
  }
  const now = new Date()
  const names = ['unused', 'shown', 'chosen'] as const
  const ids = names.map((name) => `cs_${name.padEnd(22, '0')}`)
  const [unused = '', shown = '', chosen = ''] = ids
  const endedDaysAgo = (id: string, days: number, invoiceId: string | null) => sql`
    insert into checkout_session (id, merchant_id, price_id, invoice_id, expires_at, created_at)
    values (${id}, ${crypto.randomUUID()}, ${crypto.randomUUID()}, ${invoiceId},
      ${new Date(now.getTime() - days * DAY_MS)}, now())`
  await endedDaysAgo(unused, 30.1, null)
  await endedDaysAgo(shown, 29.9, null)
  await endedDaysAgo(chosen, 30.1, crypto.randomUUID())
  await new Retention(context, log).turn(now)
  const left = await sql<{ id: string }[]>`select id from checkout_session order by id`
  expect(left.map(({ id }) => id)).toEqual([chosen, shown])
})

test('rows that can’t be removed stop nothing, and are tried again a minute later', async () => {
  const config = storeConfig({})
  const [chain] = config.chains
  if (!chain) throw new Error('no chain is switched on')
  const said: string[] = []
  const listening = pino({ level: 'error' }, { write: (line) => said.push(line) })
  // Without the rights that it takes.
  const database = await openAs(databaseUrlOf(sql), 'indexer')
  const context = { database, config, client: openChain(chain), work: new LedgerWork(log) }
  const retention = new Retention(context, listening)
  const start = Date.now()
  for (const seconds of [0, 30, 61]) await retention.turn(new Date(start + seconds * 1_000))
  expect(said).toHaveLength(2)
  expect(said[0]).toContain('could not be removed')
  await database.end()
})
