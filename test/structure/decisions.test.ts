import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DECISIONS = join(import.meta.dirname, '../../docs/decisions')
const INDEX = 'README.md'

const files = readdirSync(DECISIONS).filter((name) => name !== INDEX)

test('every number of a decision is taken once', () => {
  const numbers = files.map((name) => name.slice(0, 4))
  expect(numbers.length).toBeGreaterThan(20)
  expect(numbers.filter((number, place) => numbers.indexOf(number) !== place)).toEqual([])
})

test('the index has every decision, by its number and title', () => {
  const index = readFileSync(join(DECISIONS, INDEX), 'utf8')
  const missing = files.filter((name) => {
    const [heading = ''] = readFileSync(join(DECISIONS, name), 'utf8').split('\n')
    return !index.includes(`- ${Number(name.slice(0, 4))}: [${heading.slice(2)}](${name})\n`)
  })
  expect(missing).toEqual([])
})
