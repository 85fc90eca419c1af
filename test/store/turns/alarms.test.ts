import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Database } from '../../../store/database/database.ts'
import { type Alarm, raiseAlarm, readAlarms, replaceAlarms } from '../../../store/turns/alarms.ts'
import { freshDatabase } from '../../support/servers/database.ts'

let sql: Database
beforeAll(async () => {
  sql = await freshDatabase()
})
beforeEach(async () => {
  await sql`truncate worker_alarm`
})
afterAll(() => sql.end({ timeout: 1 }))

const SOURCE = { networkId: 'base', workerId: 'one', forMs: 60_000 }
const EARLIER = new Date(Date.now() - 90_000)

function alarm(subject: string, change: Partial<Alarm> = {}): Alarm {
  return { kind: 'aside', subject, detail: 'why', since: new Date(), ...change }
}

async function subjects(): Promise<string[]> {
  return (await readAlarms(sql)).map(({ subject }) => subject)
}

describe('an alarm', () => {
  test('is heard until its time is over, since it was first said', async () => {
    await raiseAlarm(sql, SOURCE, alarm('a', { since: EARLIER }))
    await raiseAlarm(sql, SOURCE, alarm('a', { detail: 'why else' }))
    expect(await readAlarms(sql)).toMatchObject([
      { subject: 'a', detail: 'why else', since: EARLIER },
    ])
    await raiseAlarm(sql, { ...SOURCE, forMs: -1 }, alarm('a'))
    expect(await subjects()).toEqual([])
    // Said again after its time was over, it begins again.
    await raiseAlarm(sql, SOURCE, alarm('a'))
    expect((await readAlarms(sql))[0]?.since.getTime()).toBeGreaterThan(EARLIER.getTime())
  })

  test('is over when its worker says others instead, and no other worker is touched', async () => {
    await replaceAlarms(sql, SOURCE, [alarm('a'), alarm('b')])
    await replaceAlarms(sql, { ...SOURCE, workerId: 'two' }, [alarm('c')])
    await replaceAlarms(sql, { ...SOURCE, networkId: 'polygon' }, [alarm('d')])
    await raiseAlarm(sql, SOURCE, alarm('ledger', { kind: 'turn' }))
    await replaceAlarms(sql, SOURCE, [alarm('b')])
    expect((await subjects()).toSorted()).toEqual(['b', 'c', 'd', 'ledger'])
  })
})
