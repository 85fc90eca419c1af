import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const MANIFEST = join(import.meta.dirname, '../../package.json')

test('no dependency runs a script when it is installed', () => {
  const { trustedDependencies } = JSON.parse(readFileSync(MANIFEST, 'utf8'))
  // Without the field, Bun runs those of the packages on a list of its own.
  expect(trustedDependencies).toEqual([])
})

test('a dependency of a dependency has another version than is asked for only with a reason', () => {
  const { overrides } = JSON.parse(readFileSync(MANIFEST, 'utf8'))
  expect(overrides).toEqual({
    // Ponder asks for 0.3.0, which can't be installed; what it imports is the same in this one.
    '@ponder/utils': '0.2.18',
    // The passkey plugin ends at 1.7.6 and asks for those of its time. Of two copies the plugin would take another
    // than better-auth does.
    '@better-auth/utils': '0.5.1',
    '@better-fetch/fetch': '1.3.3',
    'better-call': '1.4.5',
  })
})
