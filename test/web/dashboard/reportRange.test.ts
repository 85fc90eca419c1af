import { expect, test } from 'bun:test'
import { apiRange, readRange } from '../../../web/dashboard/reports/range.ts'

const NOW = new Date('2026-03-05T12:00:00Z')

test('a report of days that do not exist covers the usual ones', () => {
  expect(readRange({ from: '2026-01-30', to: '2026-02-28' }, NOW)).toEqual({
    ...{ by: 'day', from: '2026-01-30', to: '2026-02-28' },
  })
  const usual = { by: 'day', from: '2026-02-04', to: '2026-03-05' } as const
  expect(readRange({ from: '2026-02-30', to: '2026-02-30' }, NOW)).toEqual(usual)
  expect(apiRange(usual)).toBe('from=2026-02-04T00%3A00%3A00Z&to=2026-03-06T00%3A00%3A00.000Z')
})
