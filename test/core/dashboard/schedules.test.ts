import { expect, test } from 'bun:test'
import { periodBefore, periodEnd } from '../../../core/dashboard/schedules.ts'

const at = (text: string) => new Date(`${text}Z`)
const iso = (date: Date) => date.toISOString().slice(0, 16)

test('a period ends with the day, the Sunday or the month, in UTC', () => {
  // The first of August 2026 is a Saturday.
  expect(iso(periodEnd('day', at('2026-08-01T00:00')))).toBe('2026-08-02T00:00')
  expect(iso(periodEnd('day', at('2026-12-31T23:59')))).toBe('2027-01-01T00:00')
  expect(iso(periodEnd('week', at('2026-08-01T12:00')))).toBe('2026-08-03T00:00')
  expect(iso(periodEnd('week', at('2026-08-02T12:00')))).toBe('2026-08-03T00:00')
  expect(iso(periodEnd('week', at('2026-08-03T00:00')))).toBe('2026-08-10T00:00')
  expect(iso(periodEnd('month', at('2026-08-31T23:59')))).toBe('2026-09-01T00:00')
  expect(iso(periodEnd('month', at('2026-12-01T00:00')))).toBe('2027-01-01T00:00')
})

test('the period before one ends where it begins', () => {
  for (const every of ['day', 'week', 'month'] as const) {
    const end = periodEnd(every, at('2026-03-01T12:00'))
    const { from, to } = periodBefore(every, end)
    expect(to).toEqual(end)
    expect(periodEnd(every, from)).toEqual(end)
    expect(periodEnd(every, new Date(from.getTime() - 1))).toEqual(from)
  }
})
