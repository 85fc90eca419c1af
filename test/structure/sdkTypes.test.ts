import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { EVENT_TYPE_NAMES } from '../../core/events/eventTypes.ts'
import { buildPage, PAGE_FILE } from '../../dev/sdk/page.ts'
import { generateSchema, SCHEMA_FILE } from '../../dev/sdk/schema.ts'

test("the SDK's types are those of the API's document, byte by byte: `bun run sdk` writes them", async () => {
  const [first, second] = await Promise.all([generateSchema(), generateSchema()])
  expect(second).toBe(first)
  const committed = readFileSync(SCHEMA_FILE, 'utf8')
  // Not the texts themselves, which would all be printed.
  expect(committed === first ? 'current' : 'out of date: run `bun run sdk`').toBe('current')
  for (const type of EVENT_TYPE_NAMES) expect(first).toContain(`"${type}"`)
}, 60_000)

test('the payment page of the SDK is built from its sources, byte by byte', async () => {
  const isCurrent = readFileSync(PAGE_FILE, 'utf8') === (await buildPage())
  expect(isCurrent ? 'current' : 'out of date: run `bun run sdk`').toBe('current')
})
