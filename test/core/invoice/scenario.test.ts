import { describe, expect, test } from 'bun:test'
import { baseUnits } from '../../../core/base/money.ts'
import { chainsOf } from '../../../core/chain/registry.ts'
import { isScenario, planScenario, type Scenario } from '../../../core/invoice/scenario.ts'
import { anInvoice, RECIPIENT } from '../../support/core/invoiceRows.ts'

const BOTH = chainsOf('sandbox').filter(({ networkId }) => /^(base-)?sepolia$/.test(networkId))
const ALL = chainsOf('sandbox')

function amounts(scenario: Scenario, chains = ALL) {
  const decision = planScenario(scenario, anInvoice(), RECIPIENT, chains)
  if (!decision.ok) return decision.message
  return decision.plan.payments.map(({ networkId, token, amount }) => [
    networkId,
    token.symbol,
    amount,
  ])
}

describe('a scenario pays', () => {
  test.each([
    ['exact', [['sepolia', 'USDC', 1_000_000n]]],
    ['partial', [['sepolia', 'USDC', 500_000n]]],
    ['over', [['sepolia', 'USDC', 1_100_000n]]],
    ['signature', [['sepolia', 'USDC', 1_000_000n]]],
    ['x402', [['sepolia', 'USDC', 1_000_000n]]],
    ['late', [['sepolia', 'USDC', 1_000_000n]]],
    ['wrong-token', [['sepolia', 'USDT', 1_000_000n]]],
    ['wrong-chain', [['polygon-amoy', 'USDC', 1_000_000n]]],
    [
      'two-chains',
      [
        ['sepolia', 'USDC', 500_000n],
        ['base-sepolia', 'USDC', 500_000n],
      ],
    ],
    ['reorganisation', [['sepolia', 'USDC', 1_000_000n]]],
    ['failed-settlement', [['sepolia', 'USDC', 1_000_000n]]],
    ['unblock-recipient', []],
  ] as const)('%s', (scenario, payments) => {
    expect<unknown>(amounts(scenario)).toEqual(payments.map((payment) => [...payment]))
  })
})

describe('a scenario can not be played', () => {
  test('without the chains that it needs', () => {
    expect(amounts('wrong-chain', BOTH)).toContain('development chain')
    expect(amounts('two-chains', BOTH.slice(0, 1))).toContain('development chain')
    expect(amounts('exact', [])).toContain('development chain')
  })

  test('without a recipient to block', () => {
    for (const scenario of ['failed-settlement', 'unblock-recipient'] as const) {
      expect(planScenario(scenario, anInvoice(), null, ALL)).toMatchObject({ ok: false })
    }
  })

  test('with an amount that has no half', () => {
    const invoice = anInvoice({ amountExpected: baseUnits(1n) })
    expect(planScenario('partial', invoice, RECIPIENT, ALL)).toMatchObject({ ok: false })
  })
})

test('only known names are scenarios', () => {
  expect(isScenario('exact')).toBe(true)
  expect(isScenario('toString')).toBe(false)
})
