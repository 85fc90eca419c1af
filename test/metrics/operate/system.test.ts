import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Registry } from 'prom-client'
import { showSystem } from '../../../metrics/operate/system.ts'
import { openHealth } from '../../../store/books/health.ts'
import { readBooks, saveReconciliation } from '../../../store/books/money.ts'
import { readWorkload } from '../../../store/books/workload.ts'
import { openDatabase } from '../../../store/database/database.ts'
import { foldMovements } from '../../../store/invoice/list/movements.ts'
import { RELAYER, reportAll } from '../../support/api/healthy.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

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
    readBooks: () => readBooks(database),
    registry: rig.config.registry,
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

test('money is told by chain, token and kind, and what is left of it is held', async () => {
  const token = rig.config.chains.find(({ networkId }) => networkId === 'sepolia')?.tokens[0]
  if (!token) throw new Error('there is no token')
  const merchantId = rig.merchant.merchant.id
  const movement = (type: string, amount: bigint, fee = 0n) => rig.database`
    insert into movement_tally_change
      (merchant_id, day, network_id, token, type, movements, amount, fee)
    values (${merchantId}, '2026-06-01', 'sepolia', ${token.address}, ${type}, 1,
      ${amount.toString()}, ${fee.toString()})`
  await movement('payment', 25_000_000n)
  await movement('settlement', 20_000_000n, 1_000_000n)
  while ((await foldMovements(rig.database)) > 0);
  // Some of it is added up already, some is not.
  await movement('refund', 500_000n)
  await movement('x402_payment', 30_000n)
  await movement('x402_payout', 20_000n, 100n)
  const lines = await scrape()
  const of = (kind: string) => {
    const start = `remit_money_tokens{chain="sepolia",token="${token.symbol}",kind="${kind}"} `
    return lines.find((line) => line.startsWith(start))?.slice(start.length)
  }
  const kinds = ['counted', 'settled', 'fee', 'refunded', 'held', 'x402_settled', 'x402_held']
  expect(kinds.map(of)).toEqual(['25', '19', '1', '0.5', '4.5', '0.03', '0.01'])
  expect(lines.join()).not.toContain(merchantId)
})

test('account nonces on their way are counted, and those that lack a transaction', async () => {
  for (const nonce of [5, 6, 8]) {
    await rig.database`
      insert into relayer_tx
        (network_id, address, account_nonce, kind, target, calldata, gas_limit, state)
      values ('sepolia', ${RELAYER}, ${nonce}, 'sweep', ${RELAYER}, '0x', 21000, 'signed')`
  }
  const lines = await scrape()
  const labels = `chain="sepolia",address="${RELAYER}"`
  expect(lines).toContain(`remit_relayer_transactions_open{${labels}} 3`)
  expect(lines).toContain(`remit_relayer_nonce_gap{${labels}} 1`)
})

test('the last comparison of ledger and chain is shown, and no older one after it', async () => {
  const at = (text: string) => new Date(text)
  const save = (checkedAt: Date, differences: number) =>
    saveReconciliation(rig.database, { networkId: 'sepolia', checkedAt, differences })
  await save(at('2026-06-02T00:00:00Z'), 3)
  await save(at('2026-06-01T00:00:00Z'), 0)
  const lines = await scrape()
  expect(lines).toContain('remit_reconcile_differences{chain="sepolia"} 3')
})
