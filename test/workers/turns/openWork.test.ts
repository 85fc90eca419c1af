import { expect, test } from 'bun:test'
import { announceHead } from '../../../store/chain/heads.ts'
import type { Database } from '../../../store/database/database.ts'
import { OpenWorkReader } from '../../../workers/turns/openWork.ts'
import { forEachTest, newHash } from '../../support/store/database.ts'
import { NETWORK } from '../../support/store/invoice.ts'
import { storeItem } from '../../support/store/relayer.ts'

/** What both loops of a chain's actor ask for: whether anything is open. */

const HOUR_MS = 3_600_000
let sql: Database
forEachTest(['work_item', 'chain_head'], (database) => {
  sql = database
})

function openReader() {
  const heard: string[] = []
  const reader = new OpenWorkReader(sql, NETWORK, {
    onAnnounced: (ageMs) => heard.push(ageMs < HOUR_MS ? 'announced' : 'silent'),
    onRelayerWork: () => heard.push('work'),
  })
  return { reader, heard }
}

test('a reading of the leader is enough for the relayer, which it wakes where there is work for it', async () => {
  const { reader, heard } = openReader()
  expect(await reader.forLeader()).toMatchObject({ forLeader: false, forRelayers: false })
  await storeItem(sql, 'sweep')
  expect(await reader.hasRelayerWork(HOUR_MS)).toBe(false)
  expect(heard).toEqual([])
  expect(await reader.forLeader()).toMatchObject({ forLeader: true, forRelayers: true })
  expect(heard).toEqual(['work'])
  expect(await reader.hasRelayerWork(HOUR_MS)).toBe(true)
})

test('one that is old is not, and neither is the relayer’s own', async () => {
  const { reader, heard } = openReader()
  await reader.forLeader()
  expect(await reader.hasRelayerWork(0)).toBe(false)
  await storeItem(sql, 'sweep')
  expect(await reader.hasRelayerWork(0)).toBe(true)
  const alone = openReader().reader
  expect(await alone.hasRelayerWork(HOUR_MS)).toBe(true)
  await sql`delete from work_item`
  expect(await alone.hasRelayerWork(HOUR_MS)).toBe(false)
  expect(heard).toEqual([])
})

test('a head that is announced is heard of, though it is the same for long', async () => {
  const { reader, heard } = openReader()
  await reader.forLeader()
  expect(heard).toEqual([])
  const head = {
    ...{ number: 5n, hash: newHash(), parentHash: newHash(), time: new Date(0) },
    ...{ baseFeePerGas: 7n, gasLimit: 30_000_000n },
  }
  await announceHead(sql, NETWORK, head, [])
  await reader.forLeader()
  await reader.hasRelayerWork(0)
  await sql`update chain_head set announced_at = 'epoch'`
  await reader.forLeader()
  expect(heard).toEqual(['announced', 'announced', 'silent'])
})
