import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Address, lowerCaseAddress } from '../../core/chain/evm.ts'
import { openDatabase } from '../../store/database.ts'
import { migrate } from '../../store/migrate.ts'
import { registerForwarder } from '../../store/x402/payee/forwarders.ts'
import { MACHINE } from '../support/clock.ts'
import { type HubChain, startHubChain } from '../support/servers/chain.ts'
import { createHome } from '../support/servers/devStack.ts'
import { roleUrl } from '../support/servers/roles.ts'
import { createDatabase, redisPrefix, redisUrl, type TestDatabase } from '../support/servers/run.ts'
import { storeMerchant } from '../support/store/invoice.ts'

/** A deployment from the time of the hub's first version is refused before anything is done with it. */

const ROOT = join(import.meta.dirname, '../..')
const OLD_HUB = lowerCaseAddress('0x00000000000000000000000000000000000b0001')
const OLD_ROWS = `the database has addresses of hubs of version 1 (${OLD_HUB})`

let chain: HubChain
let good: TestDatabase
let old: TestDatabase
let redis: string

beforeAll(async () => {
  chain = await startHubChain()
  good = await createDatabase(async (url) => prepare(url, chain.hub, 2))
  old = await createDatabase(async (url) => prepare(url, OLD_HUB, 1))
  redis = await redisUrl()
}, 120_000)

afterAll(async () => {
  await chain?.node.stop()
  await Promise.all([good?.drop(), old?.drop()])
})

describe.each(['api/main.ts', 'workers/main.ts', 'dev/main.ts'])('%s', (script) => {
  test('refuses a HUB_ADDRESS that is no hub of version 2', async () => {
    // The token is a contract that any chain has, and answers owner() as the first hubs did.
    const ran = await runToEnd(script, good, { HUB_ADDRESS: chain.usdc.address })
    expect(ran.code).toBe(1)
    expect(ran.said).toContain(`HUB_ADDRESS ${chain.usdc.address} on base-sepolia is no hub of`)
    expect(ran.said).toContain('`bun run remit hub deploy --chain base-sepolia`')
  }, 60_000)

  test('refuses a database with addresses of an earlier hub', async () => {
    const ran = await runToEnd(script, old, {})
    expect(ran.code).toBe(1)
    expect(ran.said).toContain(OLD_ROWS)
    expect(ran.said).toContain('start this one with an empty database')
  }, 60_000)
})

test('a home whose local chains have an earlier hub is refused, and nothing is started in it', async () => {
  const { home, remove } = createHome()
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'hub.json'), JSON.stringify({ hub: OLD_HUB }))
  const ran = await run('dev/main.ts', { REMIT_HOME: home, PORT: '0', GRAPHQL_PORT: '0' })
  remove()
  expect(ran.code).toBe(1)
  expect(ran.said).toContain(`the hub ${OLD_HUB} of version 1`)
  expect(ran.said).toContain('start with --fresh')
}, 60_000)

/** A database with a merchant whose forwarder belongs to this hub, of this version. */
async function prepare(url: string, hub: Address, version: number): Promise<void> {
  const sql = openDatabase(url, { name: 'test', poolSize: 1 })
  await migrate(sql)
  const merchantId = await storeMerchant(sql)
  await sql.begin((transaction) => registerForwarder(transaction, hub, merchantId))
  await sql`insert into known_hub (address, version) values (${hub}, ${version})
    on conflict (address) do update set version = excluded.version`
  await sql.end()
}

interface Ran {
  readonly code: number
  readonly said: string
}

async function runToEnd(
  script: string,
  { url }: TestDatabase,
  more: Record<string, string>,
): Promise<Ran> {
  const isApi = script.startsWith('api')
  const { home, remove } = createHome()
  const variables = Object.entries(chain.variables()).filter(
    ([name]) => !isApi || !/KEYS?(_|$)/.test(name),
  )
  const ran = await run(script, {
    ...Object.fromEntries(variables),
    REMIT_HOME: home,
    DATABASE_URL: script.startsWith('dev') ? url : await roleUrl(url, isApi ? 'api' : 'worker'),
    REDIS_URL: redis,
    REDIS_PREFIX: redisPrefix(),
    PORT: '0',
    GRAPHQL_PORT: '0',
    ...more,
  })
  remove()
  return ran
}

async function run(script: string, variables: Record<string, string | undefined>): Promise<Ran> {
  const child = Bun.spawn([process.execPath, join(ROOT, script)], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...MACHINE, ...variables },
  })
  // One that is not refused would run on.
  const end = setTimeout(() => child.kill(), 40_000)
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  const code = await child.exited
  clearTimeout(end)
  return { code, said: out + err }
}
