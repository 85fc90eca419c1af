import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isDay, iso, isoFrom, parseInstant } from '../../../core/base/instant.ts'

const instants = fc.date({
  min: new Date('1000-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

describe('a time with a zone', () => {
  test('is read to the millisecond', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        expect(parseInstant(instant.toISOString())).toEqual(instant)
      }),
    )
  })

  test('means the same in any zone, with or without seconds', () => {
    const noon = new Date('2030-01-31T12:00:00Z')
    for (const text of [
      '2030-01-31T12:00Z',
      '2030-01-31T14:30:00+02:30',
      '2030-01-31T04:00:00-08:00',
    ]) {
      expect(parseInstant(text)).toEqual(noon)
    }
    expect(parseInstant('2030-01-31T12:00:00.000000999Z')).toEqual(noon)
  })

  test('has a year of four digits, from the first moment to the last', () => {
    for (const text of ['1000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
      expect(parseInstant(text)).toEqual(new Date(text))
    }
  })

  test('may be 29 February of a leap year only', () => {
    expect(parseInstant('2028-02-29T00:00:00Z')).not.toBeNull()
    expect(parseInstant('2000-02-29T00:00:00Z')).not.toBeNull()
    expect(parseInstant('2027-02-29T00:00:00Z')).toBeNull()
    expect(parseInstant('2100-02-29T00:00:00Z')).toBeNull()
  })
})

test.each([
  '',
  'tomorrow',
  '2030-01-31',
  '2030-01-31T12:00:00',
  '2030-01-31 12:00:00Z',
  '2030-1-31T12:00:00Z',
  '2030-00-10T12:00:00Z',
  '2030-13-10T12:00:00Z',
  '2030-04-31T12:00:00Z',
  '2030-01-32T12:00:00Z',
  '2030-01-31T24:00:00Z',
  '2030-01-31T12:60:00Z',
  '2030-01-31T12:00:60Z',
  '2030-01-31T12:00:00+25:00',
  '2030-01-31T12:00:00z',
  '0000-01-01T00:00:00Z',
  '0999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-01:00',
  '+010000-01-01T00:00:00Z',
  '1900000000',
])('%j is no time', (text) => {
  expect(parseInstant(text)).toBeNull()
})

test('a moment is shown in UTC, and none as null', () => {
  expect(iso(new Date('2030-01-31T14:30:00+02:30'))).toBe('2030-01-31T12:00:00.000Z')
  expect(iso(null)).toBeNull()
})

test('a moment is not shown before the one that it follows', () => {
  const [first, later] = [new Date('2030-01-31T12:00:00.002Z'), new Date('2030-01-31T12:00:01Z')]
  expect(isoFrom(first, new Date('2030-01-31T12:00:00.001Z'))).toBe(first.toISOString())
  expect(isoFrom(first, later)).toBe(later.toISOString())
  expect(isoFrom(first, null)).toBeNull()
})

test('a day is one of the calendar', () => {
  expect(['2026-08-31', '2028-02-29'].map(isDay)).toEqual([true, true])
  const others = ['2026-02-30', '2027-02-29', '2026-13-01', '2026-8-1', '2026-08-31T00:00:00Z', '']
  expect(others.map(isDay)).toEqual(others.map(() => false))
})
