import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openHealth } from '../../../store/books/health.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { migrate } from '../../../store/database/migrate.ts'
import { createDatabase, type TestDatabase } from '../../support/servers/run.ts'

let own: TestDatabase
let database: Database
beforeAll(async () => {
  own = await createDatabase()
  database = openDatabase(own.url, { name: 'health', poolSize: 5 })
  await migrate(database)
}, 60_000)
afterAll(async () => {
  await database?.end({ timeout: 1 })
  await own?.drop()
})

test('a look that fails takes no answer from anyone else', async () => {
  await database`create schema indexed`
  await database`create table indexed._ponder_checkpoint (chain_id bigint)`
  const look = openHealth(database, 0)
  const wrong: unknown[] = []
  for (let round = 0; round < 100; round += 1) {
    const asked = Array.from({ length: 8 }, async (_, number) => {
      const rows = await database.unsafe(`select ${number} as number`, [], { prepare: true })
      if (rows[0]?.number !== number) wrong.push(rows[0])
    })
    await Promise.all([...asked, expect(look()).rejects.toThrow('latest_checkpoint')])
  }
  expect(wrong).toEqual([])
}, 60_000)
