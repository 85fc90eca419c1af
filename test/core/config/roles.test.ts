import { describe, expect, test } from 'bun:test'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { type Roles, roleProblems } from '../../../core/config/roles.ts'

const DEVELOPMENT = lowerCaseAddress('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')

function address(last: number): Address {
  return lowerCaseAddress(`0x${last.toString(16).padStart(40, '0')}`)
}

function roles(change: Partial<Roles> = {}): Roles {
  return {
    owner: address(1),
    feeCollector: address(2),
    configSigner: address(3),
    refundSigner: address(4),
    guardian: null,
    relayers: [address(5), address(6)],
    ...change,
  }
}

describe('roles', () => {
  test('with an account each are fine in both environments', () => {
    expect(roleProblems(roles(), 'live')).toEqual([])
    expect(roleProblems(roles(), 'sandbox')).toEqual([])
  })

  test.each([
    ['CONFIG_SIGNER_KEY', 'HUB_OWNER', { configSigner: address(1) }],
    ['CONFIG_SIGNER_KEY', 'FEE_COLLECTOR', { configSigner: address(2) }],
    ['REFUND_SIGNER_KEY', 'CONFIG_SIGNER_KEY', { refundSigner: address(3) }],
    ['RELAYER_KEYS', 'HUB_OWNER', { relayers: [address(5), address(1)] }],
    ['RELAYER_KEYS', 'REFUND_SIGNER_KEY', { relayers: [address(4)] }],
  ])('%s and %s must not be one account', (one, other, change) => {
    const [problem, ...more] = roleProblems(roles(change), 'sandbox')
    expect(problem).toContain(`${one} and ${other} are the same account`)
    expect(more).toEqual([])
  })

  test('of owner and fee collector may be one account', () => {
    expect(roleProblems(roles({ feeCollector: address(1) }), 'live')).toEqual([])
  })

  test('may share relayers between chains', () => {
    expect(roleProblems(roles({ relayers: [address(5), address(5)] }), 'live')).toEqual([])
  })

  test.each([
    ['HUB_OWNER', { owner: DEVELOPMENT }],
    ['FEE_COLLECTOR', { feeCollector: DEVELOPMENT }],
    ['CONFIG_SIGNER_KEY', { configSigner: DEVELOPMENT }],
    ['REFUND_SIGNER_KEY', { refundSigner: DEVELOPMENT }],
    ['RELAYER_KEYS', { relayers: [DEVELOPMENT] }],
  ] as const)('refuse a well-known development account as %s in live only', (name, change) => {
    const problems = roleProblems(roles(change), 'live')
    expect(problems).toEqual([
      `${name} is the well-known development account ${DEVELOPMENT}, which live refuses`,
    ])
    expect(roleProblems(roles(change), 'sandbox')).toEqual([])
  })
})
