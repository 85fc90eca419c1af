import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '../../../store/database/database.ts'
import { MACHINE } from '../../support/clock.ts'
import { type HubChain, startHubChain } from '../../support/servers/chain.ts'
import { prepareLedger } from '../../support/servers/database.ts'
import { createHome } from '../../support/servers/devStack.ts'
import { roleUrl } from '../../support/servers/roles.ts'
import {
  createDatabase,
  redisPrefix,
  redisUrl,
  type TestDatabase,
} from '../../support/servers/run.ts'

/** What can't be worked with is refused before anything is done with it. */

const ROOT = join(import.meta.dirname, '../../..')

let chain: HubChain
let good: TestDatabase
let old: TestDatabase
let redis: string

beforeAll(async () => {
  chain = await startHubChain()
  good = await createDatabase(prepareLedger)
  old = await createDatabase()
  const sql = openDatabase(old.url, { name: 'test', poolSize: 1 })
  await sql`create table migration (name text primary key, checksum text not null)`
  await sql`insert into migration values ('0001_ledger.sql', 'x')`
  await sql.end()
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
})

test.each(['workers/main.ts', 'dev/main.ts', 'cli/main.ts migrate'])(
  '%s refuses a database of a development version',
  async (script) => {
    const ran = await runToEnd(script, old, {})
    expect(ran.code).toBe(1)
    expect(ran.said).toContain('start with `bun run dev --fresh`')
  },
  60_000,
)

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
    DATABASE_URL: isApi ? await roleUrl(url, 'api') : url,
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
  const child = Bun.spawn([process.execPath, ...script.split(' ')], {
    cwd: ROOT,
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
