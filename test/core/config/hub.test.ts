import { describe, expect, test } from 'bun:test'
import { lowerCaseAddress, ZERO_ADDRESS } from '../../../core/chain/evm.ts'
import { parseHubConfig } from '../../../core/config/hub.ts'
import type { Variables } from '../../../core/config/reader.ts'

const OWNER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const COLLECTOR = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'
const SIGNER = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65'
const HUB = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
/** The private key 1, whose address is well known. */
const KEY = `0x${'1'.padStart(64, '0')}` as const
const KEY_ADDRESS = lowerCaseAddress('0x7e5f4552091a69125d5dfcb7b8c2659029395bdf')
const OTHER_KEY = `0x${'2'.padStart(64, '0')}` as const
const OTHER_ADDRESS = lowerCaseAddress('0x2b5ad5c4795c026514f8317c7a215e218dccd6cf')

const VARIABLES: Variables = {
  RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:8545',
  HUB_OWNER: OWNER,
  FEE_COLLECTOR: COLLECTOR,
  CONFIG_SIGNER: SIGNER,
  REFUND_SIGNER_KEY: OTHER_KEY,
}

function config(change: Variables = {}) {
  const parsed = parseHubConfig({ ...VARIABLES, ...change }, 'base-sepolia')
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  return parsed.config
}

function problems(change: Variables, networkId = 'base-sepolia'): readonly string[] {
  const parsed = parseHubConfig({ ...VARIABLES, ...change }, networkId)
  return parsed.ok ? [] : parsed.problems
}

describe('the roles of a hub', () => {
  test('are addresses, given as such or by their keys', () => {
    expect(config().roles).toEqual({
      owner: lowerCaseAddress(OWNER),
      feeCollector: lowerCaseAddress(COLLECTOR),
      configSigner: lowerCaseAddress(SIGNER),
      refundSigner: OTHER_ADDRESS,
      guardian: null,
      relayers: [],
    })
  })

  test('have the owner that is named, or else the one of the key', () => {
    const byKey = { HUB_OWNER: undefined, HUB_OWNER_KEY: KEY }
    expect(config(byKey).roles.owner).toBe(KEY_ADDRESS)
    expect(config({ HUB_OWNER_KEY: KEY }).roles.owner).toBe(lowerCaseAddress(OWNER))
    expect(problems({ HUB_OWNER: undefined }).join()).toContain('HUB_OWNER')
  })

  test("have the chain's own relayers, or else those of all chains", () => {
    expect(config({ RELAYER_KEYS: KEY }).roles.relayers).toEqual([KEY_ADDRESS])
    const both = { RELAYER_KEYS: KEY, RELAYER_KEYS_BASE_SEPOLIA: OTHER_KEY }
    expect(config(both).roles.relayers).toEqual([OTHER_ADDRESS])
  })

  test('lack a signer that has neither address nor key', () => {
    const missing = problems({ CONFIG_SIGNER: undefined })
    expect(missing).toEqual([
      'CONFIG_SIGNER is missing: set its address, or its private key as CONFIG_SIGNER_KEY',
    ])
    // A key that can't be read is told once.
    const broken = problems({ CONFIG_SIGNER: undefined, CONFIG_SIGNER_KEY: '0x12' })
    expect(broken).toHaveLength(1)
    expect(broken.join()).not.toContain('missing')
  })
})

describe('a hub', () => {
  test('has an address where one is set', () => {
    expect(config().hub).toBeNull()
    expect(config({ HUB_ADDRESS: HUB }).hub).toBe(lowerCaseAddress(HUB))
    expect(config({ HUB_ADDRESS: HUB }).hub).not.toBe(ZERO_ADDRESS)
  })

  test("is paid for by the deployer's key, or else by the owner's", () => {
    expect(config()).toMatchObject({ ownerKey: null, deployerKey: null })
    expect(config({ HUB_OWNER_KEY: KEY })).toMatchObject({ ownerKey: KEY, deployerKey: KEY })
    const both = { HUB_OWNER_KEY: KEY, HUB_DEPLOYER_KEY: OTHER_KEY }
    expect(config(both)).toMatchObject({ ownerKey: KEY, deployerKey: OTHER_KEY })
  })

  test('is on a chain of the environment that is switched on', () => {
    expect(config({ RPC_URL_SEPOLIA: 'http://127.0.0.1:1' }).chain.networkId).toBe('base-sepolia')
    expect(problems({}, 'sepolia')).toEqual([
      'sepolia is not switched on: set RPC_URL_SEPOLIA to the URL of a node',
    ])
    expect(problems({}, 'base')).toEqual([
      expect.stringContaining('base is not a chain of the sandbox registry'),
    ])
  })
})

describe('the refund limits of a hub', () => {
  const DAI = '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb'
  const recoverable = { RECOVERABLE_TOKENS: `base-sepolia:${DAI}:DAI.e:18,sepolia:${DAI}:xDAI:18` }
  const limits = (change: Variables) =>
    config(change).terms.tokens.map(({ symbol, refundLimit }) => [symbol, refundLimit])

  test('are small for all that may be refunded on the chain, unless told otherwise', () => {
    expect(limits(recoverable)).toEqual([
      ['USDC', 1_000_000_000n],
      ['USDT', 1_000_000_000n],
      ['EURC', 1_000_000_000n],
      ['DAI.e', 100n * 10n ** 18n],
      ['ETH', 10n ** 17n],
    ])
    const changed = {
      ...recoverable,
      HUB_REFUND_LIMIT_USDC: '25.5',
      HUB_REFUND_LIMIT_USDT: 'unlimited',
      HUB_REFUND_LIMIT_EURC: '7',
      HUB_REFUND_LIMIT_DAI_E: '0',
      HUB_REFUND_LIMIT_ETH: '2',
    }
    const found = limits(changed).map(([, limit]) => limit)
    expect(found).toEqual([25_500_000n, null, 7_000_000n, 0n, 2n * 10n ** 18n])
    const listed = config(recoverable).terms.tokens.filter(({ isListed }) => isListed)
    expect(listed.map(({ symbol }) => symbol)).toEqual(['USDC', 'USDT', 'EURC'])
  })

  test('must be amounts that the token can have', () => {
    expect(problems({ HUB_REFUND_LIMIT_USDC: '0.0000001' }).join()).toContain(
      'HUB_REFUND_LIMIT_USDC',
    )
    expect(problems({ HUB_REFUND_LIMIT_ETH: 'much' }).join()).toContain('HUB_REFUND_LIMIT_ETH')
  })

  test('are never none in live, nor are delays or the guardian', () => {
    const live: Variables = {
      REMIT_ENV: 'live',
      RPC_URL_BASE: 'http://127.0.0.1:8545',
      HUB_REFUND_LIMIT_DAI: 'unlimited',
      HUB_OWNER_DELAY_S: '0',
      HUB_CONFIG_DELAY_S: '0',
      RECOVERABLE_TOKENS: `base:${DAI}:DAI:18`,
    }
    const found = problems(live, 'base')
    const names = ['HUB_REFUND_LIMIT_DAI', 'HUB_OWNER_DELAY_S', 'HUB_CONFIG_DELAY_S']
    for (const name of [...names, 'HUB_GUARDIAN']) expect(found.join()).toContain(name)
    expect(found).toHaveLength(4)
  })
})
