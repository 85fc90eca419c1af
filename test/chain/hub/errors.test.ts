import { expect, test } from 'bun:test'
import { encodeErrorResult, parseAbi } from 'viem'
import { explainRevert, hubWaitIn } from '../../../chain/hub/errors.ts'

const ABI = parseAbi([
  'error IsStopped(uint8 what)',
  'error MerchantChangePends(bytes16 merchantId, uint64 readyAt)',
  'error RefundLimitReached(uint256 amount, uint256 room)',
  'error RegistryVersionMismatch(uint32 expected, uint32 current)',
  'error AmountIsZero()',
])

test('a refusal that passes by itself says what is waited for', () => {
  const id = `0x${'ab'.repeat(16)}` as const
  const stopped = encodeErrorResult({ abi: ABI, errorName: 'IsStopped', args: [4] })
  const pends = encodeErrorResult({ abi: ABI, errorName: 'MerchantChangePends', args: [id, 9n] })
  const limit = encodeErrorResult({ abi: ABI, errorName: 'RefundLimitReached', args: [7n, 3n] })
  expect([stopped, pends, limit].map(hubWaitIn)).toEqual([
    'stopped',
    'merchant_change',
    'refund_limit',
  ])
  expect([stopped, pends, limit].map(explainRevert)).toEqual([
    'IsStopped(4)',
    `MerchantChangePends(${id}, 9)`,
    'RefundLimitReached(7, 3)',
  ])
})

test('an item that names an older entry than the hub has waits, and one that names a newer one fails', () => {
  const mismatch = (expected: number, current: number) =>
    encodeErrorResult({ abi: ABI, errorName: 'RegistryVersionMismatch', args: [expected, current] })
  expect(hubWaitIn(mismatch(1, 2))).toBe('merchant_change')
  expect(hubWaitIn(mismatch(2, 1))).toBeNull()
})

test('any other refusal is a failure', () => {
  expect(hubWaitIn(encodeErrorResult({ abi: ABI, errorName: 'AmountIsZero' }))).toBeNull()
  expect(hubWaitIn('0x')).toBeNull()
  expect(hubWaitIn('0x12345678')).toBeNull()
})
