import { describe, expect, test } from 'bun:test'
import { USUAL_GAS } from '../../../core/chain/gas.ts'
import { chainGas } from '../../../core/config/gas.ts'
import { read, type Variables } from '../../../core/config/reader.ts'

function gas(variables: Variables) {
  return read(variables, (reader) => chainGas(reader, USUAL_GAS, 'BASE'))
}

describe("a chain's figures of gas", () => {
  test('are the usual ones', () => {
    expect(gas({})).toEqual({ ok: true, config: USUAL_GAS })
  })

  test('are each of them what the operator has set for that chain', () => {
    const names = {
      GAS_SWEEP_BASE: ['sweep', 'item'],
      GAS_SWEEP_FEE_BASE: ['sweep', 'fee'],
      GAS_SWEEP_RESERVE_BASE: ['sweep', 'reserve'],
      GAS_DISTRIBUTION_BASE: ['distribution', 'item'],
      GAS_DISTRIBUTION_FEE_BASE: ['distribution', 'fee'],
      GAS_DISTRIBUTION_RESERVE_BASE: ['distribution', 'reserve'],
      GAS_REFUND_BASE: ['refund'],
      GAS_AUTHORIZATION_BASE: ['authorization'],
      GAS_AUTHORIZATION_USE_BASE: ['authorizationUse'],
      GAS_NEW_BALANCE_BASE: ['newBalance'],
      GAS_WALLET_AUTHORIZATION_BASE: ['walletAuthorization'],
      GAS_PERMIT_BASE: ['permit'],
      GAS_CONFIGURATION_BASE: ['configuration'],
      GAS_DEPLOYMENT_BASE: ['deployment'],
      GAS_TRANSFER_BASE: ['transfer'],
    }
    for (const [name, path] of Object.entries(names)) {
      const value = /FEE|RESERVE|USE|NEW/.test(name) ? 125_000 : 900_000
      const parsed = gas({ [name]: `${value}`, GAS_SWEEP_SEPOLIA: '1000000' })
      if (!parsed.ok) throw new Error(parsed.problems.join())
      expect(parsed.config).toHaveProperty(path, BigInt(value))
      expect(parsed.config).not.toEqual(USUAL_GAS)
    }
    expect(gas({ GAS_TRANSACTION_BASE: '30000000' })).toMatchObject({
      config: { largest: 30_000_000n },
    })
  })

  test('are refused when no transaction could have them, or when they are none', () => {
    expect(gas({ GAS_TRANSACTION_BASE: '500000' })).toMatchObject({
      problems: [expect.stringContaining("GAS_*_BASE can't work")],
    })
    expect(gas({ GAS_REFUND_BASE: '20999' })).toMatchObject({
      problems: ['GAS_REFUND_BASE must be a whole number, 21000 to 1000000000'],
    })
  })
})
