import { describe, expect, test } from 'bun:test'
import { parseHubConfig } from '../../core/config/hub.ts'
import { withoutSigningKeys } from '../../core/config/reader.ts'
import { checkVariables, stackVariables } from '../../dev/stack/environment.ts'
import { addressOf } from '../../dev/stack/keys.ts'
import { readSettings } from '../../dev/stack/settings.ts'

describe('the launcher', () => {
  test('brings everything itself in an empty environment', () => {
    const settings = readSettings({})
    expect(settings.databaseUrl).toBeUndefined()
    expect(settings.redisUrl).toBeUndefined()
    expect(settings.networkIds).toEqual(['base-sepolia', 'sepolia'])
    expect(settings.localChains.map(({ port }) => port)).toEqual([8545, 8546])
  })

  test('brings no chain when any RPC URL is set', () => {
    const settings = readSettings({ RPC_URL_SEPOLIA: 'http://127.0.0.1:1' })
    expect(settings.localChains).toEqual([])
    expect(settings.networkIds).toEqual(['sepolia'])
  })

  test('brings no chain in live and names everything that is missing', () => {
    expect(readSettings({ REMIT_ENV: 'live' }).localChains).toEqual([])
    const attempt = () => checkVariables({ REMIT_ENV: 'live', RPC_URL_BASE: 'http://127.0.0.1:1' })
    const names = ['DATABASE_URL', 'REDIS_URL', 'HUB_ADDRESS', 'FEE_COLLECTOR', 'HUB_OWNER']
    const keys = ['CONFIG_SIGNER_KEY', 'REFUND_SIGNER_KEY', 'RELAYER_KEYS_BASE']
    for (const name of [...names, ...keys]) expect(attempt).toThrow(`${name} is missing`)
  })

  test('refuses a port that is none, in one sentence', () => {
    expect(() => readSettings({ PORT: '70000' })).toThrow('PORT must be a port from 0')
    expect(() => readSettings({ RPC_PORT_SEPOLIA: 'x' })).toThrow('RPC_PORT_SEPOLIA must be a port')
  })

  test('gives processes with open ports nothing that signs', () => {
    const signing = [
      'RELAYER_KEYS',
      'RELAYER_KEYS_SEPOLIA',
      'CONFIG_SIGNER_KEY',
      'REFUND_SIGNER_KEY_FILE',
      'HUB_OWNER_KEY',
      'HUB_DEPLOYER_KEY',
    ]
    const others = { DATABASE_URL: 'x', RELAYER_KEYS_PER_WORKER: '4' }
    const keys = Object.fromEntries(signing.map((name) => [name, 'x']))
    expect(withoutSigningKeys({ ...keys, ...others })).toEqual(others)
  })
})

test('a local hub is set up without limits and delays, and commands expect it so', () => {
  const own = { RECOVERABLE_TOKENS: `base-sepolia:0x${'7'.repeat(40)}:DAI:18` }
  const url = 'http://127.0.0.1:1'
  const nodes = readSettings(own).localChains.map(({ chain }) => {
    return { chain, node: { url, wsUrl: url } }
  })
  const key = `0x${'1'.repeat(64)}` as const
  const keys = {
    ...{ owner: key, configSigner: key, refundSigner: key },
    ...{ feeCollector: key, merchant: key, faucet: key, relayers: {} },
    ...{ dashboardSecret: key, encryptionKey: key },
  }
  const servers = { databaseUrl: 'postgres://x', redisUrl: 'redis://x', nodes }
  const ports = { api: 1, graphql: 2, home: '/tmp' }
  const all = stackVariables(own, servers, ports, keys, addressOf(key))
  const parsed = parseHubConfig(all, 'base-sepolia')
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  const { tokens, delays } = parsed.config.terms
  expect(delays).toEqual({ owner: 0, config: 0 })
  expect(tokens.map(({ symbol, refundLimit }) => [symbol, refundLimit])).toEqual([
    ['USDC', null],
    ['USDT', null],
    ['EURC', null],
    ['DAI', null],
    ['ETH', null],
  ])
})
