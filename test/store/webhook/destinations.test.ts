import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { destinationOf } from '../../../core/webhook/endpoint.ts'
import type { Database } from '../../../store/database.ts'
import { forThisFile } from '../../support/store/database.ts'
import { newEndpoint, newMerchant } from '../../support/store/webhook.ts'

const MIGRATION = new URL('../../../store/migrations/0043_destinations.sql', import.meta.url)

let sql: Database
forThisFile((database) => {
  sql = database
})

/** As 0034 has written the destinations of the endpoints that were there. */
test.each([
  ['https://shop.example/hook', 'shop.example'],
  ['http://shop.example/hook', 'shop.example'],
  ['https://Shop.example:8443/hook', 'shop.example:8443'],
  ['https://user:secret@shop.example/hook', 'user:secret@shop.example'],
  ['https://[2001:db8::1]/hook', '[2001:db8::1]'],
])('an endpoint at %s shares its destination with newer ones', async (url, destination) => {
  const id = await newEndpoint(sql, await newMerchant(sql), { url, destination })
  await sql.unsafe(await readFile(MIGRATION, 'utf8'))
  const [row] = await sql`select destination from webhook_endpoint where id = ${id}`
  expect(row?.destination).toBe(destinationOf(url))
})
