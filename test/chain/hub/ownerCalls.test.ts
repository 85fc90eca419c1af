import { describe, expect, test } from 'bun:test'
import { ownerCallWords, readOwnerCall } from '../../../chain/hub/ownerCalls.ts'
import { UNLIMITED } from '../../../chain/hub/setup.ts'
import { checksumAddress, lowerCaseAddress, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { ALL_CHAINS, tokenNamed, tokensOf } from '../../../core/chain/registry.ts'
import { calldata } from '../../support/hub/governance.ts'

const chain = ALL_CHAINS.find(({ networkId }) => networkId === 'base')
if (chain === undefined) throw new Error('the registry has no base')
const tokens = tokensOf(chain)
const USDC = tokenNamed(chain, 'USDC').address
const SOME = lowerCaseAddress(`0x${'ab'.repeat(20)}`)
const some = checksumAddress(SOME)
const MERCHANT = `0x${'0a'.repeat(16)}` as const
const CONFIG = { merchantId: MERCHANT, treasury: SOME, feeBps: 50, feeCap: 5_000_000, version: 7 }

type Call = Parameters<typeof calldata>[0]

const WORDS: readonly [words: string, call: Call][] = [
  [`set-config-signer ${some}`, { functionName: 'setConfigSigner', args: [SOME] }],
  ['set-refund-signer nobody', { functionName: 'setRefundSigner', args: [ZERO_ADDRESS] }],
  [`set-guardian ${some}`, { functionName: 'setGuardian', args: [SOME] }],
  [`set-fee-collector ${some}`, { functionName: 'setFeeCollector', args: [SOME] }],
  [`transfer-ownership ${some}`, { functionName: 'transferOwnership', args: [SOME] }],
  [`add-operator ${some}`, { functionName: 'setOperator', args: [SOME, true] }],
  [`remove-operator ${some}`, { functionName: 'setOperator', args: [SOME, false] }],
  ['set-token USDC --limit 0.5', { functionName: 'setToken', args: [USDC, true, 6, 500_000n] }],
  [
    'set-token USDC --limit unlimited --unlisted',
    { functionName: 'setToken', args: [USDC, false, 6, UNLIMITED] },
  ],
  [
    `set-token ${some} --limit 1 --decimals 18`,
    { functionName: 'setToken', args: [SOME, true, 18, 10n ** 18n] },
  ],
  [
    `set-token ${checksumAddress(USDC)} --limit 100 --decimals 2`,
    { functionName: 'setToken', args: [USDC, true, 2, 10_000n] },
  ],
  ['set-delays --owner 48h --config 90s', { functionName: 'setDelays', args: [172_800, 90] }],
  [
    `set-merchant 0a0a0a0a-0a0a-0a0a-0a0a-0a0a0a0a0a0a --treasury ${some} --fee-bps 50 --fee-cap 5 --version 7`,
    { functionName: 'setMerchant', args: [CONFIG] },
  ],
  [
    `recover ETH --from ${some} --to ${some} --amount 1`,
    { functionName: 'recover', args: [SOME, ZERO_ADDRESS, SOME, 10n ** 18n] },
  ],
  [
    `recover ${some} --from ${some} --to ${some} --amount 3units`,
    { functionName: 'recover', args: [SOME, SOME, SOME, 3n] },
  ],
  [
    `recover-call ${some} --target ${some} --data 0x1234`,
    { functionName: 'recoverCall', args: [SOME, SOME, '0x1234'] },
  ],
]

test.each(WORDS)('a proposal reads "%s"', (words, call) => {
  expect(readOwnerCall(calldata(call), tokens)?.words).toBe(words)
})

test('what is no call that can be proposed is shown as it is', () => {
  const stop = calldata({ functionName: 'stop', args: [1] })
  for (const data of [stop, '0x', '0xdeadbeef', '0x1234'] as const) {
    expect(readOwnerCall(data, tokens)).toBeNull()
    expect(ownerCallWords(data, tokens)).toContain(data)
  }
})

describe('power is added', () => {
  const current = {
    guardian: SOME,
    ownerDelay: 172_800n,
    configDelay: 86_400n,
    token: { listed: true, decimals: 6, refundLimit: 1_000n },
  }
  const adds = (call: Call, terms = current) => readOwnerCall(calldata(call), tokens)?.adds(terms)

  test('by an appointment, and taken away by a dismissal', () => {
    for (const functionName of [
      'setConfigSigner',
      'setRefundSigner',
      'transferOwnership',
    ] as const) {
      expect(adds({ functionName, args: [SOME] })).toBe(true)
      expect(adds({ functionName, args: [ZERO_ADDRESS] })).toBe(false)
    }
    expect(adds({ functionName: 'setOperator', args: [SOME, true] })).toBe(true)
    expect(adds({ functionName: 'setOperator', args: [SOME, false] })).toBe(false)
  })

  test('by another guardian, unless there is none', () => {
    const call = { functionName: 'setGuardian', args: [ZERO_ADDRESS] } as const
    expect(adds(call)).toBe(true)
    expect(adds(call, { ...current, guardian: ZERO_ADDRESS })).toBe(false)
  })

  test('by a token on the list, more room, or other decimals', () => {
    const setToken = (listed: boolean, decimals: number, limit: bigint, token = current.token) =>
      adds(
        { functionName: 'setToken', args: [USDC, listed, decimals, limit] },
        { ...current, token },
      )
    expect(setToken(true, 6, 1_000n)).toBe(false)
    expect(setToken(false, 6, 0n)).toBe(false)
    expect(setToken(true, 6, 1_001n)).toBe(true)
    expect(setToken(true, 7, 1_000n)).toBe(true)
    const unlisted = { ...current.token, listed: false }
    expect(setToken(true, 6, 1_000n, unlisted)).toBe(true)
    expect(setToken(false, 6, 1_000n, unlisted)).toBe(false)
  })

  test('by a shorter delay', () => {
    const setDelays = (owner: number, config: number) =>
      adds({ functionName: 'setDelays', args: [owner, config] })
    expect(setDelays(172_800, 86_400)).toBe(false)
    expect(setDelays(172_799, 99_999)).toBe(true)
    expect(setDelays(999_999, 86_399)).toBe(true)
  })

  test('by all that moves money or treasuries', () => {
    const moves: Call[] = [
      { functionName: 'setFeeCollector', args: [SOME] },
      { functionName: 'setMerchant', args: [CONFIG] },
      { functionName: 'recover', args: [SOME, USDC, SOME, 1n] },
      { functionName: 'recoverCall', args: [SOME, SOME, '0x'] },
    ]
    for (const call of moves) expect(adds(call)).toBe(true)
  })
})
