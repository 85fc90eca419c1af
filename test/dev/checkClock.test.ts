import { expect, test } from 'bun:test'
import { clockVariables } from '../../dev/checkClock.ts'

const NOW = new Date('2026-12-31T23:58:00Z')

test.each([
  ['+1d', { CLOCK_SECONDS: '86400' }],
  ['+400d', { CLOCK_SECONDS: '34560000' }],
  ['2027-01-01T00:00:00Z', { CLOCK_SECONDS: '120' }],
  ['2026-12-31T23:57:00Z', { CLOCK_SECONDS: '-60' }],
  ['Pacific/Kiritimati', { TZ: 'Pacific/Kiritimati' }],
])('%p moves the clock', (at, variables) => {
  expect(clockVariables(at, NOW)).toEqual(variables)
})

test.each(['tomorrow', '2028-02-28', '+d', 'Pacific/Nowhere'])('%p is refused', (at) => {
  expect(() => clockVariables(at, NOW)).toThrow('--at takes +40d')
})
