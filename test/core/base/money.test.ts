import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { min } from '../../../core/base/integers.ts'
import {
  baseUnits,
  baseUnitsFromText,
  formatAmount,
  type ParsedAmount,
  parseAmount,
  sum,
  tokenDecimals,
} from '../../../core/base/money.ts'

const DECIMALS = tokenDecimals(6)
const MAX = 10n ** 18n - 1n
const amounts = fc.bigInt({ min: 1n, max: MAX })

function parsed(value: number | string, decimals = DECIMALS): bigint {
  const result = parseAmount(value, decimals)
  if (!result.ok) throw new Error(`${value}: ${result.message}`)
  return result.amount
}

function refusal(result: ParsedAmount): string {
  if (result.ok) throw new Error(`${result.amount} was accepted`)
  return result.message
}

describe('for any amount', () => {
  test('what is formatted is parsed to the same base units', () => {
    fc.assert(fc.property(amounts, (amount) => parsed(formatAmount(amount, DECIMALS)) === amount))
  })

  test('the same holds for every number of decimals that a token may have', () => {
    fc.assert(
      fc.property(
        amounts,
        fc.integer({ min: 6, max: 18 }).map(tokenDecimals),
        (amount, decimals) => {
          return parsed(formatAmount(amount, decimals), decimals) === amount
        },
      ),
    )
  })

  test('the text is the shortest: no zero at its end, no point without decimals', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(formatAmount(amount, DECIMALS)).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      }),
    )
  })

  test('zeros behind the decimals that are needed change nothing', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const digits = amount.toString().padStart(DECIMALS + 1, '0')
        const full = `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`
        return parsed(full) === amount
      }),
    )
  })

  test('one decimal too many is refused and never rounded', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: MAX }),
        fc.integer({ min: 1, max: 9 }),
        (amount, digit) => {
          const digits = amount.toString().padStart(DECIMALS + 1, '0')
          const text = `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}${digit}`
          expect(refusal(parseAmount(text, DECIMALS))).toBe('must have at most 6 decimals')
        },
      ),
    )
  })

  test('a number of at most 15 significant digits means what its text says', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }), (amount) => {
        const text = formatAmount(amount, DECIMALS)
        return parsed(Number(text)) === amount
      }),
    )
  })

  test('a number is either what was written or refused', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true }), (value) => {
        const result = parseAmount(value, DECIMALS)
        return !result.ok || Number(formatAmount(result.amount, DECIMALS)) === value
      }),
    )
  })

  test('any text is either refused or formatted back to the same value', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9.eE+ -]{0,24}$/), (text) => {
        const result = parseAmount(text, DECIMALS)
        if (!result.ok) return true
        const shortest = text.includes('.') ? text.replace(/\.?0+$/, '') : text
        return formatAmount(result.amount, DECIMALS) === shortest
      }),
    )
  })
})

describe('an amount is parsed', () => {
  test.each([
    ['1', 1_000_000n],
    ['0.000001', 1n],
    ['12.5', 12_500_000n],
    ['1.000000', 1_000_000n],
    ['1.0000000', 1_000_000n],
    ['12.50000000', 12_500_000n],
    [`0.5${'0'.repeat(100_000)}`, 500_000n],
    ['999999999999.999999', MAX],
    [1, 1_000_000n],
    [0.000001, 1n],
    [1e-6, 1n],
    [1.5e2, 150_000_000n],
    [999_999_999_999, 999_999_999_999_000_000n],
    [123_456_789.123456, 123_456_789_123_456n],
  ])('%p is %p base units', (value, units) => {
    expect(parsed(value)).toBe(units)
  })
})

describe('an amount is refused', () => {
  test.each([
    '',
    ' ',
    '01',
    '1.',
    '.5',
    '+1',
    '-1',
    '1e3',
    '1 ',
    ' 1',
    '1,5',
    '0x10',
    '1_000',
    '１',
  ])('%p, which is not digits with at most one point', (text) =>
    expect(refusal(parseAmount(text, DECIMALS))).toContain('must be digits'),
  )

  test.each([0, '0', '0.0', '0.000000', -0])('%p, which is not more than 0', (value) => {
    expect(refusal(parseAmount(value, DECIMALS))).toBe('must be greater than 0')
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, -0.5])(
    '%p, which is no amount',
    (value) => expect(parseAmount(value, DECIMALS).ok).toBe(false),
  )

  test.each(['1.0000001', '12.50000010', `0.${'0'.repeat(100_000)}1`])(
    'more decimals that are not all zeros',
    (text) => expect(refusal(parseAmount(text, DECIMALS))).toBe('must have at most 6 decimals'),
  )

  test.each([0.1234567, 1e-7])('the number %p, which has too many decimals', (value) => {
    expect(refusal(parseAmount(value, DECIMALS))).toBe('must have at most 6 decimals')
  })

  test.each(['1000000000000', '1000000000000.0', 1e12, 1e21])(
    '%p, which is above the maximum',
    (value) => {
      expect(refusal(parseAmount(value, DECIMALS))).toBe('must be at most 999999999999.999999')
    },
  )

  test.each([0.1 + 0.2, 1234567890.1234567])(
    'the number %p, with more than 15 significant digits and the advice to send a string',
    (value) => expect(refusal(parseAmount(value, DECIMALS))).toContain('send it as a string'),
  )
})

describe('base units', () => {
  test('are never negative', () => {
    expect(() => baseUnits(-1n)).toThrow(RangeError)
    expect(baseUnits(0n)).toBe(baseUnits(0n))
  })

  test('are read from a numeric column without loss', () => {
    const most = 2n ** 256n - 1n
    expect(baseUnitsFromText(most.toString())).toBe(baseUnits(most))
  })

  test('add up, and the smaller of two is found', () => {
    expect(sum([])).toBe(baseUnits(0n))
    expect(sum([1n, 2n, 3n])).toBe(baseUnits(6n))
    expect(min(baseUnits(2n), baseUnits(1n))).toBe(baseUnits(1n))
  })

  test.each([-1, 1.5, 37, Number.NaN])('have no %p decimals', (decimals) => {
    expect(() => tokenDecimals(decimals)).toThrow(RangeError)
  })

  test('are shown as "0", "12.5" and "100"', () => {
    expect([0n, 12_500_000n, 100_000_000n].map((amount) => formatAmount(amount, DECIMALS))).toEqual(
      ['0', '12.5', '100'],
    )
    expect(formatAmount(5n, tokenDecimals(0))).toBe('5')
  })
})
