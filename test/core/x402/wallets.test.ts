import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Address, type Hex, lowerCaseAddress } from '../../../core/chain/evm.ts'
import {
  CODE_ITEMS_MAX,
  chooseWallets,
  findWalletProblem,
  isPayersFault,
  type WalletItem,
  walletSlots,
} from '../../../core/x402/wallets.ts'

const PER_CODE = CODE_ITEMS_MAX

function item(itemId: number, payer: number, code: number | null = payer): WalletItem {
  const payerCode: Hex | null = code === null ? null : `0x${code.toString(16).padStart(16, '0')}`
  return { itemId: BigInt(itemId), payer: addressOf(payer), payerCode }
}

function addressOf(payer: number): Address {
  return lowerCaseAddress(`0x${payer.toString(16).padStart(40, '0')}`)
}

const items = fc.array(
  fc.record({
    payer: fc.nat(12),
    code: fc.option(fc.nat(2), { nil: null }),
  }),
  { maxLength: 60 },
)

function numbered(found: readonly { payer: number; code: number | null }[], first = 0) {
  return found.map(({ payer, code }, i) => item(first + i, payer, code))
}

describe('the payments of wallets that go out together', () => {
  test('are one of each payer, the one that waits longest', () => {
    const waiting = [item(1, 1), item(2, 1), item(3, 2), item(4, 1)]
    expect(chooseWallets(waiting, [], 10)).toEqual([1n, 3n])
  })

  test('are none of a payer that has one in flight', () => {
    expect(chooseWallets([item(2, 1), item(3, 2)], [item(1, 1)], 10)).toEqual([3n])
  })

  test('are as many of one code as may be, and the others wait their turn', () => {
    const same = Array.from({ length: PER_CODE + 5 }, (_, i) => item(i, i, 7))
    const other = item(1_000, 1_000, 8)
    expect(chooseWallets([...same, other], [], 100)).toHaveLength(PER_CODE + 1)
    expect(chooseWallets([...same.slice(PER_CODE), other], same.slice(0, PER_CODE), 100)).toEqual([
      1_000n,
    ])
    expect(chooseWallets(same.slice(PER_CODE), [], 100)).toHaveLength(5)
  })

  test('share one allowance where their code is not known', () => {
    const unknown = Array.from({ length: PER_CODE + 5 }, (_, i) => item(i, i, null))
    expect(chooseWallets(unknown, [], 100)).toHaveLength(PER_CODE)
  })

  test('never exceed any limit, and leave none out that would fit', () => {
    fc.assert(
      fc.property(items, items, fc.nat(20), (waitingOf, inFlightOf, limit) => {
        const inFlight = numbered(inFlightOf.slice(0, PER_CODE))
        const waiting = numbered(waitingOf, 1_000)
        const ids = new Set(chooseWallets(waiting, inFlight, limit))
        const chosen = waiting.filter(({ itemId }) => ids.has(itemId))
        const payers = chosen.map(({ payer }) => payer)
        expect(new Set(payers).size).toBe(payers.length)
        expect(chosen.length).toBeLessThanOrEqual(limit)
        for (const one of chosen) {
          expect(inFlight.some(({ payer }) => payer === one.payer)).toBe(false)
          const same = [...chosen, ...inFlight].filter(
            ({ payerCode }) => payerCode === one.payerCode,
          )
          expect(same.length).toBeLessThanOrEqual(PER_CODE)
        }
        if (chosen.length === limit) return
        for (const one of waiting) {
          const fits =
            ![...chosen, ...inFlight].some(({ payer }) => payer === one.payer) &&
            [...chosen, ...inFlight].filter(({ payerCode }) => payerCode === one.payerCode).length <
              PER_CODE
          expect(fits).toBe(false)
        }
      }),
    )
  })
})

test('wallets never take all places of a key that has several', () => {
  expect([1, 2, 3, 8].map(walletSlots)).toEqual([1, 1, 1, 4])
})

test('a payer is not at fault for what its token or its payee did, or for our being late', () => {
  expect(isPayersFault(null)).toBe(true)
  expect(isPayersFault('insufficient_funds')).toBe(true)
  expect(isPayersFault('token_paused')).toBe(false)
  expect(isPayersFault('payee_blacklisted')).toBe(false)
  expect(isPayersFault('payment_expired')).toBe(false)
})

describe('a payer with code', () => {
  const both = { deploymentTakesThem: true, endpointTakesThem: true }
  const taken = { hasCode: true, ...both, pausedUntil: null }

  test('is taken unless something speaks against it', () => {
    expect(findWalletProblem(taken)).toBeNull()
  })

  test('is refused for good where wallets are not accepted', () => {
    const reason = 'invalid_exact_evm_payload_signature'
    const pausedUntil = new Date()
    expect(findWalletProblem({ ...taken, deploymentTakesThem: false, pausedUntil })).toMatchObject({
      reason,
      message: expect.stringContaining('here'),
    })
    expect(findWalletProblem({ ...taken, endpointTakesThem: false, pausedUntil })).toMatchObject({
      reason,
      message: expect.stringContaining('this endpoint'),
    })
  })

  test('is told until when it pauses, without its code as well', () => {
    const pausedUntil = new Date('2026-08-01T12:00:00Z')
    for (const hasCode of [true, false]) {
      expect(findWalletProblem({ ...taken, hasCode, pausedUntil })).toEqual({
        reason: 'invalid_transaction_state',
        message: expect.stringContaining('2026-08-01T12:00:00.000Z'),
      })
    }
  })

  test('that has lost it is taken where wallets are not', () => {
    const nowhere = { deploymentTakesThem: false, endpointTakesThem: false }
    expect(findWalletProblem({ ...taken, ...nowhere, hasCode: false })).toBeNull()
  })
})
