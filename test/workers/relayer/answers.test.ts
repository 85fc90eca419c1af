import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { encodeErrorResult, parseAbi } from 'viem'
import { explainRevert } from '../../../chain/hub/errors.ts'
import { classifyAnswer } from '../../../chain/transactions/broadcast.ts'
import { bumpFees, clampFees, offer } from '../../../chain/transactions/fees.ts'
import { batchGas, MAX_FEE_PER_GAS, USUAL_GAS } from '../../../core/chain/gas.ts'
import { batchSize } from '../../../workers/relayer/assign.ts'

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

  test('of a replacement are an eighth higher in both fields and within the most, or there is none', () => {
    fc.assert(
      fc.property(gwei, gwei, gwei, gwei, gwei, (base, tip, laterBase, laterTip, most) => {
        const before = offer(base, tip)
        const now = offer(laterBase, laterTip)
        const bump = bumpFees(before, now, most)
        if (bump.type !== 'fees') return
        const { maxFeePerGas, maxPriorityFeePerGas } = bump.fees
        expect(maxFeePerGas * 8n).toBeGreaterThanOrEqual(before.maxFeePerGas * 9n)
        expect(maxPriorityFeePerGas * 8n).toBeGreaterThanOrEqual(before.maxPriorityFeePerGas * 9n)
        expect(maxPriorityFeePerGas).toBeLessThanOrEqual(maxFeePerGas)
        expect(maxFeePerGas).toBeLessThanOrEqual(now.maxFeePerGas * 5n)
        expect(maxFeePerGas).toBeLessThanOrEqual(most)
      }),
    )
  })

  test('of a replacement are clamped rather than not offered', () => {
    const before = { maxFeePerGas: 80n, maxPriorityFeePerGas: 8n }
    const now = { maxFeePerGas: 200n, maxPriorityFeePerGas: 8n }
    const fees = { maxFeePerGas: 120n, maxPriorityFeePerGas: 10n }
    expect(bumpFees(before, now, 120n)).toEqual({ type: 'fees', fees })
    expect(bumpFees(before, now, 90n)).toEqual({ type: 'capped' })
    expect(bumpFees(before, { ...now, maxFeePerGas: 10n }, 120n)).toEqual({ type: 'enough' })
  })

  test('are clamped to the most while that outlasts a full block', () => {
    const fees = { maxFeePerGas: 210n, maxPriorityFeePerGas: 10n }
    expect(clampFees(fees, 100n, 300n)).toEqual(fees)
    expect(clampFees(fees, 100n, 130n)).toEqual({ ...fees, maxFeePerGas: 130n })
    expect(clampFees(fees, 100n, 120n)).toBeNull()
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

  test('with data that no one knows, or that was clipped, is shown as it is', () => {
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
  const batch = batchGas(USUAL_GAS.sweep.item)
  const four = batch.base + 4n * batch.perItem
  expect(batchSize(batch, { items: 100, gas: four })).toBe(4)
  expect(batchSize(batch, { items: 100, gas: four - 1n })).toBe(3)
  expect(batchSize(batch, { items: 3, gas: four })).toBe(3)
  expect(batchSize(batch, { items: 100, gas: batch.perItem })).toBe(0)
  expect(batchSize(batch, { items: 100, gas: 0n })).toBe(0)
})
