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

test('an item that follows from the chain alone names none', async () => {
  for (const kind of WITHOUT_ROW) {
    expect(
      await subjectOf(await storeItem(sql, kind, { merchantId: Bun.randomUUIDv7() })),
    ).toBeNull()
  }
})

test('the items of a release that named none are given theirs by the migration', async () => {
  const id = Bun.randomUUIDv7()
  const payloads = NAMES.slice(1).map((name) => ({ [name]: id }))
  const items: bigint[] = []
  for (const payload of payloads) items.push(await storeItem(sql, 'refund', payload))
  const other = await storeItem(sql, 'deploy', { merchantId: id })
  await sql`update work_item set subject_id = null`
  const file = join(MIGRATIONS, '0342_name_rows_of_former_work_items.sql')
  await sql.unsafe(await Bun.file(file).text())
  for (const item of items) expect(await subjectOf(item)).toBe(id)
  expect(await subjectOf(other)).toBeNull()
})
