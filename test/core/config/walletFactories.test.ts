import { expect, test } from 'bun:test'
import { chainsOf } from '../../../core/chain/registry.ts'
import { read } from '../../../core/config/reader.ts'
import { withWalletFactories } from '../../../core/config/walletFactories.ts'

const ADDRESS = '0x477e549693c65def39ee1e9d6af17490bd5fc0c5'
const HASH = `0x${'ab'.repeat(32)}`

function listed(text: string) {
  const parsed = read({ X402_WALLET_FACTORIES: text }, (reader) =>
    withWalletFactories(reader, chainsOf('live')),
  )
  return parsed.ok
    ? parsed.config.filter(({ walletFactories }) => walletFactories.length > 0)
    : parsed.problems
}

test('factories of wallets are listed by chain, address and the hash of their code', () => {
  expect(listed('')).toEqual([])
  expect(listed(`base:${ADDRESS}:${HASH}`)).toMatchObject([
    { networkId: 'base', walletFactories: [{ address: ADDRESS, codeHash: HASH }] },
  ])
})

test.each([
  `base-sepolia:${ADDRESS}:${HASH}`,
  `base:${ADDRESS}`,
  `base:${ADDRESS}:0xab`,
  `base:${ADDRESS}:${HASH}:1`,
  `base:0x${'0'.repeat(40)}:${HASH}`,
  `base:${ADDRESS.toUpperCase()}:${HASH}`,
])('%s is a problem', (entry) => {
  expect(listed(entry)).toEqual([expect.stringContaining('X402_WALLET_FACTORIES holds')])
})
