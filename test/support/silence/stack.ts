import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type Address, lowerCaseAddress } from '../../../core/chain/evm.ts'
import { parseConfig } from '../../../core/config/processes.ts'
import { type Variables, withoutSigningKeys } from '../../../core/config/reader.ts'
import {
  lastLines,
  spawnDetached,
  stopOnParentDeath,
  stopProcess,
  waitUntil,
} from '../../../dev/processes/child.ts'
import { claimPort } from '../../../dev/servers/ports.ts'
import { addressOf } from '../../../dev/stack/keys.ts'
import { createMerchant } from '../../../store/access/merchants.ts'
import type { Database } from '../../../store/database/database.ts'
import { type HubChain, startHubChain } from '../servers/chain.ts'
import { databaseUrlOf, freshDatabase } from '../servers/database.ts'
import { redisPrefix, redisUrl } from '../servers/run.ts'
import { type SilentProxy, startSilentProxyFor } from '../servers/silentProxy.ts'
import { randomHex, signAuthorization } from '../x402/authorizations.ts'
import { v2Body } from '../x402/requests.ts'

/** API, worker and indexer as processes of their own, each of which reaches each server by a proxy of its own. */

const ROOT = join(import.meta.dirname, '../../..')
const READY_WITHIN_MS = 120_000
const BLOCK_MS = 500
const FUNDS = 100_000_000n
const PRICE = 10_000n
const DAY_S = 86_400n

export const PROCESSES = ['api', 'worker', 'indexer', 'cli'] as const
export type ProcessName = (typeof PROCESSES)[number]
export const WIRES = ['Postgres', 'Redis', 'RPC', 'WebSocket'] as const
export type Wire = (typeof WIRES)[number]

export interface SilenceStack {
  readonly chain: HubChain
  readonly database: Database
  readonly redis: { readonly url: string; readonly prefix: string }
  proxy(process: ProcessName, wire: Wire): SilentProxy
  /** What a process is given, with its proxies in it. */
  variables(process: ProcessName): Variables
  /** The API's answer, as text; rejects when there is none within some seconds. */
  ask(path: string, body?: unknown): Promise<{ readonly status: number; readonly text: string }>
  /** A paid request that has yet to be settled, for which the API asks its node. */
  payment(): Promise<Record<string, unknown>>
  close(): Promise<void>
}

const OPERATOR_TOKEN = crypto.randomUUID()
const SCRIPTS = { api: 'api/main.ts', worker: 'workers/main.ts', indexer: 'indexer/main.ts' }

export async function startSilenceStack(): Promise<SilenceStack> {
  const dir = mkdtempSync(join(tmpdir(), 'remit-silence-'))
  const chain = await startHubChain({ mining: BLOCK_MS, relayers: 2 })
  const database = await freshDatabase()
  const redis = { url: await redisUrl(), prefix: redisPrefix() }
  const port = await claimPort(0, 'the API')
  const targets: Record<Wire, string> = {
    Postgres: databaseUrlOf(database),
    Redis: redis.url,
    RPC: chain.node.url,
    WebSocket: chain.node.url,
  }
  const proxies = new Map(
    PROCESSES.flatMap((name) =>
      WIRES.map((wire) => [`${name} ${wire}`, startSilentProxyFor(targets[wire])] as const),
    ),
  )
  const proxy = (name: ProcessName, wire: Wire): SilentProxy => {
    const found = proxies.get(`${name} ${wire}`)
    if (found === undefined) throw new Error(`${name} has no ${wire}`)
    return found
  }
  const shared = chain.variables({
    REMIT_ENV: 'sandbox',
    REDIS_PREFIX: redis.prefix,
    PORT: String(port),
    GRAPHQL_PORT: '0',
    BLOCK_TIME_MS_BASE_SEPOLIA: String(BLOCK_MS),
    RATE_LIMIT_AUTHENTICATED: '1000000',
    RATE_LIMIT_X402: '1000000',
    LOG_LEVEL: 'warn',
    OPERATOR_TOKEN,
    RELAYER_LEASE_MS: '5000',
  })
  const variables = (name: ProcessName): Variables => {
    const through = (wire: Wire) => proxy(name, wire).through(targets[wire])
    const all = {
      ...shared,
      DATABASE_URL: through('Postgres'),
      REDIS_URL: through('Redis'),
      RPC_URL_BASE_SEPOLIA: through('RPC'),
      ...(name === 'indexer'
        ? { WS_URL_BASE_SEPOLIA: through('WebSocket').replace('http', 'ws') }
        : {}),
    }
    // The command line has those of the stack's roles, whose addresses it compares with the hub's.
    return name === 'worker' || name === 'cli' ? all : withoutSigningKeys(all)
  }
  const running = (['api', 'indexer', 'worker'] as const).map((name) => {
    const { pid } = spawnDetached({
      command: process.execPath,
      args: [join(ROOT, SCRIPTS[name])],
      cwd: ROOT,
      env: { ...process.env, ...variables(name) },
      output: { file: join(dir, `${name}.log`) },
    }).running
    return { name, pid, release: stopOnParentDeath(pid, 'SIGKILL') }
  })
  const close = async () => {
    for (const { pid, release } of running) {
      await stopProcess(pid)
      release()
    }
    for (const each of proxies.values()) each.stop()
    await database.end({ timeout: 1 })
    await chain.node.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  try {
    const shop = await openShop(url, database, chain, {
      ...shared,
      DATABASE_URL: targets.Postgres,
      REDIS_URL: targets.Redis,
    })
    return { chain, database, redis, proxy, variables, ...shop, close }
  } catch (error) {
    const words = running.map(({ name }) => lastLines(join(dir, `${name}.log`)))
    await close()
    throw new Error(`the processes did not come up:\n${words.join('\n')}`, { cause: error })
  }
}

/** A merchant with an endpoint, and a payer with money. */
async function openShop(url: string, database: Database, chain: HubChain, variables: Variables) {
  const parsed = parseConfig(variables)
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  const recipient = addressOf(generatePrivateKey())
  const created = await createMerchant(database, parsed.config, { name: 'Shop', recipient })
  if (!created.ok) throw new Error(created.message)
  const ask = async (path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'X-Service-Key': created.secretKey,
        'content-type': 'application/json',
        authorization: `Bearer ${OPERATOR_TOKEN}`,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
    return { status: response.status, text: await response.text() }
  }
  const isReady = () =>
    ask('/ready').then(
      ({ status }) => status === 200,
      () => false,
    )
  if (!(await waitUntil(isReady, READY_WITHIN_MS))) throw new Error('the API is not ready')
  const endpoint = await ask('/v1/x402/endpoints', {
    endpointUrl: 'https://shop.example/weather',
    description: 'Weather',
    asset: 'USDC',
    network: `eip155:${chain.node.chainId}`,
    amountUsd: 0.01,
  })
  const requirements = { ...Object(JSON.parse(endpoint.text)).data.payment_requirements }
  const payTo = lowerCaseAddress(String(requirements.payTo))
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.mint([{ to: payer.address, amount: FUNDS }])
  return { ask, payment: () => newPayment(chain, payer, payTo, requirements) }
}

async function newPayment(
  chain: HubChain,
  payer: PrivateKeyAccount,
  payTo: Address,
  requirements: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { timestamp } = await chain.client.getBlock()
  const authorization = {
    from: lowerCaseAddress(payer.address),
    to: payTo,
    value: PRICE,
    validAfter: 0n,
    validBefore: timestamp + DAY_S,
    nonce: randomHex(32),
  }
  const signature = await signAuthorization(chain, payer, authorization)
  return v2Body(requirements, authorization, signature)
}
