import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

test('no dependency runs a script when it is installed', () => {
  const file = join(import.meta.dirname, '../../package.json')
  const { trustedDependencies } = JSON.parse(readFileSync(file, 'utf8'))
  // Without the field, Bun runs those of the packages on a list of its own.
  expect(trustedDependencies).toEqual([])
})
