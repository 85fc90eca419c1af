import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { platformFee, sharePlatformFee } from '../../../core/base/fee.ts'
import { baseUnits, sum } from '../../../core/base/money.ts'

const money = fc.bigInt({ min: 1n, max: 10n ** 18n }).map(baseUnits)
const rates = fc.integer({ min: 0, max: 1000 })
const ceilings = fc.option(fc.bigInt({ min: 0n, max: 10n ** 18n }).map(baseUnits))

describe('the platform fee', () => {
  test.each([
    [10_000_000n, 50, null, 50_000n],
    [199n, 50, null, 0n],
    [399n, 50, null, 1n],
    [1_000_000_000n, 100, 2_000_000n, 2_000_000n],
    [1_000_000_000n, 0, null, 0n],
    [1_000_000_000n, 1000, 0n, 0n],
  ])('of %p at %p hundredths of a per cent, capped at %p, is %p', (amount, rateBps, cap, fee) => {
    const ceiling = cap === null ? null : baseUnits(cap)
    expect(platformFee(baseUnits(amount), { rateBps, ceiling })).toBe(baseUnits(fee))
  })

  test('never exceeds the rate, the ceiling or the amount, and is off by less than one unit', () => {
    fc.assert(
      fc.property(money, rates, ceilings, (amount, rateBps, ceiling) => {
        const fee = platformFee(amount, { rateBps, ceiling })
        const exact = amount * BigInt(rateBps)
        expect(fee * 10_000n <= exact).toBe(true)
        expect(fee < amount || fee === 0n).toBe(true)
        if (ceiling !== null) expect(fee <= ceiling).toBe(true)
        if (ceiling === null || fee < ceiling) expect((fee + 1n) * 10_000n > exact).toBe(true)
      }),
    )
  })
})

describe("the payments' shares of the fee", () => {
  const invoices = fc
    .record({ expected: money, rateBps: rates, parts: fc.array(money, { maxLength: 12 }) })
    .map(({ expected, rateBps, parts }) => {
      const fee = platformFee(expected, { rateBps, ceiling: null })
      return { expected, fee, parts, shares: sharePlatformFee(parts, expected, fee) }
    })

  test('add up to exactly the fee once the invoice is paid, and to no more before', () => {
    fc.assert(
      fc.property(invoices, ({ expected, fee, parts, shares }) => {
        const total = sum(shares)
        return sum(parts) >= expected ? total === fee : total <= fee
      }),
    )
  })

  test('are never more than the payment that bears them', () => {
    fc.assert(
      fc.property(invoices, ({ parts, shares }) => {
        expect(shares).toHaveLength(parts.length)
        return shares.every((share, i) => share >= 0n && share <= (parts[i] ?? 0n))
      }),
    )
  })

  test('are nothing for payments after the one that reached amountExpected', () => {
    fc.assert(
      fc.property(invoices, ({ expected, parts, shares }) => {
        let before = 0n
        return parts.every((part, i) => {
          const isFree = before < expected || shares[i] === 0n
          before += part
          return isFree
        })
      }),
    )
  })

  test('are nothing for what comes after exactly the amount, though rounding left some of the fee', () => {
    const parts = [500n, 500n, 500n].map(baseUnits)
    expect(sharePlatformFee(parts, baseUnits(1_000n), baseUnits(5n))).toEqual(
      [2n, 3n, 0n].map(baseUnits),
    )
  })

  test('give the remainder to the payment that reaches amountExpected', () => {
    const parts = [333n, 333n, 400n].map(baseUnits)
    expect(sharePlatformFee(parts, baseUnits(1_000n), baseUnits(5n))).toEqual(
      [1n, 1n, 3n].map(baseUnits),
    )
  })

  test('fall back on earlier payments when a tiny last one can not bear what is left', () => {
    const parts = [50n, 49n, 1n].map(baseUnits)
    const shares = sharePlatformFee(parts, baseUnits(100n), baseUnits(10n))
    expect(sum(shares)).toBe(baseUnits(10n))
    expect(shares[2]).toBeLessThanOrEqual(baseUnits(1n))
  })
})
