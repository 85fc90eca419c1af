import { describe, expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import { hasRetry, isReplanned, retriedFailure, retryPause } from '../../../core/invoice/retries.ts'
import type { Settlement } from '../../../core/invoice/state.ts'
import { aSettlement } from '../../support/core/invoiceRows.ts'

function aRound(round: number, change: Partial<Settlement> = {}): Settlement {
  return aSettlement(100n, 5n, { round, status: 'failed', leave: baseUnits(7n), ...change })
}

describe('a sweep that moved nothing is planned again', () => {
  const CASES: readonly (readonly [
    expected: boolean,
    deploys: boolean,
    error: string | null,
    isDeployed: boolean,
  ])[] = [
    [true, true, 'DepositLeavesLess', false],
    [true, false, 'DepositLeavesLess', true],
    [true, false, 'FeeNotAvailable', true],
    // Another party has created the contract, or it is not there yet: the flag was wrong.
    [true, true, null, true],
    [true, false, null, false],
    [false, true, null, false],
    [false, false, 'DepositHoldsLess', true],
    [false, true, 'TransferRefused', false],
  ]
  for (const [expected, deploys, error, isDeployed] of CASES) {
    const flag = deploys ? 'deploying' : 'not deploying'
    const seen = isDeployed ? 'there' : 'not there'
    test(`${expected}: ${flag}, ${error ?? 'for no known reason'}, the contract is ${seen}`, () => {
      expect(isReplanned([], aRound(1, { deploys }), { error, isDeployed })).toBe(expected)
    })
  }

  test('twice with the same figures, and no third time: then it has failed', () => {
    const refusal = { error: 'DepositLeavesLess', isDeployed: false }
    const before = [aRound(1, { replanned: true }), aRound(2, { replanned: true })]
    expect(isReplanned(before.slice(0, 1), aRound(2), refusal)).toBe(true)
    expect(isReplanned(before, aRound(3), refusal)).toBe(false)
    const other = { leave: baseUnits(6n) }
    expect(isReplanned(before, aRound(3, other), refusal)).toBe(true)
    const between = [aRound(1, { replanned: true }), aRound(2, { replanned: true, ...other })]
    expect(isReplanned(between, aRound(3), refusal)).toBe(true)
    const elsewhere = before.map((s) => ({ ...s, networkId: 'polygon' }))
    expect(isReplanned(elsewhere, aRound(3), refusal)).toBe(true)
  })
})

describe('a planned sweep waits', () => {
  test('longer after each round that failed on its chain', () => {
    const failed = [1, 2, 3].map((round) => aRound(round))
    const pauses = [0, 1, 2, 3].map((n) => retryPause(failed.slice(0, n), aRound(n + 1)))
    expect(pauses).toEqual([0, 15_000, 60_000, 60_000])
    expect(retryPause(failed, aRound(4, { networkId: 'polygon' }))).toBe(0)
  })

  test('not at all for figures that have changed, and longer for the same ones', () => {
    const replanned = [1, 2].map((round) => aRound(round, { replanned: true }))
    expect(retryPause(replanned.slice(0, 1), aRound(2))).toBe(15_000)
    expect(retryPause(replanned, aRound(3))).toBe(60_000)
    expect(retryPause(replanned, aRound(3, { deploys: false }))).toBe(0)
  })
})

describe('a settlement is being tried again', () => {
  const failed = aRound(1, { error: 'the first words' })
  const again = aRound(2, { error: 'the last words' })
  const open = aRound(3, { status: 'open' })
  const errorOf = (rounds: readonly Settlement[], settlementState: 'none' | 'due' | 'failed') =>
    retriedFailure({ settlementState }, rounds)?.error ?? null

  test('from its first failure on, with the newest words of the chain', () => {
    expect(errorOf([failed], 'due')).toBe('the first words')
    expect(errorOf([failed, aRound(2, { status: 'open' })], 'none')).toBe('the first words')
    expect(errorOf([failed, again, open], 'none')).toBe('the last words')
  })

  test('until it has moved, and not while it pauses or nothing is left to move', () => {
    expect(errorOf([failed, aRound(2, { status: 'mined' })], 'none')).toBeNull()
    expect(errorOf([failed, aRound(2, { status: 'confirmed' })], 'due')).toBeNull()
    expect(errorOf([failed, again], 'failed')).toBeNull()
    expect(errorOf([failed], 'none')).toBeNull()
    expect(errorOf([], 'due')).toBeNull()
  })

  test('not for a round that was planned again, nor by a sweep of another deposit', () => {
    expect(
      errorOf([aRound(1, { replanned: true }), aRound(2, { status: 'open' })], 'none'),
    ).toBeNull()
    expect(
      errorOf([failed, aRound(2, { status: 'open', networkId: 'polygon' })], 'none'),
    ).toBeNull()
  })

  test('which is told when the round directly after a failure is planned', () => {
    expect(hasRetry([failed], [aRound(2)])).toBe(true)
    expect(hasRetry([failed, aRound(2, { replanned: true })], [aRound(3)])).toBe(false)
    expect(hasRetry([failed], [aRound(2, { networkId: 'polygon' })])).toBe(false)
    expect(hasRetry([], [aRound(1)])).toBe(false)
  })
})
