import { expect, test } from 'bun:test'
import { ALL_CHAINS } from '../../../core/chain/registry.ts'
import { CONTRACTS } from '../../../core/chain/tokens.ts'

test('every contract of a token is on a chain of the registry, where it is found', () => {
  const listed = Object.entries(CONTRACTS).flatMap(([symbol, places]) =>
    Object.entries(places).map(([networkId, { address }]) => [networkId, symbol, address]),
  )
  const found = ALL_CHAINS.flatMap(({ networkId, tokens }) =>
    tokens.map(({ symbol, address }) => [networkId, symbol, address]),
  )
  const inOrder = (rows: string[][]) => rows.map((row) => row.join(' ').toLowerCase()).sort()
  expect(found.length).toBeGreaterThan(15)
  expect(inOrder(listed)).toEqual(inOrder(found))
})
