import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '../../../dev/processes/child.ts'
import { type Database, openDatabase } from '../../../store/database/database.ts'
import { migrate, planMigrations, schemaProblems } from '../../../store/database/migrate.ts'
import {
  lockedTables,
  MIGRATIONS,
  migrationFiles,
  schemaFiles,
} from '../../../store/database/migrationFiles.ts'
import { createDatabase, type TestDatabase } from '../../support/servers/run.ts'

/** Migrations of a test's own on a table that is filled, while others read and write it. */

const ROWS = 20_000
const TIMEOUT_MS = 60_000
let created: TestDatabase
let database: Database
let directory = ''

beforeAll(async () => {
  created = await createDatabase()
  database = openDatabase(created.url, { name: 'test', poolSize: 6 })
})
afterAll(async () => {
  await database.end()
  await created.drop()
})

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'remit-migrations-'))
  await database`create table filled (id integer primary key, figure integer, fresh boolean)`
  await database`insert into filled select n, n % 100 from generate_series(1, ${ROWS}::integer) n`
  await database`analyze filled`
})
afterEach(async () => {
  await database`drop table if exists filled, migration`
  rmSync(directory, { recursive: true })
})

function file(name: string, sql: string): void {
  writeFileSync(join(directory, name), sql)
}

let next = ROWS
async function write(): Promise<void> {
  next += 1
  await database`insert into filled values (${next}, 0)`
}

/** Someone who reads the table for as long as the test wants. */
async function longReader(): Promise<() => Promise<void>> {
  const reader = await database.reserve()
  await reader`begin isolation level repeatable read`
  await reader`select count(*) from filled`
  return async () => {
    await reader`commit`
    reader.release()
  }
}

test('an index is built while others write', async () => {
  file(
    '1.sql',
    '-- remit: statements\ncreate index concurrently if not exists by_figure on filled (figure);\n',
  )
  const endReading = await longReader()
  const migrating = migrate(database, { directory })
  const isBuilding = async () => {
    // Of this table: the table of migrations gets its key a moment before.
    const found = await database`
      select 1 from pg_stat_progress_create_index where relid = 'filled'::regclass`
    return found.length > 0
  }
  // It waits for whoever began before it, with the table open to all.
  expect(await waitUntil(isBuilding, TIMEOUT_MS)).toBe(true)
  for (let i = 0; i < 20; i += 1) await write()
  expect(await isBuilding()).toBe(true)
  await endReading()
  expect((await migrating).map(({ name }) => name)).toEqual(['1.sql'])
  const [index] = await database`
    select indisvalid as valid from pg_index where indexrelid = 'by_figure'::regclass`
  expect(index).toEqual({ valid: true })
})

test('an index whose building failed is built again', async () => {
  file(
    '1.sql',
    '-- remit: statements\ncreate unique index concurrently if not exists once on filled (figure);\n',
  )
  expect(migrate(database, { directory })).rejects.toThrow('once')
  await waitUntil(async () => {
    const found = await database`select 1 from pg_class where relname = 'once'`
    return found.length > 0
  }, TIMEOUT_MS)
  await database`update filled set figure = id`
  expect(await migrate(database, { directory })).toHaveLength(1)
  const [index] = await database`
    select indisvalid as valid from pg_index where indexrelid = 'once'::regclass`
  expect(index).toEqual({ valid: true })
})

test.each([
  ['of a transaction', ''],
  ['of statements', '-- remit: statements\n'],
])(
  'a long reader delays a change %s, and the change delays no one',
  async (_, kind) => {
    file('1.sql', `${kind}alter table filled add column more text;\n`)
    const endReading = await longReader()
    const tries: number[] = []
    const ended: number[] = []
    const onWait = (_: string, attempt: number) => {
      tries.push(attempt)
      ended.push(performance.now())
    }
    const migrating = migrate(database, { directory, onWait })
    // Each of these would wait for the reader's end, if the change waited for its lock for as long.
    while (tries.length < 2) await write()
    await write()
    await endReading()
    expect(await migrating).toHaveLength(1)
    expect(tries.slice(0, 2)).toEqual([1, 2])
    // A try takes a second, and those who waited for it have twice as long before the next one.
    expect((ended[1] ?? 0) - (ended[0] ?? 0)).toBeGreaterThan(2_900)
    await database`select more from filled limit 1`
  },
  60_000,
)

test('a backfill goes in batches, and goes on where it was interrupted', async () => {
  file(
    '1.sql',
    `-- remit: batches
update filled set fresh = true
where id in (select id from filled where fresh is null order by id limit 6000);
`,
  )
  const batches: number[] = []
  const interrupted = migrate(database, {
    directory,
    onBatch: (_, rows) => {
      batches.push(rows)
      if (batches.length === 2) throw new Error('killed')
    },
  })
  await expect(interrupted).rejects.toThrow('killed')
  await migrate(database, { directory, onBatch: (_, rows) => batches.push(rows) })
  expect(batches).toEqual([6_000, 6_000, 6_000, 2_000])
  expect(await migrate(database, { directory })).toEqual([])
})

test('no bound of the role or of the connection ends a migration', async () => {
  file('1.sql', 'select pg_sleep(0.4);\n')
  const bounded = openDatabase(created.url, { name: 'test', poolSize: 1, statementTimeoutMs: 100 })
  expect(await migrate(bounded, { directory })).toHaveLength(1)
  const [row] = await bounded<{ timeout: string }[]>`
    select current_setting('statement_timeout') as timeout`
  expect(row?.timeout).toBe('100ms')
  await bounded.end()
})

test('an index is built by one process, so that processors are left to those who are served', async () => {
  file(
    '1.sql',
    "create table setting as select current_setting('max_parallel_maintenance_workers') as workers;\n",
  )
  const parallel = openDatabase(created.url, { name: 'test', poolSize: 1 })
  await parallel`set max_parallel_maintenance_workers = 2`
  await migrate(parallel, { directory })
  expect(await parallel`select workers from setting`).toMatchObject([{ workers: '0' }])
  await parallel`drop table setting`
  await parallel.end()
})

test('what fails leaves nothing behind', async () => {
  file('1.sql', 'create table other (id integer);\nselect 1 / 0;\n')
  await expect(migrate(database, { directory })).rejects.toThrow('division by zero')
  const [row] = await database`select to_regclass('other') is null as gone`
  expect(row).toEqual({ gone: true })
})

test('the plan says how each file is carried out and what it locks', async () => {
  file('1.sql', 'alter table filled add column more text;\ncreate table other (id integer);\n')
  file('2.sql', '-- remit: batches\nupdate filled set fresh = true where false;\n')
  file('3.sql', 'lock table filled, other in share row exclusive mode;\n')
  expect(await planMigrations(database, directory)).toEqual([
    { name: '1.sql', kind: 'transaction', locks: [{ table: 'filled', rows: ROWS }] },
    { name: '2.sql', kind: 'batches', locks: [] },
    {
      name: '3.sql',
      kind: 'transaction',
      locks: [
        { table: 'filled', rows: ROWS },
        { table: 'other', rows: 0 },
      ],
    },
  ])
})

test('no migration writes a filled table once more for a column of a domain with a check', async () => {
  const files = await migrationFiles(MIGRATIONS)
  const domains = [...(await schemaFiles()), ...files].flatMap(({ sql }) =>
    [...sql.matchAll(/create domain (\w+) [^;]*?check/g)].map(([, name = '']) => name),
  )
  expect(domains).toContain('base_units')
  const column = new RegExp(`add column (?:if not exists )?\\w+ (?:${domains.join('|')})\\b`)
  const found = files.filter((one) => column.test(one.sql) && lockedTables(one).length > 0)
  expect(found.map(({ name }) => name)).toEqual([])
  await database`create domain checked as numeric check (value >= 0)`
  const place = async () => {
    const [row] = await database`select pg_relation_filenode('filled') as place`
    return row?.place
  }
  const before = await place()
  await database`alter table filled add column plain numeric`
  expect(await place()).toBe(before)
  await database`alter table filled add column dear checked`
  expect(await place()).not.toBe(before)
  await database`drop table filled`
  await database`drop domain checked`
})

test('an empty database gets the whole schema or nothing of it, once, and no other schema than this', async () => {
  const own = await createDatabase()
  const sql = openDatabase(own.url, { name: 'test', poolSize: 2 })
  await sql`create table x402_held (taken boolean)`
  await expect(migrate(sql)).rejects.toThrow('x402_held')
  const [half] = await sql`
    select to_regclass('merchant') is null as is_gone, (select count(*) from migration) as files`
  expect(half).toEqual({ isGone: true, files: 0n })
  await sql`drop table x402_held`

  await sql`insert into migration (name, checksum) values ('0001_ledger.sql', 'x')`
  await expect(migrate(sql)).rejects.toThrow('start with `bun run dev --fresh`')
  expect(await schemaProblems(own.url)).toEqual([expect.stringContaining('--fresh')])
  await sql`truncate migration`

  const files = (await schemaFiles()).map(({ name }) => name)
  const applied = (await migrate(sql)).map(({ name }) => name)
  expect(applied.slice(0, files.length)).toEqual(files)
  expect(await migrate(sql)).toEqual([])
  expect(await schemaProblems(own.url)).toEqual([])
  await sql`update migration set checksum = 'x' where name = 'schema/05_chain.sql'`
  await expect(migrate(sql)).rejects.toThrow('schema/05_chain.sql was changed after it was applied')
  await sql.end()
  await own.drop()
}, 60_000)

test('a way that does not exist is refused before anything is done', async () => {
  file('1.sql', 'create table other (id integer);\n')
  file('2.sql', '-- remit: slowly\nselect 1;\n')
  await expect(migrate(database, { directory })).rejects.toThrow('2.sql is to be carried out')
  const [row] = await database`select to_regclass('other') is null as gone`
  expect(row).toEqual({ gone: true })
})

test('a process of this release refuses an older schema by a sentence', async () => {
  expect((await schemaProblems(created.url))[0]).toContain('older than this release needs')
  expect(await schemaProblems('postgres://remit@127.0.0.1:1/remit')).toEqual([])
})
