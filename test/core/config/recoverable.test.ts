import { describe, expect, test } from 'bun:test'
import { tokenDecimals } from '../../../core/base/money.ts'
import { lowerCaseAddress } from '../../../core/chain/evm.ts'
import { tokenAt } from '../../../core/chain/registry.ts'
import { parseConfig } from '../../../core/config/processes.ts'
import { parseRegistry } from '../../../core/config/recoverable.ts'

const COMMON = {
  DATABASE_URL: 'postgres://ledger',
  REDIS_URL: 'redis://mailboxes',
  HUB_ADDRESS: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  FEE_COLLECTOR: '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
  RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:8545',
}
const DAI = '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb'
const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'

function read(tokens: string) {
  return parseConfig({ ...COMMON, RECOVERABLE_TOKENS: tokens })
}

describe('tokens that may be recovered', () => {
  test('are none, unless the operator lists them', () => {
    const parsed = parseConfig(COMMON)
    if (!parsed.ok) throw new Error(parsed.problems.join())
    expect(parsed.config.registry.flatMap(({ recoverable }) => recoverable)).toEqual([])
  })

  test('are known on their chain, whether it is active or not, and never payable', () => {
    const list = `base-sepolia:${DAI}:DAI:18, sepolia:${DAI.toLowerCase()}:xDAI:36`
    const parsed = read(list)
    if (!parsed.ok) throw new Error(parsed.problems.join())
    const { registry, chains } = parsed.config
    const token = lowerCaseAddress(DAI)
    const dai = { symbol: 'DAI', address: token, decimals: tokenDecimals(18) }
    expect(tokenAt({ networkId: 'base-sepolia', token }, registry)).toEqual(dai)
    expect(tokenAt({ networkId: 'sepolia', token }, registry)?.symbol).toBe('xDAI')
    expect(tokenAt({ networkId: 'polygon-amoy', token }, registry)).toBeUndefined()
    expect(tokenAt({ networkId: 'atlantis', token }, registry)).toBeUndefined()
    expect(chains[0]?.recoverable).toEqual([dai])
    expect(chains[0]?.tokens.map(({ symbol }) => symbol)).toEqual(['USDC', 'USDT', 'EURC'])
  })

  test('are no more once the registry has them: that is said, and all else is as it was', () => {
    const EURC = '0x808456652fdb597867f38412077A9182bf77359F'
    const parsed = read(`base-sepolia:${EURC}:EUROC:18,base-sepolia:${DAI}:DAI:18`)
    if (!parsed.ok) throw new Error(parsed.problems.join())
    const { chains, registry, warnings } = parsed.config
    expect(warnings).toEqual([
      `RECOVERABLE_TOKENS holds base-sepolia:${EURC}:EUROC:18, which the registry of Base Sepolia has: the entry is ignored, take it out`,
    ])
    expect(chains[0]?.recoverable.map(({ symbol }) => symbol)).toEqual(['DAI'])
    const found = tokenAt({ networkId: 'base-sepolia', token: lowerCaseAddress(EURC) }, registry)
    expect(found).toMatchObject({ symbol: 'EURC', decimals: tokenDecimals(6) })
  })

  test.each([
    [`base-sepolia:${DAI}:DAI`, 'write chain, address, symbol and decimals'],
    [`base-sepolia:${DAI}:DAI:18:1`, 'write chain, address, symbol and decimals'],
    [`atlantis:${DAI}:DAI:18`, 'whose chain is none of sepolia, base-sepolia'],
    [`base:${DAI}:DAI:18`, 'whose chain is none of sepolia, base-sepolia'],
    [`base-sepolia:${DAI.replace('A', 'a')}:DAI:18`, 'EIP-55 checksum'],
    [`base-sepolia:0x${'0'.repeat(40)}:ETH:18`, 'EIP-55 checksum'],
    [`base-sepolia:${USDC}:USDC:6`, 'is the USDC of Base Sepolia'],
    [`base-sepolia:${DAI}:D AI:18`, 'symbol'],
    [`base-sepolia:${DAI}::18`, 'symbol'],
    [`base-sepolia:${DAI}:DAI:-1`, 'decimals'],
    [`base-sepolia:${DAI}:DAI:37`, 'decimals'],
    [`base-sepolia:${DAI}:DAI:18,base-sepolia:${DAI}:Dai:18`, 'twice'],
  ])('are refused as %s', (list, why) => {
    const parsed = read(list)
    const problems = parsed.ok ? [] : parsed.problems
    expect(problems).toHaveLength(1)
    expect(problems[0]).toStartWith('RECOVERABLE_TOKENS holds ')
    expect(problems[0]).toContain(why)
  })

  test('are known to an operator who looks at the chains of both environments', () => {
    const parsed = parseRegistry({ RECOVERABLE_TOKENS: `base:${DAI}:DAI:18` })
    if (!parsed.ok) throw new Error(parsed.problems.join())
    const base = parsed.config.find(({ networkId }) => networkId === 'base')
    expect(base?.recoverable).toMatchObject([{ symbol: 'DAI' }])
  })
})
