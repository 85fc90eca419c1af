import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import type { Variables } from '../../../core/config/reader.ts'
import { withoutSigningKeys } from '../../../core/config/reader.ts'
import {
  lastLines,
  spawnDetached,
  stopOnParentDeath,
  stopProcess,
  waitUntil,
} from '../../../dev/processes/child.ts'
import { claimPort } from '../../../dev/servers/ports.ts'
import { startRedis } from '../../../dev/servers/redis.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { createMerchant } from '../../../store/access/merchants.ts'
import type { Process } from '../../../store/database/access.ts'
import type { Database } from '../../../store/database/database.ts'
import { type HubChain, startHubChain, workerConfig } from '../servers/chain.ts'
import { databaseUrlOf, freshDatabase } from '../servers/database.ts'
import { eventually } from '../servers/devStack.ts'
import { roleUrl } from '../servers/roles.ts'
import type { SettleJson, Shop } from './stack.ts'

/**
 * API, worker and Redis as processes of their own, which may be killed at any moment and are started
 * again at once, as an operator would.
 */

const ROOT = join(import.meta.dirname, '../../..')
const BLOCK_MS = 500
const PRICE_USD = 0.01
const READY_WITHIN_MS = 60_000
/** Longer than the API lets a caller wait. */
const CALLER_WAITS_MS = 40_000

export const PARTS = ['api', 'worker', 'redis'] as const
export type Part = (typeof PARTS)[number]

export interface X402Processes {
  readonly chain: HubChain
  readonly database: Database
  readonly merchant: Shop
  /** Of the merchant's endpoint, as the API answered them. */
  readonly requirements: Readonly<Record<string, unknown>>
  /** What an operator's command line is given. */
  readonly variables: Variables
  /** Ends a part by SIGKILL; false when it is just being started. */
  kill(part: Part): boolean
  /** Whether the API answers at the moment. */
  answers(): Promise<boolean>
  /** @throws when no answer came, or one that says that the server is at fault. */
  settle(body: unknown, headers?: Readonly<Record<string, string>>): Promise<SettleJson>
  /** The data of an answer of the API. */
  get(path: string): Promise<Record<string, unknown>>
  close(): Promise<void>
}

export async function startX402Processes(
  own: Readonly<Record<string, string>> = {},
  /** Stands between the worker and the node. */
  behind: (nodeUrl: string) => string = (url) => url,
): Promise<X402Processes> {
  const dir = mkdtempSync(join(tmpdir(), 'remit-x402-'))
  chmodSync(dir, 0o711)
  const chain = await startHubChain({ mining: BLOCK_MS, relayers: 6 })
  const database = await freshDatabase()
  const [port, redisPort] = [await claimPort(0, 'the API'), await claimPort(0, 'Redis')]
  const variables = chain.variables({
    REMIT_ENV: 'sandbox',
    DATABASE_URL: databaseUrlOf(database),
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    PORT: String(port),
    BLOCK_TIME_MS_BASE_SEPOLIA: String(BLOCK_MS),
    RELAYER_LEASE_MS: '2000',
    X402_BATCH_MAX: '10',
    X402_DISTRIBUTE_FROM: '0',
    X402_DISTRIBUTE_AFTER_S: '0',
    RATE_LIMIT_X402: '1000000',
    LOG_LEVEL: 'warn',
    ...own,
  })
  const script = (path: string, environment: Variables, log: string) => async () =>
    spawnDetached({
      command: process.execPath,
      args: [join(ROOT, path)],
      cwd: ROOT,
      env: { ...process.env, ...environment },
      output: { file: join(dir, log) },
    }).running
  const ofRole = async (process: Process) => ({
    ...variables,
    DATABASE_URL: await roleUrl(databaseUrlOf(database), process),
  })
  const ofApi = withoutSigningKeys(await ofRole('api'))
  const workerRpcUrl = behind(chain.node.url)
  const ofWorker = { ...(await ofRole('worker')), RPC_URL_BASE_SEPOLIA: workerRpcUrl }
  const parts: Record<Part, Undying> = {
    redis: await undying(() => startRedis({ dataDir: join(dir, 'redis'), port: redisPort })),
    api: await undying(script('api/main.ts', ofApi, 'api.log')),
    worker: await undying(script('workers/main.ts', ofWorker, 'worker.log')),
  }
  const url = `http://127.0.0.1:${port}`
  const close = async () => {
    for (const part of PARTS) await parts[part].stop()
    await database.end({ timeout: 1 })
    await chain.node.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    const shop = await openShop(url, database, chain, variables)
    return {
      ...shop,
      chain,
      database,
      variables: withoutSigningKeys(variables),
      kill: (part) => parts[part].kill(),
      answers: () => isUp(url),
      settle: (body, headers) => settle(url, body, headers),
      get: async (path) => Object((await call(url + path)).data),
      close,
    }
  } catch (error) {
    const words = ['api.log', 'worker.log'].map((log) => lastLines(join(dir, log)))
    await close()
    throw new Error(`the processes did not come up:\n${words.join('\n')}`, { cause: error })
  }
}

interface Undying {
  kill(): boolean
  stop(): Promise<void>
}

type Alive = { readonly pid: number; readonly exited: Promise<unknown> }

/** Starts a process, and starts it again whenever it has ended. */
async function undying(start: () => Promise<Alive>): Promise<Undying> {
  let isStopping = false
  const born = async () => {
    const alive = await start()
    return { ...alive, release: stopOnParentDeath(alive.pid, 'SIGKILL') }
  }
  let current = await born()
  let isAlive = true
  const watch = async () => {
    while (!isStopping) {
      await current.exited
      isAlive = false
      current.release()
      await Bun.sleep(100)
      if (isStopping) return
      current = await born()
      isAlive = true
    }
  }
  const watching = watch()
  return {
    kill() {
      if (isAlive) process.kill(current.pid, 'SIGKILL')
      return isAlive
    },
    async stop() {
      isStopping = true
      await stopProcess(current.pid)
      await watching
      await stopProcess(current.pid)
      current.release()
    },
  }
}

/** A merchant with an endpoint, once its forwarder is deployed and its treasury is known on-chain. */
async function openShop(
  url: string,
  database: Database,
  chain: HubChain,
  variables: Variables,
): Promise<{ merchant: Shop; requirements: Record<string, unknown> }> {
  const { config } = workerConfig(variables)
  const recipient: Address = addressOf(generatePrivateKey())
  const created = await createMerchant(database, config, { name: 'Shop', recipient })
  if (!created.ok) throw new Error(created.message)
  const { secretKey } = created
  if (!(await waitUntil(() => isUp(url), READY_WITHIN_MS)))
    throw new Error('the API does not answer')
  const { data } = await call(`${url}/v1/x402/endpoints`, {
    method: 'POST',
    headers: { 'X-Service-Key': secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      endpointUrl: 'https://shop.example/weather',
      description: 'Weather',
      asset: 'USDC',
      network: `eip155:${chain.node.chainId}`,
      amountUsd: PRICE_USD,
    }),
  })
  const requirements: Record<string, unknown> = { ...Object(data).payment_requirements }
  await eventually(
    async () => (await database`select from work_item where state <> 'settled'`).length,
    (open) => open === 0,
    READY_WITHIN_MS,
  )
  const forwarder = lowerCaseAddress(String(requirements.payTo))
  return { merchant: { id: created.merchant.id, secretKey, recipient, forwarder }, requirements }
}

function isUp(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

async function settle(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<SettleJson> {
  const response = await fetch(`${url}/v1/x402/settle`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CALLER_WAITS_MS),
  })
  if (response.status !== 200) throw new Error(`settle answered ${response.status}`)
  return response.json()
}

async function call(url: string, init?: RequestInit): Promise<{ data: unknown }> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return { data: Object(JSON.parse(text)).data }
}
