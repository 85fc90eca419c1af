import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '../../../api/app.ts'
import { LONG_READ_CONNECTIONS } from '../../../store/database/longReads.ts'
import { type ApiRig, openRig } from '../../support/api/rig.ts'
import { MACHINE } from '../../support/clock.ts'
import { eventually } from '../../support/servers/devStack.ts'

/** Reports and the list of held money, one at a time for each merchant. */

let rig: ApiRig
beforeAll(async () => {
  rig = await openRig({ longReads: { timeoutMs: 100, idleMs: 3_000 } })
})
afterAll(() => rig.close())

const PATHS = ['/v1/reports/daily', '/v1/reports/transactions.csv', '/v1/recoveries']

describe.each(PATHS)('%s', (path) => {
  test('is refused while another report of the merchant is read, and not to anyone else', async () => {
    const { secretKey: key, merchant } = await rig.newMerchant()
    const read = await rig.deps.longReads.begin(merchant.id)
    const refused = await rig.call('GET', path, { key })
    expect([refused.status, refused.json.error]).toEqual([429, 'another report is being read'])
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(refused.headers.get('x-ratelimit-limit')).not.toBeNull()
    expect((await rig.call('GET', path)).status).toBe(200)
    expect((await rig.call('GET', '/v1/invoices', { key })).status).toBe(200)
    read?.end()
    const answers = []
    for (let i = 0; i < 5; i += 1) answers.push(await rig.call('GET', path, { key }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  })
})

test('a report that fails leaves the turn to the next one', async () => {
  const { secretKey: key } = await rig.newMerchant()
  const broken = createApp({
    ...rig.deps,
    longReads: {
      async begin(merchantId) {
        const read = await rig.deps.longReads.begin(merchantId)
        return read && { ...read, read: () => Promise.reject(new Error('broken')) }
      },
    },
  })
  for (const path of PATHS) {
    const headers = { 'x-service-key': key }
    const answer = await broken.handle(new Request(`http://localhost${path}`, { headers }))
    expect(answer.status).toBe(500)
    expect((await rig.call('GET', path, { key })).status).toBe(200)
  }
})

test('a report whose reader goes away leaves the turn to the next one', async () => {
  const { secretKey: key } = await rig.newMerchant()
  const app = createApp(rig.deps)
  const headers = { 'x-service-key': key }
  const url = 'http://localhost/v1/reports/transactions.csv'
  const left = await app.handle(new Request(url, { headers }))
  await left.body?.cancel()
  expect((await rig.call('GET', '/v1/reports/daily', { key })).status).toBe(200)
  // One that neither reads nor leaves has its turn taken away.
  await app.handle(new Request(url, { headers }))
  expect((await rig.call('GET', '/v1/reports/daily', { key })).status).toBe(429)
  await eventually(
    () => rig.call('GET', '/v1/reports/daily', { key }),
    ({ status }) => status === 200,
  )
})

test('a process has two connections for them', async () => {
  const child = Bun.spawn([process.execPath, 'api/main.ts'], {
    env: {
      ...MACHINE,
      DATABASE_URL: rig.config.databaseUrl,
      REDIS_URL: rig.config.redisUrl,
      REDIS_PREFIX: `${rig.config.redisPrefix}-child`,
      HUB_ADDRESS: rig.config.hub,
      FEE_COLLECTOR: rig.config.feeCollector,
      RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:1',
      PORT: '0',
    },
    stdout: 'pipe',
  })
  try {
    const url = await urlOf(child.stdout)
    const call = async (path: string) => {
      const { secretKey } = await rig.newMerchant()
      return fetch(`${url}${path}`, { headers: { 'x-service-key': secretKey } })
    }
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => (await call(PATHS[i % 3] ?? '')).status),
    )
    expect(statuses).toEqual(Array(12).fill(200))
    const [{ connections } = { connections: 0 }] = await rig.database<{ connections: number }[]>`
      select count(*)::integer as connections from pg_stat_activity
      where datname = current_database() and application_name = 'remit-api-reports'`
    expect(connections).toBeGreaterThan(0)
    expect(connections).toBeLessThanOrEqual(LONG_READ_CONNECTIONS)
  } finally {
    child.kill('SIGTERM')
    await child.exited
  }
  expect(LONG_READ_CONNECTIONS).toBe(2)
}, 120_000)

/** The address that a starting API says it listens at. */
async function urlOf(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let seen = ''
  for await (const chunk of stdout) {
    seen += new TextDecoder().decode(chunk)
    const found = /"url":"([^"]+)"/.exec(seen)
    if (found?.[1] !== undefined) return found[1]
  }
  throw new Error(`the API did not start: ${seen}`)
}
