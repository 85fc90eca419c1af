import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Database } from '../../../store/database.ts'
import { SVG } from '../../support/logos.ts'
import { forThisFile } from '../../support/store/database.ts'
import { newMerchant } from '../../support/store/webhook.ts'

const MIGRATION = new URL('../../../store/migrations/0325_raster_logos.sql', import.meta.url)

let sql: Database
forThisFile((database) => {
  sql = database
})

test('an SVG from before is shown no longer, and what else the merchant has decided stays', async () => {
  const id = await newMerchant(sql)
  const insert = () => sql`
    insert into merchant_page (merchant_id, name, logo, logo_type, logo_id)
    values (${id}, 'Tea', ${Buffer.from(SVG)}, 'image/svg+xml', 'a')`
  await expect(insert().execute()).rejects.toThrow('merchant_page_logo_type_check')
  await sql`
    alter table merchant_page drop constraint merchant_page_logo_type_check,
      add constraint merchant_page_logo_type_check check (logo_type <> '')`
  await insert()
  await sql.unsafe(await readFile(MIGRATION, 'utf8'))
  const [row] = await sql`
    select name, logo, logo_type, logo_id from merchant_page where merchant_id = ${id}`
  expect(row).toEqual({ name: 'Tea', logo: null, logoType: null, logoId: null })
})
