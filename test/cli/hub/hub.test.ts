import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createPublicClient, http } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { readHub } from '../../../chain/hub/contract.ts'
import { DEPLOYMENT_PROXY, hubAddress, hubInitCode } from '../../../chain/hub/deployment.ts'
import { readHubState, UNLIMITED } from '../../../chain/hub/setup.ts'
import {
  type Address,
  checksumAddress,
  lowerCaseAddress,
  ZERO_ADDRESS,
} from '../../../core/chain/evm.ts'
import { ALL_CHAINS, chainNamed } from '../../../core/chain/registry.ts'
import type { Anvil } from '../../../dev/servers/anvil.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { openDatabase } from '../../../store/database/database.ts'
import { migrate } from '../../../store/database/migrate.ts'
import { insertRelayerKey } from '../../../store/relayer/keys.ts'
import { remit } from '../../support/cli/run.ts'
import { createDatabase, startTestChain, type TestDatabase } from '../../support/servers/run.ts'

const owner = generatePrivateKey()
const relayer = generatePrivateKey()
const roles = {
  owner: addressOf(owner),
  configSigner: addressOf(generatePrivateKey()),
  refundSigner: addressOf(generatePrivateKey()),
  feeCollector: addressOf(generatePrivateKey()),
}
const guardian = addressOf(generatePrivateKey())
/** Two that no invoice can ask for, one of them without decimals. */
const DAI = lowerCaseAddress('0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb')
const TICKET = lowerCaseAddress('0x00000000000000000000000000000000000071c7')
let node: Anvil
let hub: Address
let database: TestDatabase
let variables: Record<string, string>

beforeAll(async () => {
  node = await startTestChain()
  hub = hubAddress(await hubInitCode(roles.owner, 'sandbox'))
  database = await createDatabase()
  variables = {
    HUB_OWNER: roles.owner,
    CONFIG_SIGNER: roles.configSigner,
    REFUND_SIGNER: roles.refundSigner,
    FEE_COLLECTOR: roles.feeCollector,
    RPC_URL_BASE_SEPOLIA: node.url,
    RELAYER_KEYS_BASE_SEPOLIA: relayer,
    HUB_GUARDIAN: guardian,
    HUB_REFUND_LIMIT_USDC: '250',
    HUB_REFUND_LIMIT_USDT: 'unlimited',
    RECOVERABLE_TOKENS: `base-sepolia:${DAI}:DAI.e:18,base-sepolia:${TICKET}:TICKET:0`,
    HUB_REFUND_LIMIT_DAI_E: '40.5',
  }
})

afterAll(async () => {
  await node.stop()
  await database.drop()
})

function run(more: Record<string, string>, ...args: readonly string[]) {
  return remit({ ...variables, ...more }, ...args, '--chain', 'base-sepolia')
}

describe('hub deploy', () => {
  test('names every setting that is missing', async () => {
    const ran = await remit({}, 'hub', 'deploy', '--chain', 'base-sepolia')
    expect(ran.code).toBe(1)
    for (const name of ['HUB_OWNER', 'CONFIG_SIGNER', 'REFUND_SIGNER', 'FEE_COLLECTOR']) {
      expect(ran.err).toContain(`${name} is missing`)
    }
  })

  test('refuses a chain that it does not know or reach, and a node of another one', async () => {
    const unknown = await remit(variables, 'hub', 'deploy', '--chain', 'base')
    expect(unknown.err).toContain('base is not a chain of the sandbox registry')
    const off = await remit(variables, 'hub', 'deploy', '--chain', 'sepolia')
    expect(off.err).toContain('set RPC_URL_SEPOLIA')
    const wrong = { ...variables, RPC_URL_SEPOLIA: node.url }
    const ran = await remit(wrong, 'hub', 'deploy', '--chain', 'sepolia')
    expect(ran.err).toContain('answers for chain 84532, not for 11155111')
    const dead = await run({ RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:9/secret' }, 'hub', 'deploy')
    expect(dead.code).toBe(1)
    expect(dead.err).not.toContain('secret')
  })

  test('refuses an account in two roles', async () => {
    const ran = await run({ CONFIG_SIGNER: addressOf(relayer) }, 'hub', 'deploy')
    expect(ran.code).toBe(1)
    expect(ran.err).toContain('are the same account')
  })

  test('refuses a HUB_ADDRESS that these settings do not lead to', async () => {
    const ran = await run({ HUB_ADDRESS: roles.feeCollector }, 'hub', 'deploy')
    expect(ran.code).toBe(1)
    expect(ran.err).toContain(`this code with this owner is ${hub}`)
  })

  test('says who could pay, and how much is missing', async () => {
    const unpaid = await run({}, 'hub', 'deploy')
    expect(unpaid.err).toContain('no account pays for the deployment: set HUB_DEPLOYER_KEY')
    const poor = await run({ HUB_DEPLOYER_KEY: generatePrivateKey() }, 'hub', 'deploy')
    expect(poor.code).toBe(1)
    expect(poor.err).toMatch(/has 0 ETH on base-sepolia and needs some: fund it/)
    const deployer = generatePrivateKey()
    await node.rpc('anvil_setBalance', [addressOf(deployer), '0x1'])
    const almost = await run({ HUB_DEPLOYER_KEY: deployer }, 'hub', 'deploy')
    expect(almost.err).toMatch(/has 0.000000000000000001 ETH on base-sepolia/)
  })

  test('says when the chain lacks the deployment proxy', async () => {
    const code = await node.rpc('eth_getCode', [DEPLOYMENT_PROXY, 'latest'])
    await node.rpc('anvil_setCode', [DEPLOYMENT_PROXY, '0x'])
    const ran = await run({}, 'hub', 'deploy')
    await node.rpc('anvil_setCode', [DEPLOYMENT_PROXY, code])
    expect(ran.err).toContain('has no deterministic deployment proxy')
  })

  test('deploys to the predicted address, and prints what the owner must send', async () => {
    const deployer = generatePrivateKey()
    await node.rpc('anvil_setBalance', [addressOf(deployer), '0xde0b6b3a7640000'])
    const ran = await run({ HUB_DEPLOYER_KEY: deployer }, 'hub', 'deploy', '--json')
    expect(ran).toMatchObject({ code: 0, err: '' })
    const steps = await stepsOf(ran)
    expect(ran.json()).toMatchObject({
      hub: checksumAddress(hub),
      deployed: true,
      differences: [],
    })
    expect(steps.map(({ state, call }) => [state, call?.to])).toEqual(
      Array.from({ length: 12 }, () => ['to_send', hub]),
    )
    expect(steps.map(({ what }) => what).join()).toMatch(
      /sign registry.*sign refunds.*fees.*guardian.*operator.*USDC.*USDT.*EURC.*DAI\.e be.*TICKET be.*ETH be.*delays/,
    )
    expect(await node.rpc('eth_getCode', [hub, 'latest'])).not.toBe('0x')
  })

  test('does only what is missing when it is repeated', async () => {
    await node.rpc('anvil_setBalance', [roles.owner, '0xde0b6b3a7640000'])
    const ran = await run({ HUB_OWNER_KEY: owner }, 'hub', 'deploy', '--json')
    expect((await stepsOf(ran)).map(({ state }) => state)).toEqual(
      Array.from({ length: 12 }, () => 'done'),
    )
    expect(ran.json()).toMatchObject({ deployed: false })
    const again = await run({ HUB_OWNER_KEY: owner }, 'hub', 'deploy')
    expect(again.out).toContain('before; nothing to do')
  })

  test('sets the hub up as it is configured, with delays and limits', async () => {
    const client = createPublicClient({ transport: http(node.url) })
    const reading = await readHub(client, hub)
    if (reading.type !== 'hub') throw new Error('there is no hub')
    const { configSigner, refundSigner, feeCollector } = roles
    const expected = { owner: roles.owner, configSigner, refundSigner, feeCollector, guardian }
    expect(reading.roles).toEqual({ ...expected, environment: 'sandbox' })
    const payable = chainNamed('base-sepolia', ALL_CHAINS).tokens.map(({ address }) => address)
    const tokens = [...payable, DAI, TICKET, ZERO_ADDRESS].map((address) => ({ address }))
    const operators = [addressOf(relayer)]
    const state = await readHubState(client, hub, reading.roles, { operators, tokens })
    expect([...state.operators]).toEqual(operators)
    expect(state.delays).toEqual({ owner: 48 * 3_600, config: 24 * 3_600 })
    const listed = { listed: true, decimals: 6 }
    expect(tokens.map(({ address }) => state.tokens.get(address))).toEqual([
      { ...listed, refundLimit: 250_000_000n },
      { ...listed, refundLimit: UNLIMITED },
      { ...listed, refundLimit: 1_000_000_000n },
      { listed: false, decimals: 18, refundLimit: 40_500_000_000_000_000_000n },
      { listed: false, decimals: 0, refundLimit: 100n },
      { listed: false, decimals: 18, refundLimit: 100_000_000_000_000_000n },
    ])
  })

  test('leaves what was set as it is, and says where that differs', async () => {
    const settings = {
      HUB_OWNER_KEY: owner,
      HUB_OWNER_DELAY_S: '60',
      HUB_REFUND_LIMIT_USDC: '300',
      HUB_REFUND_LIMIT_USDT: '1000',
      HUB_REFUND_LIMIT_ETH: '0.2',
      REFUND_SIGNER: addressOf(generatePrivateKey()),
    }
    const ran = await run(settings, 'hub', 'deploy', '--json')
    expect(await stepsOf(ran)).toEqual([])
    const { differences } = Object(ran.json())
    expect(differences).toEqual([
      expect.stringContaining("the hub's refundSigner is"),
      "the hub's refund limit of USDC is 250, configured is 300",
      "the hub's refund limit of USDT is unlimited, configured is 1000",
      "the hub's refund limit of ETH is 0.1, configured is 0.2",
      "the hub's delay for its owner, in s, is 172800, configured is 60",
    ])
  })

  test('proposes what is missing once the owner has a delay, and carries it out afterwards', async () => {
    const second = generatePrivateKey()
    const at = { RELAYER_KEYS_BASE_SEPOLIA: `${relayer},${second}` }
    const states = async (more: Record<string, string> = { HUB_OWNER_KEY: owner }) => {
      const steps = await stepsOf(await run({ ...at, ...more }, 'hub', 'deploy', '--json'))
      return steps.map(({ state }) => state)
    }
    expect(await states({})).toEqual(['to_propose'])
    expect(await states()).toEqual(['proposed'])
    expect(await states()).toEqual(['waits'])
    const waits = await run({ ...at, HUB_OWNER_KEY: owner }, 'hub', 'deploy')
    expect(waits.out).toContain('was proposed: repeat this command after')
    await passTime(48 * 3_600)
    expect(await states({})).toEqual(['to_send'])
    expect(await states()).toEqual(['done'])
    expect(await states()).toEqual([])
  })

  test('proposes again what was not carried out in time', async () => {
    const third = generatePrivateKey()
    const at = { RELAYER_KEYS_BASE_SEPOLIA: `${relayer},${third}`, HUB_OWNER_KEY: owner }
    const deploy = async () => (await stepsOf(await run(at, 'hub', 'deploy', '--json')))[0]?.state
    expect(await deploy()).toBe('proposed')
    await passTime(48 * 3_600 + 14 * 86_400 + 1)
    expect(await deploy()).toBe('proposed')
    expect(await deploy()).toBe('waits')
  })

  test('refuses a live hub without a delay, a limit or a guardian', async () => {
    const live = {
      ...variables,
      REMIT_ENV: 'live',
      RPC_URL_BASE: node.url,
      HUB_GUARDIAN: '',
      HUB_OWNER_DELAY_S: '0',
      HUB_REFUND_LIMIT_USDC: 'unlimited',
      HUB_REFUND_LIMIT_ETH: 'unlimited',
      RECOVERABLE_TOKENS: '',
    }
    const ran = await remit(live, 'hub', 'deploy', '--chain', 'base')
    expect(ran.code).toBe(1)
    const limits = ['HUB_REFUND_LIMIT_USDC', 'HUB_REFUND_LIMIT_ETH']
    for (const name of ['HUB_GUARDIAN', 'HUB_OWNER_DELAY_S', ...limits]) {
      expect(ran.err).toContain(name)
    }
  })
})

interface StepView {
  readonly what: string
  readonly state: string
  readonly call: { readonly to: string } | null
}

async function stepsOf(ran: { json(): unknown }): Promise<readonly StepView[]> {
  const { steps } = Object(ran.json())
  if (!Array.isArray(steps)) throw new Error('there are no steps')
  return steps
}

async function passTime(seconds: number): Promise<void> {
  await node.rpc('evm_increaseTime', [seconds])
  await node.rpc('evm_mine', [])
}

describe('hub status', () => {
  test('names a token whose refunds would wait for ever', async () => {
    const list = `base-sepolia:${DAI}:DAI.e:18,base-sepolia:${roles.owner}:WETH:18`
    const ran = await run({ HUB_ADDRESS: hub, RECOVERABLE_TOKENS: list }, 'hub', 'status')
    expect(ran.code).toBe(1)
    expect(ran.out).toContain('the owner must still let WETH be refunded')
    expect(ran.out).not.toContain('DAI.e be refunded')
    expect(ran.out).toMatch(/DAI\.e +never swept, 40\.5 of 40\.5 may be refunded now/)
    expect(ran.out).toMatch(/USDC +listed, 250 of 250 may be refunded now/)
  })

  test('is fine when roles, operators and balances are', async () => {
    await node.rpc('anvil_setBalance', [addressOf(relayer), '0xde0b6b3a7640000'])
    const ran = await run({ HUB_ADDRESS: hub }, 'hub', 'status', '--json')
    expect(ran.code).toBe(0)
    expect(ran.json()).toMatchObject({
      deployed: true,
      problems: [],
      roles: { owner: roles.owner },
    })
  })

  test('says whether the code is the committed one, by the address', async () => {
    const { out } = await run({ HUB_ADDRESS: hub }, 'hub', 'status')
    expect(out).toMatch(/code +the committed one: the address matches it/)
    const other = await run(
      { HUB_ADDRESS: hub, HUB_OWNER: guardian, HUB_GUARDIAN: '' },
      'hub',
      'status',
    )
    expect(other.out).toMatch(/code +not the committed one/)
    expect(other.code).toBe(1)
  })

  test('names a role that differs, and exits with 1', async () => {
    const other = addressOf(generatePrivateKey())
    const ran = await run({ HUB_ADDRESS: hub, FEE_COLLECTOR: other }, 'hub', 'status')
    expect(ran.code).toBe(1)
    expect(ran.out).toContain(`the hub's feeCollector is ${roles.feeCollector}`)
  })

  test('says what to do where there is no hub', async () => {
    const ran = await run({ HUB_ADDRESS: roles.owner }, 'hub', 'status')
    expect(ran.code).toBe(1)
    expect(ran.out).toContain('bun run remit hub deploy --chain base-sepolia')
  })
})

describe('relayers', () => {
  test('are added by the owner, or the call is printed for the owner', async () => {
    const fresh = checksumAddress(addressOf(generatePrivateKey()))
    const at = ['relayer', 'add', '--address', fresh]
    const printed = await run({ HUB_ADDRESS: hub }, ...at, '--json')
    expect(printed.json()).toMatchObject({ isOperator: false, step: { call: { to: hub } } })
    const keyed = { HUB_ADDRESS: hub, HUB_OWNER_KEY: owner }
    const proposed = await run(keyed, ...at, '--json')
    expect(proposed.json()).toMatchObject({ isOperator: false, step: { state: 'proposed' } })
    await passTime(48 * 3_600)
    const sent = await run(keyed, ...at, '--json')
    expect(sent.json()).toMatchObject({ isOperator: true, step: { state: 'done', call: null } })
    expect((await run({ HUB_ADDRESS: hub }, ...at)).out).toContain('is an operator')
  })

  test('are refused when they hold another role', async () => {
    const at = ['relayer', 'add', '--address', roles.configSigner]
    const ran = await run({ HUB_ADDRESS: hub }, ...at)
    expect(ran.code).toBe(1)
    expect(ran.err).toContain('is already the configSigner')
    const typo = await run({ HUB_ADDRESS: hub }, 'relayer', 'add', '--address', '0x123')
    expect(typo).toMatchObject({ code: 2 })
  })

  test('are listed, drained, and taken back', async () => {
    const sql = openDatabase(database.url, { name: 'test', poolSize: 1 })
    const address = addressOf(relayer)
    try {
      await migrate(sql)
      await insertRelayerKey(sql, { networkId: 'base-sepolia', address, nextNonce: 7n })
    } finally {
      await sql.end()
    }
    const settings = { DATABASE_URL: database.url, HUB_ADDRESS: hub }
    const listed = await run(settings, 'relayer', 'list')
    expect(listed.out).toMatch(/base-sepolia +0x[0-9a-fA-F]{40} +active +- +7 +0/)
    const drained = await run(settings, 'relayer', 'drain', '--address', address, '--json')
    expect(drained.json()).toMatchObject({ status: 'draining', openTransactions: 0 })
    expect((await run(settings, 'relayer', 'list')).out).toContain('draining')
    const added = await run(settings, 'relayer', 'add', '--address', address, '--json')
    expect(added.json()).toMatchObject({ isOperator: true, resumed: true })
    expect((await run(settings, 'relayer', 'list')).out).toContain('active')
    const stranger = await run(settings, 'relayer', 'drain', '--address', roles.owner)
    expect(stranger.err).toContain('no worker has used')
  })

  test('that are quarantined are revived at the nonce of the chain', async () => {
    const settings = { DATABASE_URL: database.url, HUB_ADDRESS: hub }
    const address = addressOf(relayer)
    const revive = ['relayer', 'revive', '--address', address]
    expect((await run(settings, ...revive)).err).toContain('is not quarantined')
    const sql = openDatabase(database.url, { name: 'test', poolSize: 1 })
    await sql`update relayer_key set status = 'quarantined', note = 'restored'`
    await sql.end()
    expect((await run(settings, ...revive)).err).toContain('the next one in the ledger is 7')
    await node.rpc('anvil_setNonce', [address, '0x9'])
    expect((await run(settings, ...revive)).err).toContain('has sent transactions')
    await node.rpc('anvil_mine', ['0x4'])
    const revived = await run(settings, ...revive, '--json')
    expect(revived.json()).toMatchObject({ status: 'active', nextNonce: '9', foreignNonces: '2' })
    const listed = await run(settings, 'relayer', 'list')
    expect(listed.out).toMatch(/base-sepolia +0x[0-9a-fA-F]{40} +active +- +9 +0/)
  })
})
