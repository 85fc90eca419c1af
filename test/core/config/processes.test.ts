import { describe, expect, test } from 'bun:test'
import type { Keyring } from '../../../core/base/keyring.ts'
import { baseUnits } from '../../../core/base/money.ts'
import { networks } from '../../../core/base/network.ts'
import { parseApiConfig } from '../../../core/config/api.ts'
import {
  parseConfig,
  parseIndexerConfig,
  parseNotifierConfig,
} from '../../../core/config/processes.ts'
import type { ParsedConfig, Variables } from '../../../core/config/reader.ts'
import { parseWorkerConfig } from '../../../core/config/worker.ts'

const COMMON = {
  DATABASE_URL: 'postgres://ledger',
  REDIS_URL: 'redis://mailboxes',
  HUB_ADDRESS: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  FEE_COLLECTOR: '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
  RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:8545, http://127.0.0.1:8546',
}
const LIVE = { ...COMMON, REMIT_ENV: 'live', RPC_URL_BASE: 'http://127.0.0.1:1' }
const KEY = `0x${'11'.repeat(32)}` as const
const WORKER = {
  ...COMMON,
  HUB_OWNER: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  CONFIG_SIGNER_KEY: KEY,
  REFUND_SIGNER_KEY: `0x${'22'.repeat(32)}`,
  RELAYER_KEYS: `0x${'33'.repeat(32)},0x${'44'.repeat(32)}`,
}

function config<T>(parsed: ParsedConfig<T>): T {
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  return parsed.config
}

function problems(parsed: ParsedConfig<unknown>): readonly string[] {
  return parsed.ok ? [] : parsed.problems
}

describe('what every process reads', () => {
  test('is the sandbox with its own Redis prefix unless it is told otherwise', () => {
    const read = config(parseConfig(COMMON))
    expect([read.environment, read.redisPrefix]).toEqual(['sandbox', 'remit-sandbox'])
    const live = config(
      parseConfig({ ...COMMON, REMIT_ENV: 'live', RPC_URL_BASE: 'http://127.0.0.1:1' }),
    )
    expect([live.environment, live.redisPrefix]).toEqual(['live', 'remit-live'])
    expect(live.chains.map(({ networkId }) => networkId)).toEqual(['base'])
    expect(live.chains[0]).toMatchObject({
      minSweep: { USDC: baseUnits(100_000n) },
      minInvoice: { USDC: baseUnits(100_000n) },
      minRefund: { USDC: baseUnits(20_000n) },
    })
  })

  test('is warned of a Redis without a password, where money is', () => {
    const warnings = (variables: Variables) => config(parseConfig(variables)).warnings
    expect(warnings(LIVE)).toEqual([expect.stringContaining('REDIS_URL has no password')])
    expect(warnings({ ...LIVE, REDIS_URL: 'redis://:secret@mailboxes' })).toEqual([])
    expect(warnings({ ...LIVE, REDIS_URL: 'redis://127.0.0.1:6379' })).toEqual([])
    expect(warnings(COMMON)).toEqual([])
  })

  test('are the chains that an RPC URL switches on, with several URLs each', () => {
    const [chain, ...others] = config(parseConfig(COMMON)).chains
    expect(others).toEqual([])
    expect(chain).toMatchObject({
      networkId: 'base-sepolia',
      rpcUrls: ['http://127.0.0.1:8545', 'http://127.0.0.1:8546'],
      confirmations: 3,
      settlementConfirmations: 3,
      minSweep: { USDC: baseUnits(0n) },
    })
  })

  test("are a chain's own settings, behind its name", () => {
    const variables = {
      ...COMMON,
      CONFIRMATIONS_BASE_SEPOLIA: '5',
      SETTLEMENT_CONFIRMATIONS_BASE_SEPOLIA: '9',
      MIN_SWEEP_USDC_BASE_SEPOLIA: '0.5',
      MIN_INVOICE_USDC_BASE_SEPOLIA: '0.75',
      MIN_REFUND_USDC_BASE_SEPOLIA: '0.1',
      BLOCK_TIME_MS_BASE_SEPOLIA: '250',
      RPC_TIMEOUT_MS: '1500',
      RPC_MAX_RESPONSE_BYTES_BASE_SEPOLIA: '1000000',
      MIN_X402_USDC_BASE_SEPOLIA: '0.25',
    }
    expect(config(parseConfig(variables)).chains[0]).toMatchObject({
      confirmations: 5,
      settlementConfirmations: 9,
      minSweep: { USDC: baseUnits(500_000n), USDT: baseUnits(0n) },
      minInvoice: { USDC: baseUnits(750_000n), USDT: baseUnits(0n) },
      minRefund: { USDC: baseUnits(100_000n), USDT: baseUnits(0n) },
      blockTimeMs: 250,
      rpcTimeoutMs: 1_500,
      provider: { responseBytes: 1_000_000 },
      minX402Amount: baseUnits(250_000n),
    })
  })

  test('poll heads once per block whatever the URL, and gather calls where they may be billed', () => {
    const polling = (change: Record<string, string>) => {
      const { chains } = config(parseConfig({ ...COMMON, ...change }))
      return [chains[0]?.headPolling, chains[0]?.areCallsBilled]
    }
    const elsewhere = 'http://127.0.0.1:8545,https://node.example/key'
    expect(polling({ RPC_URL_BASE_SEPOLIA: 'http://localhost:8545' })).toEqual(['paced', false])
    expect(polling({ RPC_URL_BASE_SEPOLIA: elsewhere })).toEqual(['paced', true])
    const told = (how: string) =>
      polling({ RPC_URL_BASE_SEPOLIA: elsewhere, HEAD_POLLING_BASE_SEPOLIA: how })
    expect(told('fast')).toEqual(['fast', false])
    expect(told('paced')).toEqual(['paced', true])
    const wrong = parseConfig({ ...COMMON, HEAD_POLLING_BASE_SEPOLIA: 'often' })
    expect(wrong).toMatchObject({ ok: false })
  })

  test.each([
    ['live', 'ETHEREUM', 1_000_000n],
    ['live', 'BASE', 1_000n],
    ['live', 'POLYGON', 1_000n],
    ['sandbox', 'BASE_SEPOLIA', 1n],
  ])('take x402 payments in %s on %s from %p base units', (environment, network, least) => {
    const variables = { ...COMMON, REMIT_ENV: environment, [`RPC_URL_${network}`]: 'http://rpc' }
    expect(config(parseConfig(variables)).chains[0]?.minX402Amount).toBe(baseUnits(least))
  })

  test('are fees of half a per cent without a ceiling unless it is told otherwise', () => {
    expect(config(parseConfig(COMMON)).fees.USDC).toEqual({ rateBps: 50, ceiling: null })
    const { fees } = config(parseConfig({ ...COMMON, FEE_BPS_USDT: '0', FEE_CEILING_USDC: '2.5' }))
    expect(fees.USDC.ceiling).toBe(baseUnits(2_500_000n))
    expect(fees.USDT.rateBps).toBe(0)
  })

  test('is refused with all of its problems at once, each naming its variable', () => {
    const found = problems(parseConfig({ REMIT_ENV: 'prod' }))
    for (const name of ['REMIT_ENV', 'DATABASE_URL', 'REDIS_URL', 'HUB_ADDRESS', 'FEE_COLLECTOR']) {
      expect(found.filter((problem) => problem.startsWith(name))).toHaveLength(1)
    }
    expect(found.join('\n')).toContain('RPC_URL_SEPOLIA')
  })

  test.each([
    ['HUB_ADDRESS', '0x5FbDB2315678afecb367f032d93F642f64180aA3'],
    ['HUB_ADDRESS', '0x0000000000000000000000000000000000000000'],
    ['FEE_BPS_USDC', '1001'],
    ['FEE_BPS_USDC', '0.5'],
    ['FEE_CEILING_USDC', '1.0000001'],
    ['X402_FEE_CAP', '1099511.627776'],
    ['CONFIRMATIONS_BASE_SEPOLIA', '0'],
    ['CONFIRMATIONS_BASE_SEPOLIA', '1001'],
    ['CONFIRMATIONS_BASE_SEPOLIA', 'three'],
    ['MIN_SWEEP_USDT_BASE_SEPOLIA', '-1'],
    ['MIN_X402_USDC_BASE_SEPOLIA', '0.0000001'],
  ])('is refused when %s is %s', (name, value) => {
    const found = problems(parseConfig({ ...COMMON, [name]: value }))
    expect(found).toHaveLength(1)
    expect(found[0]).toStartWith(name)
  })

  test.each(['KEEP_WORK_DAYS', 'KEEP_TRANSACTION_BYTES_DAYS'])(
    'keeps what is still needed, whatever %s says',
    (name) => {
      const least = name === 'KEEP_WORK_DAYS' ? 7 : 1
      const given = (days: number) => parseWorkerConfig({ ...WORKER, [name]: String(days) })
      expect(problems(given(least - 1))).toEqual([expect.stringContaining(`${name} must be`)])
      expect(given(least).ok).toBe(true)
    },
  )

  test('may lie at either end of its range', () => {
    for (const value of ['1', '1000']) {
      const variables = {
        ...COMMON,
        CONFIRMATIONS_BASE_SEPOLIA: value,
        SETTLEMENT_CONFIRMATIONS_BASE_SEPOLIA: value,
      }
      expect(config(parseConfig(variables)).chains[0]?.confirmations).toBe(Number(value))
    }
  })

  test("may let a payout's fee be as high as the hub can hold", () => {
    const variables = { ...COMMON, X402_FEE_CAP: '1099511.627775' }
    expect(config(parseConfig(variables)).x402Fee.cap).toBe(baseUnits(2n ** 40n - 1n))
  })

  test('settles no sooner than it confirms', () => {
    const variables = {
      ...COMMON,
      CONFIRMATIONS_BASE_SEPOLIA: '5',
      SETTLEMENT_CONFIRMATIONS_BASE_SEPOLIA: '4',
    }
    expect(problems(parseConfig(variables))[0]).toContain('SETTLEMENT_CONFIRMATIONS_BASE_SEPOLIA')
  })
})

describe('the API', () => {
  test('listens on loopback with the limits of the specification by default', () => {
    const read = config(parseApiConfig(COMMON))
    expect([read.host, read.port]).toEqual(['127.0.0.1', 3000])
    expect(read.publicUrl).toBe('http://127.0.0.1:3000')
    expect(read.limits).toEqual({
      authenticated: 120,
      utility: 60,
      x402: 300_000,
      budget: 120_000,
      failureLines: 6_000,
      claimsPerPayer: 2_000,
      payers: 300,
      sessions: 30,
      unpaidPerDay: 2_000,
      unpaidPerClient: 200,
      gaslessPerMerchant: baseUnits(10_000_000n),
      gaslessUnpaidPerClient: 20,
      streamsPerClient: 50,
      streams: 10_000,
    })
    expect(read.holdSeconds).toBe(30)
    expect(read.trustedProxies).toEqual([])
    expect(read.takesWallets).toBe(true)
  })

  test('reads other limits and proxies', () => {
    const read = config(
      parseApiConfig({
        ...COMMON,
        RATE_LIMIT_AUTHENTICATED: '7',
        RATE_LIMIT_UTILITY: '8',
        RATE_LIMIT_X402: '9',
        REQUEST_BUDGET: '10',
        LOG_FAILURES: '11',
        X402_CLAIMS_PER_PAYER: '12',
        X402_HOLD_S: '0',
        RATE_LIMIT_PAYERS: '13',
        RATE_LIMIT_SESSIONS: '14',
        CHECKOUT_UNPAID_PER_DAY: '15',
        CHECKOUT_UNPAID_PER_CLIENT: '18',
        CHECKOUT_STREAMS_PER_CLIENT: '16',
        CHECKOUT_STREAMS: '17',
        PUBLIC_URL: 'https://pay.example.com/',
        TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8',
        X402_WALLETS: 'off',
      }),
    )
    expect(read.holdSeconds).toBe(0)
    expect(read.limits).toEqual({
      authenticated: 7,
      utility: 8,
      x402: 9,
      budget: 10,
      failureLines: 11,
      claimsPerPayer: 12,
      payers: 13,
      sessions: 14,
      unpaidPerDay: 15,
      unpaidPerClient: 18,
      gaslessPerMerchant: baseUnits(10_000_000n),
      gaslessUnpaidPerClient: 20,
      streamsPerClient: 16,
      streams: 17,
    })
    expect(read.trustedProxies).toEqual(networks(['10.0.0.0/8', 'fd00::/8']))
    expect(read.takesWallets).toBe(false)
    expect(read.publicUrl).toBe('https://pay.example.com')
  })

  test.each([
    ['RATE_LIMIT_AUTHENTICATED', '0'],
    ['PORT', '65536'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['X402_WALLETS', 'no'],
    ['PUBLIC_URL', 'https://pay.example.com/shop'],
    ['PUBLIC_URL', 'ftp://pay.example.com'],
    ['TRUSTED_PROXIES', 'everybody'],
  ])('refuses %s=%s', (name, value) => {
    expect(problems(parseApiConfig({ ...COMMON, [name]: value }))[0]).toStartWith(name)
  })

  test.each([
    'postgres://remit:S3cr/et@127.0.0.1:1/remit',
    'postgres://remit:S3cr#et@127.0.0.1:1/remit',
    'mysql://remit:S3cr@127.0.0.1:1/remit',
    'S3cr',
  ])('refuses %s as a database, without repeating it', (url) => {
    for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL']) {
      const found = problems(parseApiConfig({ ...COMMON, [name]: url }))
      expect(found).toHaveLength(1)
      expect(found[0]).toStartWith(`${name} must be a postgres:// URL`)
      expect(found[0]).not.toContain('S3cr')
    }
  })

  test.each([
    'postgresql://remit:S3cr%2Fet@127.0.0.1:1/remit',
    'postgres://remit@a:5432,b:5432/remit?target_session_attrs=primary',
    'postgres:///remit?host=/var/run/postgresql',
  ])('takes %s as a database', (url) => {
    expect(parseApiConfig({ ...COMMON, DATABASE_URL: url })).toMatchObject({ ok: true })
  })

  test('refuses in live to hold a key that signs', () => {
    const live = { ...LIVE, ENCRYPTION_KEYS: `k1:${new Uint8Array(32).toBase64()}` }
    for (const name of [
      'RELAYER_KEYS',
      'RELAYER_KEYS_BASE',
      'CONFIG_SIGNER_KEY',
      'HUB_OWNER_KEY',
    ]) {
      const found = problems(parseApiConfig({ ...live, [name]: KEY }))
      expect(found[0]).toStartWith(`${name} must not be given to this process`)
      expect(found.join()).not.toContain('1111')
    }
    expect(parseApiConfig({ ...live, RELAYER_KEYS_PER_WORKER: '4' }).ok).toBe(true)
  })
})

describe('the keys of secrets', () => {
  const parsers: [string, (variables: Variables) => ParsedConfig<{ secretKeys: Keyring }>][] = [
    ['API', parseApiConfig],
    ['notifier', parseNotifierConfig],
  ]
  test.each(parsers)('are needed by the %s in live, and in no sandbox', (_, parse) => {
    expect(problems(parse(LIVE))[0]).toStartWith('ENCRYPTION_KEYS is missing')
    const key = new Uint8Array(32).toBase64()
    const set = config(parse({ ...LIVE, ENCRYPTION_KEYS: `k1:${key}` }))
    expect([...set.secretKeys.all.keys()]).toEqual(['k1'])
    expect(config(parse(COMMON)).secretKeys.current.id).toBe('public')
    const wrong = problems(parse({ ...COMMON, ENCRYPTION_KEYS: key }))
    expect(wrong.join()).toStartWith('ENCRYPTION_KEYS must be pairs')
    expect(wrong.join()).not.toContain(key)
  })
})

test('the keys of secrets are needed by workers in live, who know by them what the API has asked for', () => {
  const live = { ...WORKER, REMIT_ENV: 'live', RPC_URL_BASE: 'http://127.0.0.1:1' }
  expect(problems(parseWorkerConfig(live)).join()).toContain('ENCRYPTION_KEYS is missing')
  expect(config(parseWorkerConfig(WORKER)).secretKeys.current.id).toBe('public')
})

describe('the indexer', () => {
  test('shows its analytics on loopback only, unless a token guards them', () => {
    const open: Variables = { ...COMMON, GRAPHQL_HOST: '0.0.0.0' }
    expect(config(parseIndexerConfig(open)).graphqlHost).toBe('127.0.0.1')
    const guarded = { ...open, OPERATOR_TOKEN: 'token' }
    expect(config(parseIndexerConfig(guarded)).graphqlHost).toBe('0.0.0.0')
  })
})

describe('the workers', () => {
  test('use the common relayer keys, or those of the chain', () => {
    const common = config(parseWorkerConfig(WORKER))
    expect(common.relayers.get('base-sepolia')).toHaveLength(2)
    const own = config(parseWorkerConfig({ ...WORKER, RELAYER_KEYS_BASE_SEPOLIA: KEY }))
    expect(own.relayers.get('base-sepolia')).toEqual([{ type: 'key', key: KEY }])
  })

  test.each(['HUB_OWNER', 'CONFIG_SIGNER_KEY', 'REFUND_SIGNER_KEY', 'RELAYER_KEYS'])(
    'refuse to run without %s',
    (name) => {
      const found = problems(parseWorkerConfig({ ...WORKER, [name]: undefined }))
      expect(found).toHaveLength(1)
      expect(found[0]).toContain(name)
    },
  )

  test.each(['CONFIG_SIGNER_KEY', 'REFUND_SIGNER_KEY', 'RELAYER_KEYS'])(
    'never repeat a wrong %s in what they say about it',
    (name) => {
      const secret = `0x${'ab'.repeat(31)}`
      const found = problems(parseWorkerConfig({ ...WORKER, [name]: secret })).join('\n')
      expect(found).toContain(name)
      expect(found).not.toContain('abab')
    },
  )

  test('hold no private key where stores outside of the process have them', () => {
    const variables: Variables = {
      ...WORKER,
      CONFIG_SIGNER_KEY: undefined,
      REFUND_SIGNER_KEY: undefined,
      RELAYER_KEYS: undefined,
      CONFIG_SIGNER: 'awskms:///alias/config',
      REFUND_SIGNER: 'awskms:///alias/refund',
      RELAYER_SIGNERS: 'awskms:///alias/one, awskms:///alias/two',
    }
    const parsed = config(parseWorkerConfig(variables))
    const kms = { type: 'awskms', region: null, endpoint: null } as const
    expect(parsed.configSigner).toEqual({ ...kms, keyId: 'alias/config' })
    expect(parsed.refundSigner).toEqual({ ...kms, keyId: 'alias/refund' })
    expect(parsed.relayers.get('base-sepolia')).toHaveLength(2)
    expect(JSON.stringify(parsed.configSigner)).not.toMatch(/0x[0-9a-f]{64}/)
    // A key beside its store would be held for nothing.
    const both = problems(parseWorkerConfig({ ...variables, REFUND_SIGNER_KEY: KEY }))
    expect(both).toEqual([expect.stringContaining('unset REFUND_SIGNER_KEY')])
  })

  test("are not told that a signer's key is missing when it is only wrong", () => {
    const found = problems(parseWorkerConfig({ ...WORKER, CONFIG_SIGNER_KEY: '0x12' }))
    expect(found).toEqual([expect.stringContaining('CONFIG_SIGNER_KEY must hold private keys')])
  })
})

test('the pool of a process is as large as the operator says, and never too small to work', () => {
  expect(config(parseConfig(COMMON)).databaseConnections).toBeNull()
  const six = { ...COMMON, DATABASE_CONNECTIONS: '6' }
  expect(config(parseConfig(six)).databaseConnections).toBe(6)
  const parsed = parseConfig({ ...COMMON, DATABASE_CONNECTIONS: '3' })
  expect(parsed).toMatchObject({
    ok: false,
    problems: ['DATABASE_CONNECTIONS must be a whole number, 4 to 200'],
  })
})
