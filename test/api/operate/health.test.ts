import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { VERSION } from '../../../core/base/version.ts'
import { openHealth } from '../../../store/books/health.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { expectError } from '../../support/api/answers.ts'
import { RELAYER, reportAll } from '../../support/api/healthy.ts'
import { type Answer, type ApiRig, openRig } from '../../support/api/rig.ts'
import { prepareLedger } from '../../support/servers/database.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { createDatabase } from '../../support/servers/run.ts'

let rig: ApiRig
let observer: Database
beforeAll(async () => {
  rig = await openRig()
  observer = openDatabase(rig.config.databaseUrl, { name: 'test-observer', poolSize: 1 })
})
afterAll(async () => {
  await observer.end()
  await rig.close()
})

const ready = () => rig.call('GET', '/ready', { key: null })

function problemsOf(answer: Answer): string {
  expectError(answer, 503, 'service unavailable')
  return (answer.json.problems ?? []).join('\n')
}

/** How many statements on the rig's database wait for a lock. */
async function countWaiting(): Promise<number> {
  const [row] = await observer<{ waiting: number }[]>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return row?.waiting ?? 0
}

describe('/health', () => {
  test('answers 200 ok while the process lives, without a key', async () => {
    const answer = await rig.call('GET', '/health', { key: null })
    const data = { status: 'ok', version: VERSION }
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { success: true, data }])
    expect(VERSION).toMatch(/^[0-9]+\.[0-9]+\.[0-9]+/)
  })
})

describe('/ready', () => {
  test('says that indexer, worker and relayers have not reported yet', async () => {
    const problems = problemsOf(await ready())
    for (const networkId of ['sepolia', 'base-sepolia']) {
      expect(problems).toContain(`${networkId}: the indexer has not reported yet`)
      expect(problems).toContain(`${networkId}: no worker has reported yet`)
      expect(problems).toContain(`${networkId}: no relayer can send transactions`)
    }
  })

  test('answers 200 without problems and warnings when all is well', async () => {
    await reportAll(rig)
    const answer = await ready()
    expect({ status: answer.status, body: JSON.parse(answer.text) }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          status: 'ready',
          problems: [],
          warnings: [],
          x402: { pending: 0, oldestPendingSeconds: null },
        },
      },
    })
  })

  test('says by how many blocks the indexer is behind', async () => {
    await reportAll(rig)
    await rig.database`update chain_state set head = 1500 where network_id = 'base-sepolia'`
    expect(problemsOf(await ready())).toBe(
      'base-sepolia: the indexer is 500 blocks behind (1000 of 1500)',
    )
  })

  test('says that a worker has stopped following a chain', async () => {
    await reportAll(rig)
    await rig.database`
      update chain_state set head_seen_at = now() - interval '2 minutes'
      where network_id = 'sepolia'`
    const problems = problemsOf(await ready())
    expect(problems).toMatch(/^sepolia: the head is 1[12]\d s old; is `bun run worker`/)
  })

  test("says that a chain's RPC can't be reached, without telling its address", async () => {
    await reportAll(rig)
    await rig.database`
      update chain_state set head_seen_at = now() - interval '2 minutes',
        rpc_error = 'https://node.example/secret-key failed'
      where network_id = 'sepolia'`
    const problems = problemsOf(await ready())
    expect(problems).toContain("its RPC can't be reached")
    expect(problems).not.toContain('secret-key')
  })

  test('says that no worker holds the relayer key', async () => {
    await reportAll(rig)
    await rig.database`update relayer_key set lease_until = now() where network_id = 'sepolia'`
    expect(problemsOf(await ready())).toBe(
      `sepolia: no relayer can send transactions (${RELAYER} is not used by any worker)`,
    )
  })

  test('warns of a relayer that is low on gas, and stays ready', async () => {
    await reportAll(rig)
    await rig.database`update relayer_key set balance = 1000 where network_id = 'sepolia'`
    const answer = await ready()
    expect(answer.status).toBe(200)
    const { warnings } = JSON.parse(answer.text).data
    expect(warnings).toEqual([
      `sepolia: relayer ${RELAYER} is low on gas: it holds 0.000000000000001 ETH`,
    ])
  })

  test('warns of a quarantined key, and is not ready when it was the only one', async () => {
    await reportAll(rig)
    await rig.database`
      update relayer_key set status = 'quarantined' where network_id = 'sepolia'`
    const answer = await ready()
    expect(problemsOf(answer)).toContain(`${RELAYER} is quarantined`)
    expect(answer.json.warnings?.join()).toContain('nonce')
  })

  test('says that events wait which no notifier takes, and nothing of those that were taken', async () => {
    await reportAll(rig)
    await rig.create()
    await rig.create()
    const age = (seconds: number) => sql`now() - make_interval(secs => ${seconds})`
    const { database: sql } = rig
    await sql`update outbox set position = 1, created_at = ${age(900)}
      where id = (select min(id::text)::uuid from outbox)`
    expect((await ready()).status).toBe(200)
    await sql`update outbox set created_at = ${age(120)} where position is null`
    expect(problemsOf(await ready())).toMatch(
      /^webhooks: the oldest pending event is 1[12]\d s old; is `bun run worker`/,
    )
    await sql`update outbox set position = 2 where position is null`
  })

  test('says that migrations are missing, and how to run them', async () => {
    const empty = await createDatabase()
    await prepareLedger(empty.url)
    const bare = await openRig({ databaseUrl: empty.url })
    await bare.database`delete from migration where name like 'schema/02%'`
    const problems = problemsOf(await bare.call('GET', '/ready'))
    expect(problems).toContain('schema/02_access')
    expect(problems).toContain('remit migrate')
    await bare.close()
    await empty.drop()
  })

  test('is looked at once for all who ask together, and leaves the rest to its work', async () => {
    await reportAll(rig)
    const lock = await rig.database.reserve()
    await lock`begin`
    await lock`lock table chain_state in access exclusive mode`
    const asked = Array.from({ length: 40 }, ready)
    await eventually(countWaiting, (count) => count > 0)
    const list = await rig.call('GET', '/v1/invoices')
    expect(list.status).toBe(200)
    expect(await countWaiting()).toBe(1)
    await lock`rollback`
    lock.release()
    await Promise.all(asked)
  })

  test('is looked at again after a second', async () => {
    let ms = 7
    const keeping = await openRig({ readHealth: (sql) => openHealth(sql, 1_000, () => ms) })
    const missing = async () =>
      (await keeping.call('GET', '/ready')).text.includes('schema/02_access')
    const seen = [await missing()]
    await keeping.database`delete from migration where name like 'schema/02%'`
    ms += 999
    seen.push(await missing())
    ms += 1
    seen.push(await missing())
    await keeping.close()
    expect(seen).toEqual([false, false, true])
  })
})
