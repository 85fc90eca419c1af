import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ApiRig, openRig } from '../../support/api/rig.ts'

let rig: ApiRig

beforeAll(async () => {
  rig = await openRig()
}, 120_000)

afterAll(() => rig.close())

describe('the public lists', () => {
  test('of chains has id, name, chainId and isTestnet, without envelope and key', async () => {
    const answer = await rig.call('GET', '/v1/utils/chains', { key: null })
    expect(JSON.parse(answer.text)).toEqual([
      { id: 'sepolia', name: 'Sepolia', chainId: 11155111, isTestnet: true },
      { id: 'base-sepolia', name: 'Base Sepolia', chainId: 84532, isTestnet: true },
    ])
  })

  test('of tokens has symbol, name, decimals and where they are', async () => {
    const answer = await rig.call('GET', '/v1/utils/tokens', { key: null })
    const tokens = JSON.parse(answer.text)
    expect(tokens[0]).toEqual({
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      chains: [
        { networkId: 'sepolia', address: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238' },
        { networkId: 'base-sepolia', address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e' },
      ],
    })
    expect(tokens[1]).toMatchObject({ symbol: 'USDT', name: 'Tether USD', decimals: 6 })
  })
})
