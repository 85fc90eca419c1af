import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { MerchantId } from '../../../core/base/ids.ts'
import type { Database } from '../../../store/database/database.ts'
import { freshDatabase, workerUrlOf } from '../../support/servers/database.ts'
import { newAddress } from '../../support/store/database.ts'
import { storeInvoice, storeMerchant } from '../../support/store/invoice.ts'

/** Leaders who put another recipient in force, and die in the middle. */

const LEADER = join(import.meta.dirname, '../../support/merchant/leader.ts')

let sql: Database
let merchantId: MerchantId
beforeAll(async () => {
  sql = await freshDatabase()
  merchantId = await storeMerchant(sql)
}, 120_000)
afterAll(() => sql.end({ timeout: 1 }))

function startLeader() {
  const env = { ...process.env, DATABASE_URL: workerUrlOf(sql) }
  return Bun.spawn([process.execPath, LEADER], { env, stdout: 'inherit', stderr: 'inherit' })
}

async function someoneWaits(): Promise<void> {
  for (;;) {
    const [row] = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and application_name like '%leader%'`
    if (row !== undefined) return
    await Bun.sleep(20)
  }
}

const state = async () => {
  const [row] = await sql`
    select m.recipient, m.config_version, c.state, i.settlement_state,
      (select count(*)::int from work_item where kind = 'configure') as entries
    from merchant m join recipient_change c on c.merchant_id = m.id
    join invoice i on i.merchant_id = m.id where m.id = ${merchantId}`
  return row
}

test('a leader that is killed in the middle has done nothing, and of two that follow one does it', async () => {
  const [first, second] = [newAddress(), newAddress()]
  await sql`update merchant set recipient = ${first}, config_version = 1 where id = ${merchantId}`
  const { id } = await storeInvoice(sql, merchantId)
  await sql`update invoice set settlement_state = 'failed' where id = ${id}`
  await sql`
    insert into recipient_change (id, merchant_id, recipient, actor, actor_id, actor_name, waits_since,
      force_at, notified_at)
    values (${Bun.randomUUIDv7()}, ${merchantId}, ${second}, 'key', 'x', 'a key', now(), now(), now())`

  // It has written the recipient and the entries by the time it waits for this lock.
  await sql.begin(async (held) => {
    await held`select from invoice where id = ${id} for update`
    const leader = startLeader()
    await someoneWaits()
    leader.kill('SIGKILL')
    await leader.exited
    expect(leader.signalCode).toBe('SIGKILL')
  })
  expect(await state()).toMatchObject({
    ...{ recipient: first, configVersion: 1, state: 'waiting', entries: 0 },
    settlementState: 'failed',
  })

  const leaders = [startLeader(), startLeader()]
  expect(await Promise.all(leaders.map(({ exited }) => exited))).toEqual([0, 0])
  const done = { recipient: second, configVersion: 2, state: 'in_force', settlementState: 'due' }
  expect(await state()).toMatchObject(done)
  const { entries } = (await state()) ?? {}
  await startLeader().exited
  expect(await state()).toMatchObject({ ...done, entries })
}, 120_000)
