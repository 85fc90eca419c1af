import { describe, expect, test } from 'bun:test'
import {
  hasConfirmations,
  isFinal,
  newestConfirmed,
  newestFinal,
} from '../../../core/chain/depth.ts'

describe('a block', () => {
  test('has exactly so many confirmations as there are blocks from it to the head', () => {
    expect(hasConfirmations(98n, 100n, 3)).toBe(true)
    expect(hasConfirmations(98n, 100n, 4)).toBe(false)
  })

  test('gets the last one that is asked for with the block that brings it', () => {
    expect(hasConfirmations(98n, 99n, 3)).toBe(false)
    expect(hasConfirmations(98n, 100n, 3)).toBe(true)
    expect(hasConfirmations(98n, 101n, 3)).toBe(true)
  })

  test('has one confirmation as soon as it is the head, and none above it', () => {
    expect(hasConfirmations(100n, 100n, 1)).toBe(true)
    expect(hasConfirmations(101n, 100n, 1)).toBe(false)
  })

  test('is final one block below the depth of reorganisations', () => {
    expect(isFinal(70n, 100n, 30)).toBe(true)
    expect(isFinal(71n, 100n, 30)).toBe(false)
    expect(isFinal(100n, 100n, 0)).toBe(true)
    expect(isFinal(101n, 100n, 0)).toBe(false)
  })
})

describe('the newest block with so many confirmations', () => {
  test('is the head when one is enough', () => {
    expect(newestConfirmed(100n, 1)).toBe(100n)
    expect(newestFinal(100n, 0)).toBe(100n)
  })

  test('is negative on a chain that is too short', () => {
    expect(newestConfirmed(2n, 3)).toBe(0n)
    expect(newestConfirmed(1n, 3)).toBe(-1n)
    expect(newestFinal(29n, 30)).toBe(-1n)
  })

  test('is not asked for with fewer than one', () => {
    expect(() => newestConfirmed(100n, 0)).toThrow(RangeError)
    expect(() => hasConfirmations(100n, 100n, 0)).toThrow(RangeError)
    expect(() => newestFinal(100n, -1)).toThrow(RangeError)
  })
})
