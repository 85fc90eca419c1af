import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createMerchant } from '../../../store/access/merchants.ts'
import { openDatabase } from '../../../store/database/database.ts'
import { HUB, readConfig } from '../../support/api/rig.ts'
import { type ApiProcess, killApi, startApi } from '../../support/servers/apiProcess.ts'
import { prepareLedger } from '../../support/servers/database.ts'
import { eventually } from '../../support/servers/devStack.ts'
import { roleUrl } from '../../support/servers/roles.ts'
import {
  createDatabase,
  redisPrefix,
  redisUrl,
  type TestDatabase,
} from '../../support/servers/run.ts'
import { type SilentProxy, startSilentProxyFor } from '../../support/servers/silentProxy.ts'

/** The API as production runs it, while Postgres and Redis say nothing and acknowledge everything. */

let database: TestDatabase
let postgres: SilentProxy
let redis: SilentProxy
let api: ApiProcess
let secretKey = ''

const OPERATOR_TOKEN = crypto.randomUUID()

beforeAll(async () => {
  database = await createDatabase(prepareLedger)
  const ownUrl = await roleUrl(database.url, 'api')
  const sharedRedis = await redisUrl()
  postgres = startSilentProxyFor(ownUrl)
  redis = startSilentProxyFor(sharedRedis)
  const variables = {
    REMIT_ENV: 'sandbox',
    HUB_ADDRESS: HUB,
    FEE_COLLECTOR: '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
    RPC_URL_BASE_SEPOLIA: 'http://127.0.0.1:1',
    PORT: '0',
    DASHBOARD_SECRET: 'a secret of thirty-two characters',
    SMTP_URL: 'smtp://127.0.0.1:1',
    OPERATOR_TOKEN,
    SILENCE_MS: '400',
    STOP_GRACE_S: '2',
    DATABASE_URL: postgres.through(ownUrl),
    REDIS_URL: redis.through(sharedRedis),
    REDIS_PREFIX: redisPrefix(),
  }
  const sql = openDatabase(database.url, { name: 'test', poolSize: 1 })
  const created = await createMerchant(sql, readConfig(variables), { name: 'T', recipient: null })
  if (!created.ok) throw new Error(created.message)
  secretKey = created.secretKey
  await sql.end()
  api = await startApi(variables)
}, 120_000)

afterAll(async () => {
  await killApi(api)
  postgres.stop()
  redis.stop()
  await database.drop()
})

const status = async () => {
  const answer = await fetch(`${api.url}/v1/invoices`, { headers: { 'x-service-key': secretKey } })
  await answer.text()
  return answer.status
}
const problems = async () => {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
  return (await fetch(`${api.url}/ready`, { headers })).text()
}
const REDIS = 'Redis does not respond'

test('after a silent Redis it is ready again by itself', async () => {
  await eventually(problems, (text) => !text.includes(REDIS))
  redis.silence()
  await eventually(problems, (text) => text.includes(REDIS))
  redis.speak()
  await eventually(problems, (text) => !text.includes(REDIS))
})

test('after a silent Postgres it answers again by itself', async () => {
  expect(await status()).toBe(200)
  postgres.silence()
  await eventually(status, (code) => code === 503)
  postgres.speak()
  await eventually(status, (code) => code === 200)
})

test('told to end, it frees its port at once and is gone, regardless of what still says nothing', async () => {
  postgres.silence()
  redis.silence()
  const asked = status().catch(() => 'cut off')
  api.child.kill('SIGTERM')
  await eventually(
    () =>
      status()
        .then(() => true)
        .catch(() => false),
    (isTaken) => !isTaken,
  )
  const { hostname, port } = new URL(api.url)
  const refusal = () => new Response('next', { status: 421 })
  const next = Bun.serve({ hostname, port: Number(port), fetch: refusal })
  expect(await api.child.exited).toBe(0)
  await next.stop(true)
  // The next one gets what this one had not accepted yet.
  expect([503, 'cut off', 421]).toContain(await asked)
})
