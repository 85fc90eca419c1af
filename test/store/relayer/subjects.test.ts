import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Database } from '../../../store/database/database.ts'
import { MIGRATIONS } from '../../../store/database/migrationFiles.ts'
import { forThisFile } from '../../support/store/database.ts'
import { storeItem } from '../../support/store/relayer.ts'

let sql: Database
forThisFile((database) => {
  sql = database
})

const NAMES = ['subjectId', 'settlementId', 'refundId', 'paymentId', 'actionId'] as const
const WITHOUT_ROW = ['configure', 'deploy', 'distribute'] as const

async function subjectOf(item: bigint): Promise<string | null> {
  const [row] = await sql<{ subjectId: string | null }[]>`
    select subject_id from work_item where id = ${item}`
  return row?.subjectId ?? null
}

test.each(NAMES)('an item names the row that it advances, by its payload: %s', async (name) => {
  const id = Bun.randomUUIDv7()
  expect(await subjectOf(await storeItem(sql, 'sweep', { [name]: id }))).toBe(id)
})

test('a row has one item', async () => {
  const payload = { subjectId: Bun.randomUUIDv7() }
  await storeItem(sql, 'sweep', payload)
  expect(storeItem(sql, 'refund', payload)).rejects.toThrow('work_item_of_subject')
})

test('an item that follows from the chain alone names none', async () => {
  for (const kind of WITHOUT_ROW) {
    expect(
      await subjectOf(await storeItem(sql, kind, { merchantId: Bun.randomUUIDv7() })),
    ).toBeNull()
  }
})

test('the items of a release that named none are given theirs by the migration', async () => {
  const rows = new Map<bigint, string>()
  for (const name of NAMES.slice(1)) {
    const id = Bun.randomUUIDv7()
    rows.set(await storeItem(sql, 'refund', { [name]: id }), id)
  }
  const other = await storeItem(sql, 'deploy', { merchantId: Bun.randomUUIDv7() })
  await sql`update work_item set subject_id = null`
  const file = join(MIGRATIONS, '0342_name_rows_of_former_work_items.sql')
  await sql.unsafe(await Bun.file(file).text())
  for (const [item, id] of rows) expect(await subjectOf(item)).toBe(id)
  expect(await subjectOf(other)).toBeNull()
})
