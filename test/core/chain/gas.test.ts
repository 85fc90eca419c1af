import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  batchGas,
  type ChainGas,
  distributionsBeside,
  distributionsGas,
  gasProblem,
  paymentsGas,
  raisedGas,
  USUAL_GAS,
  walletPaymentsGas,
} from '../../../core/chain/gas.ts'

/** What the hub wants before it starts an item, or a fee leg: EIP-150 keeps a 64th back. */
function wanted(item: bigint): bigint {
  return (item * 64n) / 63n
}

describe('the gas limit of a batch', () => {
  test('is enough for every item, regardless of what those before it used', () => {
    fc.assert(
      fc.property(fc.bigInt(21_000n, 10_000_000n), fc.bigInt(1n, 100n), (item, count) => {
        const { base, perItem } = batchGas(item)
        // A failing item costs what it was given, and the event that says so.
        const left = base + perItem * count - 21_000n - (item + 10_000n) * (count - 1n)
        expect(left).toBeGreaterThan(wanted(item) + 10_000n)
      }),
    )
  })

  test('is enough for every payment that uses no more than is said, each to another merchant', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 100n), fc.bigInt(0n, 100n), (count, others) => {
        const merchants = others >= count ? count : others + 1n
        const { base, perItem, perMerchant } = paymentsGas(USUAL_GAS)
        const { authorization, authorizationUse, newBalance } = USUAL_GAS
        const limit = base + perItem * count + perMerchant * merchants
        const used = (authorizationUse + 10_000n) * (count - 1n) + newBalance * merchants
        expect(limit - 21_000n - used).toBeGreaterThan(wanted(authorization) + 10_000n)
      }),
    )
  })

  test('lets twenty sweeps, twenty refunds and ninety payments with a payout share a transaction', () => {
    const { sweep, refund, largest } = USUAL_GAS
    for (const item of [sweep.item, refund]) {
      const { base, perItem } = batchGas(item)
      expect(base + 20n * perItem).toBeLessThanOrEqual(largest)
    }
    const { base, perItem, perMerchant } = paymentsGas(USUAL_GAS)
    const paidOut = perMerchant + distributionsGas(USUAL_GAS, 1)
    expect(base + 90n * perItem + paidOut).toBeLessThanOrEqual(largest)
  })

  test('has room for distributions beside payments, and for none where there is none', () => {
    const { base, perItem } = paymentsGas(USUAL_GAS)
    const used = base + 10n * perItem
    const room = USUAL_GAS.largest - 1_000_000n
    const count = distributionsBeside(USUAL_GAS, used, room)
    expect(count).toBeGreaterThan(10)
    expect(used + distributionsGas(USUAL_GAS, count)).toBeLessThanOrEqual(room)
    expect(used + distributionsGas(USUAL_GAS, count + 1)).toBeGreaterThan(room)
    expect(distributionsBeside(USUAL_GAS, room, room)).toBe(0)
    expect(distributionsBeside(USUAL_GAS, room + 1n, room)).toBe(0)
  })

  test('counts the long signatures of wallets', () => {
    const signature = 16n * 9_000n
    const given = batchGas(USUAL_GAS.walletAuthorization).perItem
    expect(walletPaymentsGas(USUAL_GAS).perItem).toBeGreaterThan(given + signature)
  })
})

describe('the figures', () => {
  test('stay as they are for tokens that cost no more than they are made for', () => {
    expect(raisedGas(USUAL_GAS, 0n)).toBe(USUAL_GAS)
    expect(raisedGas(USUAL_GAS, 160_000n)).toBe(USUAL_GAS)
  })

  test('are raised by both transfers of a sweep, and by the one of a refund', () => {
    const { sweep, distribution, refund, ...rest } = raisedGas(USUAL_GAS, 400_000n)
    const extra = 450_000n - USUAL_GAS.transfer
    for (const [raised, usual] of [
      [sweep, USUAL_GAS.sweep],
      [distribution, USUAL_GAS.distribution],
    ] as const) {
      const { item, fee, reserve } = usual
      expect(raised).toEqual({ item: item + 2n * extra, fee: fee + extra, reserve })
    }
    expect(refund).toBe(USUAL_GAS.refund + extra)
    expect(USUAL_GAS).toMatchObject(rest)
  })

  test('never ask for more than one item may have in the largest transaction', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 12n), (transfer) => {
        const { sweep, distribution, refund, largest } = raisedGas(USUAL_GAS, transfer)
        for (const item of [sweep.item, distribution.item, refund]) {
          const { base, perItem } = batchGas(item)
          expect(base + perItem).toBeLessThanOrEqual(largest)
        }
      }),
    )
  })

  test('that can not work are named', () => {
    expect(gasProblem(USUAL_GAS)).toBeNull()
    const { sweep, distribution } = USUAL_GAS
    const fees = { ...sweep, fee: sweep.item - sweep.reserve }
    expect(gasProblem({ ...USUAL_GAS, sweep: fees })).toContain('a sweep needs more gas')
    const used = { ...USUAL_GAS, authorizationUse: USUAL_GAS.authorization - 1_000n }
    expect(gasProblem(used)).toContain('is given less gas than it uses')
    const owed = { ...distribution, reserve: distribution.item }
    expect(gasProblem({ ...USUAL_GAS, distribution: owed })).toContain('a distribution needs')
    const tooLarge: readonly (keyof ChainGas)[] = [
      'refund',
      'authorization',
      'walletAuthorization',
      'permit',
      'configuration',
      'deployment',
    ]
    for (const name of tooLarge) {
      expect(gasProblem({ ...USUAL_GAS, [name]: USUAL_GAS.largest })).toContain('with one item')
    }
    expect(gasProblem({ ...USUAL_GAS, largest: 800_000n })).toContain('with one item')
  })
})
