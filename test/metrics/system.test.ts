import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Registry } from 'prom-client'
import { showSystem } from '../../metrics/system.ts'
import { openHealth } from '../../store/books/health.ts'
import { readWorkload } from '../../store/books/workload.ts'
import { openDatabase } from '../../store/database.ts'
import { RELAYER, reportAll } from '../api/healthy.ts'
import { type ApiRig, openRig } from '../api/rig.ts'

/** The figures of the whole system, from rows such as workers write. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig()
  await reportAll(rig)
})
afterAll(() => rig?.close())

/** What a scrape shows of ours, without help texts. The database is the API's own by default. */
async function scrape(database = rig.deps.database, faults: unknown[] = []): Promise<string[]> {
  const registry = new Registry()
  const refresh = showSystem(registry, {
    readHealth: openHealth(database, 0),
    readWorkload: () => readWorkload(database),
    chainIds: new Map(rig.config.chains.map(({ networkId, chainId }) => [networkId, chainId])),
    onFault: (error) => faults.push(error),
  })
  await refresh()
  const lines = (await registry.metrics()).split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

test('chains and relayers are shown as workers have seen them', async () => {
  await rig.database`update chain_state set head = 1200 where network_id = 'sepolia'`
  await rig.database`
    update relayer_key set status = 'quarantined', lease_until = now() - interval '1 minute'
    where network_id = 'sepolia'`
  const lines = await scrape()
  const sepolia = `chain="sepolia",address="${RELAYER}"`
  const expected = [
    'remit_system_read 1',
    'remit_chain_head_block{chain="sepolia"} 1200',
    'remit_indexer_lag_blocks{chain="sepolia"} 200',
    'remit_indexer_lag_blocks{chain="base-sepolia"} 0',
    `remit_relayer_balance_coins{${sepolia}} 1`,
    `remit_relayer_status{${sepolia},status="quarantined"} 1`,
    `remit_relayer_leased{${sepolia}} 0`,
    'remit_outbox_events 0',
    'remit_webhook_deliveries_pending 0',
  ]
  for (const line of expected) expect(lines).toContain(line)
  const seen = lines.find((line) => line.startsWith('remit_chain_head_seen_timestamp_seconds'))
  expect(Math.abs(Number(seen?.split(' ')[1]) - Date.now() / 1_000)).toBeLessThan(60)
})

test('work that waits is counted by chain, kind and state, with the time of the oldest', async () => {
  await rig.database`
    insert into work_item (network_id, kind, dedupe_key, payload, not_before, state, updated_at) values
      ('sepolia', 'deploy', 'a', '{}', '2026-01-02T00:00:00Z', 'queued', now()),
      ('sepolia', 'deploy', 'b', '{}', '2026-01-01T00:00:00Z', 'queued', now()),
      ('sepolia', 'refund', 'c', '{}', now(), 'review', '2026-01-03T00:00:00Z')`
  const lines = await scrape()
  const at = (text: string) => Date.parse(text) / 1_000
  for (const line of [
    'remit_work_items{chain="sepolia",kind="deploy",state="queued"} 2',
    `remit_work_oldest_timestamp_seconds{chain="sepolia",kind="deploy",state="queued"} ${at('2026-01-01')}`,
    'remit_work_items{chain="sepolia",kind="refund",state="review"} 1',
    `remit_work_oldest_timestamp_seconds{chain="sepolia",kind="refund",state="review"} ${at('2026-01-03')}`,
  ]) {
    expect(lines).toContain(line)
  }
})

test('events and deliveries that wait are counted, and no merchant is named', async () => {
  await rig.create()
  const lines = await scrape()
  expect(lines).toContain('remit_outbox_events 1')
  expect(lines.some((line) => line.startsWith('remit_outbox_oldest_timestamp_seconds '))).toBe(true)
  expect(lines.join()).not.toContain(rig.merchant.merchant.id)
})

test('a database that is away is shown as such, and no old figure beside it', async () => {
  const away = openDatabase('postgres://nobody@127.0.0.1:1/none', { name: 'test-away' })
  const faults: unknown[] = []
  expect(await scrape(away, faults)).toEqual(['remit_system_read 0'])
  expect(faults).toHaveLength(1)
  await away.end({ timeout: 1 })
})
