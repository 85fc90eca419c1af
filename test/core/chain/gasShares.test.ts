import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { asMerchantId } from '../../../core/base/ids.ts'
import { hoursLeft, splitGas } from '../../../core/chain/gasShares.ts'

const MERCHANTS = [1, 2, 3].map((n) => asMerchantId(`00000000-0000-7000-8000-00000000000${n}`))
const [ADA = null, BOB = null] = MERCHANTS

describe('the gas of a transaction', () => {
  test('is split to the wei, whoever the items are of, each with a wei more at most', () => {
    const merchant = fc.constantFrom(null, ...MERCHANTS)
    fc.assert(
      fc.property(
        fc.bigInt(0n, 10n ** 20n),
        fc.array(merchant, { maxLength: 120 }),
        (cost, items) => {
          const shares = splitGas(cost, items)
          expect(shares.reduce((sum, { wei }) => sum + wei, 0n)).toBe(cost)
          expect(shares.reduce((sum, share) => sum + share.items, 0)).toBe(items.length)
          expect(new Set(shares.map(({ merchantId }) => merchantId)).size).toBe(shares.length)
          for (const { items: count, wei } of shares) {
            if (count === 0) continue
            const each = (cost / BigInt(items.length)) * BigInt(count)
            expect(wei >= each && wei <= each + BigInt(count)).toBe(true)
          }
        },
      ),
    )
  })

  test('leaves what does not divide with the first items', () => {
    expect(splitGas(11n, [ADA, BOB, ADA])).toEqual([
      { merchantId: ADA, items: 2, wei: 7n },
      { merchantId: BOB, items: 1, wei: 4n },
    ])
    expect(splitGas(11n, [])).toEqual([{ merchantId: null, items: 0, wei: 11n }])
  })
})

describe('a balance', () => {
  test.each([
    [0n, 0n, null],
    [6n, 6n, 100],
    [0n, 24n, 100],
    [6n, 48n, 50],
    [600n, 600n, 1],
    [6000n, 6000n, 0.1],
  ])(
    'lasts at the higher rate of six hours (%p) and a day (%p): %p h',
    (lastHours, lastDay, hours) => {
      expect(hoursLeft(100n, { lastHours, lastDay })).toBe(hours)
    },
  )
})
