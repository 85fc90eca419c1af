import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const DECISIONS = join(import.meta.dirname, '../../docs/decisions')

test('every number of a decision is taken once', () => {
  const numbers = readdirSync(DECISIONS).map((name) => name.slice(0, 4))
  expect(numbers.length).toBeGreaterThan(20)
  expect(numbers.filter((number, place) => numbers.indexOf(number) !== place)).toEqual([])
})
