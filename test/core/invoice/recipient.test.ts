import { expect, test } from 'bun:test'
import { tokenDecimals } from '../../../core/base/money.ts'
import { type Address, lowerCaseAddress, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { ALL_CHAINS, type Chain } from '../../../core/chain/registry.ts'
import { forwarderImplementation } from '../../../core/hub/deposit.ts'
import { parseRecipient } from '../../../core/invoice/recipient.ts'
import { RECIPIENT } from '../../support/core/invoiceRows.ts'

const HUB = lowerCaseAddress('0x5fbdb2315678afecb367f032d93f642f64180aa3')
const LISTED = lowerCaseAddress('0x6b175474e89094c44da98b954eedeac495271d0f')

/** Why a recipient is refused; null when it isn't. */
function problem(text: string, chains: readonly Chain[] = []): string | null {
  const verdict = parseRecipient(text, HUB, chains)
  return verdict.ok ? null : verdict.message
}

function chainThatLists(address: Address): Chain {
  const [chain] = ALL_CHAINS
  if (chain === undefined) throw new Error('the registry is empty')
  return { ...chain, recoverable: [{ symbol: 'DAI', address, decimals: tokenDecimals(18) }] }
}

test('a recipient is any address that can use the money', () => {
  expect(parseRecipient(RECIPIENT, HUB)).toEqual({ ok: true, address: RECIPIENT })
  expect(problem('0x123')).toContain('must be an EVM address')
  expect(problem(ZERO_ADDRESS)).toContain('zero address')
  expect(problem(HUB)).toContain('settlement contract')
  expect(problem(forwarderImplementation(HUB))).toContain('settlement contract')
})

test('a recipient is no token, whether of the registry or listed by the operator', () => {
  for (const token of ALL_CHAINS.flatMap((chain) => chain.tokens)) {
    expect(problem(token.address)).toBe('must not be a token contract')
  }
  expect(problem(LISTED)).toBeNull()
  expect(problem(LISTED, [chainThatLists(LISTED)])).toBe('must not be a token contract')
  expect(problem(RECIPIENT, [chainThatLists(LISTED)])).toBeNull()
})
