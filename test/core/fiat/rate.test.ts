import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { tokenDecimals } from '../../../core/base/money.ts'
import { convertUp, isWithin, parseRate, RATE_DIGITS, storedRate } from '../../../core/fiat/rate.ts'

const decimals = fc.integer({ min: 0, max: 18 })
const minor = fc.bigInt({ min: 1n, max: 10n ** 15n })
const rate = fc.record({
  digits: fc.bigInt({ min: 1n, max: 10n ** 18n }),
  decimals: fc.integer({ min: 0, max: RATE_DIGITS }),
})

describe('a converted amount', () => {
  test('is never less than the exact one, and less than one base unit above it', () => {
    fc.assert(
      fc.property(
        minor,
        fc.integer({ min: 0, max: 4 }),
        rate,
        decimals,
        (amount, own, by, into) => {
          const converted = convertUp(amount, own, by, tokenDecimals(into))
          const exact = amount * by.digits * 10n ** BigInt(into)
          const scale = 10n ** BigInt(own + by.decimals)
          expect(converted * scale).toBeGreaterThanOrEqual(exact)
          expect((converted - 1n) * scale).toBeLessThan(exact)
          expect(converted).toBeGreaterThan(0n)
        },
      ),
    )
  })

  test('is the same at the same rate however its decimals are written', () => {
    fc.assert(
      fc.property(minor, rate, decimals, (amount, by, into) => {
        const longer = { digits: by.digits * 1000n, decimals: by.decimals + 3 }
        const token = tokenDecimals(into)
        expect(convertUp(amount, 2, longer, token)).toBe(convertUp(amount, 2, by, token))
      }),
    )
  })

  test('grows with the amount and with the rate', () => {
    fc.assert(
      fc.property(minor, minor, rate, decimals, (one, other, by, into) => {
        const token = tokenDecimals(into)
        const [less, more] = one < other ? [one, other] : [other, one]
        expect(convertUp(less, 2, by, token)).toBeLessThanOrEqual(convertUp(more, 2, by, token))
        const higher = { ...by, digits: by.digits + 1n }
        expect(convertUp(one, 2, by, token)).toBeLessThanOrEqual(convertUp(one, 2, higher, token))
      }),
    )
  })

  test.each([
    ['25.00 EUR in USDC', 2_500n, 2, '1.0834', 6, 27_085_000n],
    ['1 JPY in USDC', 1n, 0, '0.006413', 6, 6_413n],
    ['0.01 EUR, rounded up', 1n, 2, '1.08345', 6, 10_835n],
    ['0.001 KWD in a token of 18 decimals', 1n, 3, '3.25', 18, 3_250_000_000_000_000n],
    ['10 USD, one to one', 1_000n, 2, '1', 6, 10_000_000n],
  ])('is exact: %s', (_name, amount, own, text, into, expected) => {
    const converted: bigint = convertUp(amount, own, storedRate(text), tokenDecimals(into))
    expect(converted).toBe(expected)
  })
})

describe('a rate', () => {
  test.each([
    '1',
    '0.5',
    '1.0834',
    '0.000011',
    '999999999999.999999999999',
    `1.0834${'0'.repeat(30)}`,
  ])('is %s', (text) => {
    expect(parseRate(text)).toMatchObject({ ok: true })
  })

  test.each(['', '0', '0.000', '-1', '+1', '1e3', '.5', '1.', '01', '1,5', ' 1', 'NaN', '1_0'])(
    'is not %p',
    (text) => {
      expect(parseRate(text)).toMatchObject({ ok: false })
      expect(() => storedRate(text)).toThrow(TypeError)
    },
  )

  test(`has at most ${RATE_DIGITS} digits on each side of the point`, () => {
    expect(parseRate(`1${'0'.repeat(RATE_DIGITS)}`).ok).toBe(false)
    expect(parseRate(`1.${'0'.repeat(RATE_DIGITS)}1`).ok).toBe(false)
  })

  test('is near another one in both directions alike, to the last digit', () => {
    const near = (one: string, other: string) => isWithin(20, storedRate(one), storedRate(other))
    expect([near('1', '1.2'), near('1.2', '1.00')]).toEqual([true, true])
    expect([near('1', '1.200001'), near('1.200001', '1')]).toEqual([false, false])
    expect([near('0.00005', '0.00006'), near('100', '50')]).toEqual([true, false])
  })
})
