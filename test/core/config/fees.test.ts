import { expect, test } from 'bun:test'
import { chainsOf } from '../../../core/chain/registry.ts'
import { feeLimits } from '../../../core/config/fees.ts'
import { read } from '../../../core/config/reader.ts'

const GWEI = 10n ** 9n

function limitsOf(networkId: string, variables: Record<string, string> = {}) {
  const chain = chainsOf('live').find((one) => one.networkId === networkId)
  if (chain === undefined) throw new Error(`there is no ${networkId}`)
  return read(variables, (reader) => feeLimits(reader, chain, networkId.toUpperCase()))
}

test('fees have the limits of the registry', () => {
  const base = { minTip: 1_000_000n, maxFeePerGas: 5_000n * GWEI, txFeeMax: 10n ** 18n }
  expect(limitsOf('base')).toMatchObject({ ok: true, config: base })
  const polygon = { minTip: 25n * GWEI, txFeeMax: 5n * 10n ** 18n }
  expect(limitsOf('polygon')).toMatchObject({ ok: true, config: polygon })
})

test('or those that the operator sets', () => {
  const variables = { MIN_TIP_GWEI_BASE: '0.05', MAX_FEE_GWEI_BASE: '2.5', MAX_TX_FEE_BASE: '0.01' }
  const config = { minTip: GWEI / 20n, maxFeePerGas: (5n * GWEI) / 2n, txFeeMax: 10n ** 16n }
  expect(limitsOf('base', variables)).toMatchObject({ ok: true, config })
})

test.each([
  { MAX_FEE_GWEI_BASE: '0' },
  { MAX_FEE_GWEI_BASE: '5001' },
  { MIN_TIP_GWEI_BASE: '3', MAX_FEE_GWEI_BASE: '2' },
  { MAX_TX_FEE_BASE: '0' },
  { MIN_TIP_GWEI_BASE: '-1' },
  { MAX_TX_FEE_BASE: 'much' },
])('%o is a problem', (variables) => {
  expect(limitsOf('base', variables).ok).toBe(false)
})
