import { afterAll, beforeAll, expect, test } from 'bun:test'
import pino from 'pino'
import { openChain } from '../../../chain/rpc/client.ts'
import type { OrderKind } from '../../../store/books/orders.ts'
import type { Database } from '../../../store/database/database.ts'
import { readRelayerKeys } from '../../../store/relayer/keys.ts'
import { carryOutOrders } from '../../../workers/ledger/orders.ts'
import { Isolation } from '../../../workers/turns/isolation.ts'
import { type HubChain, startHubChain, workerConfig } from '../../support/servers/chain.ts'
import { asWorker, databaseUrlOf, freshDatabase } from '../../support/servers/database.ts'
import { newAddress } from '../../support/store/database.ts'
import { storeItem, storeKey } from '../../support/store/relayer.ts'

/** What a chain's leader does of what operators order in the dashboard, with the rights of a worker. */

const log = pino({ level: 'silent' })
let sql: Database
let chain: HubChain
let context: Parameters<typeof carryOutOrders>[0]
beforeAll(async () => {
  sql = await freshDatabase()
  chain = await startHubChain()
  context = {
    database: asWorker(sql),
    client: openChain(workerConfig(chain.variables({ DATABASE_URL: databaseUrlOf(sql) })).chain),
    work: { others: new Isolation(log) },
  }
}, 120_000)
afterAll(async () => {
  await sql.end()
  await chain.node.stop()
})

async function ordered(kind: OrderKind, subject: string, by = context) {
  const [person] = await sql<{ id: string }[]>`
    insert into auth."user" (name, email, "emailVerified")
    values ('Op', ${`${crypto.randomUUID()}@example.com`}, true) returning id`
  const [order] = await sql<{ id: bigint }[]>`
    insert into operator_order (person_id, network_id, kind, subject)
    values (${person?.id ?? ''}, ${chain.networkId}, ${kind}, ${subject}) returning id`
  await carryOutOrders(by, log)
  const [row] = await sql<{ isDone: boolean; answer: string }[]>`
    select is_done, answer from operator_order where id = ${order?.id ?? 0n}`
  return row
}

async function statusOf(address: string) {
  const keys = await readRelayerKeys(sql, chain.networkId)
  return keys.find((key) => key.address === address)?.status
}

test('a quarantined relayer goes on where the chain is, and no other does', async () => {
  const { networkId } = chain
  const { address } = await storeKey(sql, { networkId, status: 'quarantined' })
  expect(await ordered('revive', address)).toEqual({
    isDone: true,
    answer: 'it continues at account nonce 0',
  })
  expect(await statusOf(address)).toBe('active')
  expect(await ordered('revive', address)).toMatchObject({ isDone: false })
  const ahead = await storeKey(sql, { networkId, status: 'quarantined', nextNonce: 7n })
  expect(await ordered('revive', ahead.address)).toMatchObject({ isDone: false })
  expect(await statusOf(ahead.address)).toBe('quarantined')
})

test('an order that a node does not answer ends, and the rest of the turn goes on', async () => {
  const { networkId, node } = chain
  const { address } = await storeKey(sql, { networkId, status: 'quarantined' })
  const urls = { RPC_URL_BASE_SEPOLIA: `${node.url},http://127.0.0.1:1` }
  const { chain: halfAway } = workerConfig(chain.variables(urls))
  const by = { ...context, client: openChain(halfAway) }
  expect(await ordered('revive', address, by)).toMatchObject({
    isDone: false,
    answer: expect.stringContaining('order it again'),
  })
  expect(await statusOf(address)).toBe('quarantined')
}, 60_000)

test('a relayer drains and works again, and one that no one knows does neither', async () => {
  const { address } = await storeKey(sql, { networkId: chain.networkId })
  expect(await ordered('drain', address)).toMatchObject({ isDone: true })
  expect(await statusOf(address)).toBe('draining')
  expect(await ordered('resume', address)).toMatchObject({ isDone: true })
  expect(await statusOf(address)).toBe('active')
  expect(await ordered('drain', newAddress())).toMatchObject({ isDone: false })
})

test('work that waits is tried again or ended, of its own chain only', async () => {
  const waiting = { state: 'review', networkId: chain.networkId } as const
  const [again, ended, elsewhere] = [
    await storeItem(sql, 'configure', {}, waiting),
    await storeItem(sql, 'deploy', {}, waiting),
    await storeItem(sql, 'configure', {}, { state: 'review', networkId: 'elsewhere' }),
  ]
  expect(await ordered('retry', `${again}`)).toMatchObject({ isDone: true })
  expect(await ordered('fail', `${ended}`)).toMatchObject({ isDone: true })
  expect(await ordered('retry', `${elsewhere}`)).toMatchObject({ isDone: false })
  expect(await ordered('fail', 'x')).toMatchObject({ isDone: false })
  const rows = await sql<{ state: string }[]>`
    select state from work_item where id in (${again}, ${ended}, ${elsewhere}) order by id`
  expect(rows.map(({ state }) => state)).toEqual(['queued', 'failed', 'review'])
})
