import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { encodeErrorResult, parseAbi } from 'viem'
import { classifyAnswer } from '../../../chain/broadcast.ts'
import { bumpFees, MAX_FEE_PER_GAS, offer } from '../../../chain/fees.ts'
import { explainRevert } from '../../../chain/hub/errors.ts'
import { batchLimit } from '../../../workers/relayer/assign.ts'

describe('the answer of a node to signed bytes', () => {
  const answers: readonly (readonly [answer: string, meaning: string])[] = [
    ['already known', 'accepted'],
    ['transaction already imported', 'accepted'],
    ['AlreadyKnown', 'accepted'],
    ['Known transaction', 'accepted'],
    ['nonce too low', 'nonce_too_low'],
    ['nonce too low: next nonce 5, tx nonce 4', 'nonce_too_low'],
    ['OldNonce', 'nonce_too_low'],
    ['replacement transaction underpriced', 'underpriced'],
    ['transaction underpriced: tip needed 1, tip permitted 0', 'underpriced'],
    ['max fee per gas less than block base fee', 'underpriced'],
    ['FeeTooLowToCompete', 'underpriced'],
    ['insufficient funds for gas * price + value: balance 0', 'no_funds'],
    ['Insufficient funds for gas * price + value', 'no_funds'],
    ['Upfront cost exceeds account balance', 'no_funds'],
    ['intrinsic gas too low: gas 0, minimum needed 21000', 'refused'],
    ['exceeds block gas limit', 'refused'],
    ['transaction gas limit too high (cap: 16777216, tx: 20000000)', 'refused'],
    ['oversized data', 'refused'],
    ['tx fee (1.81 ether) exceeds the configured cap (1.00 ether)', 'refused'],
    ['invalid chain id for signer', 'refused'],
    ['txpool is full', 'unknown'],
    ['internal error', 'unknown'],
    ['header not found', 'unknown'],
  ]
  for (const [answer, meaning] of answers) {
    test(`"${answer}" means ${meaning}`, () => {
      const { type }: { type: string } = classifyAnswer(answer)
      expect(type).toBe(meaning)
    })
  }
})

describe('fees', () => {
  const gwei = fc.bigInt({ min: 0n, max: 3_000_000_000_000n })

  test('are never above the limit, and the tip never above the fee', () => {
    fc.assert(
      fc.property(gwei, gwei, (baseFee, tip) => {
        const fees = offer(baseFee, tip)
        expect(fees.maxFeePerGas).toBeLessThanOrEqual(MAX_FEE_PER_GAS)
        expect(fees.maxPriorityFeePerGas).toBeLessThanOrEqual(fees.maxFeePerGas)
      }),
    )
  })

  test('of a replacement are an eighth higher in both fields, or there is none', () => {
    fc.assert(
      fc.property(gwei, gwei, gwei, gwei, (base, tip, laterBase, laterTip) => {
        const before = offer(base, tip)
        const now = offer(laterBase, laterTip)
        const bumped = bumpFees(before, now)
        if (bumped === null) return
        expect(bumped.maxFeePerGas * 8n).toBeGreaterThanOrEqual(before.maxFeePerGas * 9n)
        expect(bumped.maxPriorityFeePerGas * 8n).toBeGreaterThanOrEqual(
          before.maxPriorityFeePerGas * 9n,
        )
        expect(bumped.maxPriorityFeePerGas).toBeLessThanOrEqual(bumped.maxFeePerGas)
        expect(bumped.maxFeePerGas).toBeLessThanOrEqual(now.maxFeePerGas * 5n)
      }),
    )
  })
})

describe('a failure event', () => {
  const abi = parseAbi([
    'error Error(string message)',
    'error FeeAboveCap(uint256 fee, uint256 cap)',
  ])

  test("passes the token's own words on", () => {
    const args = ['Blacklistable: account is blacklisted'] as const
    const data = encodeErrorResult({ abi, errorName: 'Error', args })
    expect(explainRevert(data)).toBe('Blacklistable: account is blacklisted')
  })

  test("names the hub's error with both values", () => {
    const data = encodeErrorResult({ abi, errorName: 'FeeAboveCap', args: [7n, 5n] })
    expect(explainRevert(data)).toBe('FeeAboveCap(7, 5)')
  })

  test('with data that nobody knows, or that was clipped, is shown as it is', () => {
    expect(explainRevert('0x')).toBe('the call failed without a reason')
    expect(explainRevert('0xdeadbeef')).toBe('revert data 0xdeadbeef')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(explainRevert(`0x${bytes.toHex()}`).length).toBeGreaterThan(0)
      }),
    )
  })
})

test('a batch stays below the gas that one transaction may have', () => {
  expect(batchLimit('sweep', 100, 30_000_000n)).toBe(100)
  expect(batchLimit('sweep', 500, 30_000_000n)).toBeLessThanOrEqual(109)
  expect(batchLimit('sweep', 100, 1_000_000n)).toBe(4)
  expect(batchLimit('sweep', 100, 400_000n)).toBe(0)
})
