import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withEventTable } from '../../dev/eventTable.ts'

test('the table of events in docs/webhooks.md is the one of the code', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')
  // When this fails, run `bun dev/eventTable.ts`.
  expect(text).toBe(withEventTable(text))
})
