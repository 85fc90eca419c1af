import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { baseUnits } from '../../../core/base/money.ts'
import { shareDistributionFee } from '../../../core/x402/feeShares.ts'

const units = (...amounts: readonly bigint[]) => amounts.map(baseUnits)

describe('the fee of a distribution', () => {
  const cases = fc
    .record({
      amounts: fc.array(fc.bigInt({ min: 1n, max: 10n ** 15n }), { maxLength: 100 }),
      unattributed: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    })
    .chain(({ amounts, unattributed }) => {
      const total = amounts.reduce((sum, amount) => sum + amount, unattributed)
      const fee = fc.oneof(
        fc.bigInt({ min: 0n, max: total }),
        fc.bigInt({ min: 0n, max: total / 100n }),
      )
      return fee.map((drawn) => ({ amounts, unattributed, total, fee: drawn }))
    })

  test('is borne to the unit, in proportion, and by no one beyond what he paid', () => {
    fc.assert(
      fc.property(cases, ({ amounts, unattributed, total, fee }) => {
        const shares = shareDistributionFee(fee, amounts, unattributed)
        expect(shares).toHaveLength(amounts.length)
        const shared = shares.reduce((sum, share) => sum + share, 0n)
        const rest = fee - shared
        for (const [i, amount] of [...amounts, unattributed].entries()) {
          const share = i < shares.length ? (shares[i] ?? 0n) : rest
          const floor = total === 0n ? 0n : (amount * fee) / total
          expect(share === floor || share === floor + 1n).toBe(true)
          expect(share <= amount).toBe(true)
        }
      }),
    )
  })

  test('is borne by all of it when no money is without a payment', () => {
    fc.assert(
      fc.property(cases, ({ amounts, total, unattributed, fee }) => {
        const attributed = total - unattributed
        const borne = fee < attributed ? fee : attributed
        const shares = shareDistributionFee(borne, amounts, 0n)
        expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(baseUnits(borne))
      }),
    )
  })

  test('gives what rounding leaves to those who lost most by it', () => {
    // 10 x 100 / 600 = 1.67, 3.33, 5.00: the one unit left goes to the first.
    expect(shareDistributionFee(10n, [100n, 200n, 300n], 0n)).toEqual(units(2n, 3n, 5n))
    // 5 x 3 / 10 = 1.5, 2.5 and 1.0: of equals the earlier.
    expect(shareDistributionFee(5n, [3n, 5n, 2n], 0n)).toEqual(units(2n, 2n, 1n))
  })

  test('gives it to the earlier among equals', () => {
    expect(shareDistributionFee(2n, [10n, 10n, 10n], 0n)).toEqual(units(1n, 1n, 0n))
    expect(shareDistributionFee(1n, [10n, 10n], 10n)).toEqual(units(1n, 0n))
  })

  test('is borne in part by the money that belongs to no payment', () => {
    expect(shareDistributionFee(10n, [50n], 50n)).toEqual(units(5n))
    expect(shareDistributionFee(10n, [], 50n)).toEqual([])
    expect(shareDistributionFee(1n, [1n], 1_000_000n)).toEqual(units(0n))
  })

  test('is nothing for no one when there is none', () => {
    expect(shareDistributionFee(0n, [], 0n)).toEqual([])
    expect(shareDistributionFee(0n, [1n, 2n], 0n)).toEqual(units(0n, 0n))
  })

  test('that is more than everything is a fault', () => {
    expect(() => shareDistributionFee(4n, [1n, 1n], 1n)).toThrow(RangeError)
    expect(() => shareDistributionFee(-1n, [1n], 0n)).toThrow(RangeError)
  })
})
