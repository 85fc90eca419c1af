import { describe, expect, test } from 'bun:test'
import { currenciesOf, following, offering, optionalTokens } from '../../../core/chain/offered.ts'
import { ALL_CHAINS, chainsOf, tokenOn, tokensOf } from '../../../core/chain/registry.ts'
import { tokenDomain } from '../../../core/x402/digest.ts'

const LIVE = chainsOf('live')
const places = optionalTokens(LIVE).map(({ chain: { networkId }, token: { address: token } }) => ({
  ...{ networkId, token },
}))
const symbols = (chains: typeof LIVE) =>
  Object.fromEntries(chains.map((chain) => [chain.networkId, chain.tokens.map((t) => t.symbol)]))

describe('optional tokens', () => {
  test('are EURC, where its issuer has it', () => {
    const found = optionalTokens(ALL_CHAINS).map(({ chain, token }) => [
      chain.networkId,
      token.symbol,
      token.address,
    ])
    expect(found).toEqual([
      ['ethereum', 'EURC', '0x1abaea1f7c830bd89acc67ec4af516284b1bc33c'],
      ['base', 'EURC', '0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42'],
      ['base-sepolia', 'EURC', '0x808456652fdb597867f38412077a9182bf77359f'],
    ])
  })

  test('are offered nowhere unless it is said, and recorded and refunded all the same', () => {
    const [ethereum, base] = offering(LIVE, [])
    expect([ethereum, base].map((chain) => chain?.tokens.map(({ symbol }) => symbol))).toEqual([
      ['USDC', 'USDT'],
      ['USDC'],
    ])
    expect(base?.recoverable.map(({ symbol }) => symbol)).toEqual(['EURC'])
    expect(base && tokensOf(base).map(({ symbol }) => symbol)).toEqual(['USDC', 'EURC', 'ETH'])
    expect(currenciesOf(offering(LIVE, []))).toEqual(['USD'])
  })

  test('are offered on the chains that are named alone, in the order of the registry', () => {
    const onBase = places.filter(({ networkId }) => networkId === 'base')
    expect(symbols(following(LIVE, onBase))).toEqual({
      ethereum: ['USDC', 'USDT'],
      base: ['USDC', 'EURC'],
      polygon: ['USDC', 'USDT'],
      avalanche: ['USDC'],
      arbitrum: ['USDC'],
    })
    expect(currenciesOf(following(LIVE, onBase))).toEqual(['USD', 'EUR'])
  })

  test('take authorizations in the domain that was read, and in none before', () => {
    const [place] = places
    if (place === undefined) throw new Error('there are some')
    const domainIn = (eip712: { name: string; version: string } | null) => {
      const [ethereum] = offering(LIVE, [{ ...place, eip712 }])
      const token = ethereum && tokenOn(ethereum, 'EURC')
      return ethereum && token && tokenDomain(ethereum, token.address)
    }
    expect(domainIn(null)).toBeNull()
    const eip712 = { name: 'EURC', version: '2' }
    const contract = { chainId: 1, verifyingContract: place.token }
    expect(domainIn(eip712)).toEqual({ ...eip712, ...contract })
  })
})
