import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import type { Address } from '../../../core/chain/evm.ts'
import { suffix } from '../../../core/config/chains.ts'
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
import { eventually } from '../servers/devStack.ts'
import { type FakeRpc, startFakeRpc } from '../servers/fakeRpc.ts'
import { redisPrefix, redisUrl } from '../servers/run.ts'

/**
 * API, indexer and worker as processes of their own, on two chains that they reach by way of providers
 * alone: one URL for each chain, shared by all of them.
 */

const ROOT = join(import.meta.dirname, '../../..')
const READY_WITHIN_MS = 90_000

export interface PooledChain {
  readonly chain: HubChain
  /** What the processes take for the node. */
  readonly provider: FakeRpc
  /** Of the merchant's endpoint on this chain, as the API answered them. */
  readonly requirements: Readonly<Record<string, unknown>>
}

export interface LogLine {
  readonly level: number
  readonly msg: string
  readonly process: string
}

export interface PooledStack {
  readonly chains: readonly PooledChain[]
  readonly database: Database
  readonly merchant: { readonly secretKey: string; readonly recipient: Address }
  /** What an operator's command line is given: the nodes themselves, which don't lie. */
  readonly variables: Variables
  /** The API's answer to a request with the merchant's key. */
  call(path: string, body?: unknown): Promise<Record<string, unknown>>
  /** What the processes have logged since the start, from `warn` upward. */
  logged(): LogLine[]
  close(): Promise<void>
}

/** Starts everything with providers that behave. */
export async function startPooledStack(blockMs: number): Promise<PooledStack> {
  const dir = mkdtempSync(join(tmpdir(), 'remit-pools-'))
  const base = await startHubChain({ mining: blockMs, relayers: 3 })
  const sepolia = await startHubChain({
    mining: blockMs,
    relayers: 3,
    networkId: 'sepolia',
    roles: base.roles,
  })
  const hubChains = [base, sepolia]
  const providers = hubChains.map(({ node }) => startFakeRpc(node.url))
  const database = await freshDatabase()
  const port = await claimPort(0, 'the API')
  const own = Object.fromEntries(
    hubChains.flatMap(({ networkId }, i) => [
      [`RPC_URL_${suffix(networkId)}`, providers[i]?.url ?? ''],
      [`BLOCK_TIME_MS_${suffix(networkId)}`, String(blockMs)],
      [`HEAD_POLLING_${suffix(networkId)}`, 'paced'],
    ]),
  )
  const honest: Variables = {
    ...sepolia.variables(),
    ...base.variables(),
    REMIT_ENV: 'sandbox',
    DATABASE_URL: databaseUrlOf(database),
    REDIS_URL: await redisUrl(),
    REDIS_PREFIX: redisPrefix(),
    PORT: String(port),
    GRAPHQL_PORT: '0',
    X402_DISTRIBUTE_FROM: '0',
    X402_DISTRIBUTE_AFTER_S: '0',
    RATE_LIMIT_X402: '1000000',
    RATE_LIMIT_AUTHENTICATED: '1000000',
    LOG_LEVEL: 'warn',
  }
  const variables = { ...honest, ...own }
  const scripts = { api: 'api/main.ts', indexer: 'indexer/main.ts', worker: 'workers/main.ts' }
  const running = Object.entries(scripts).map(([name, script]) => {
    const signs = name === 'worker'
    const started = spawnDetached({
      command: process.execPath,
      args: [join(ROOT, script)],
      cwd: ROOT,
      env: { ...process.env, ...(signs ? variables : withoutSigningKeys(variables)) },
      output: { file: join(dir, `${name}.log`) },
    }).running
    return { name, pid: started.pid, release: stopOnParentDeath(started.pid, 'SIGKILL') }
  })
  const logged = () => running.flatMap(({ name }) => linesOf(join(dir, `${name}.log`), name))
  const close = async () => {
    for (const { pid, release } of running) {
      await stopProcess(pid)
      release()
    }
    for (const provider of providers) await provider.stop()
    await database.end({ timeout: 1 })
    for (const { node } of hubChains) await node.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    const shop = await openShop(`http://127.0.0.1:${port}`, database, hubChains, honest)
    const chains = hubChains.map((chain, i): PooledChain => {
      const [provider, requirements] = [providers[i], shop.requirements[i]]
      if (!provider || !requirements) throw new Error('there is no such chain')
      return { chain, provider, requirements }
    })
    const { secretKey, recipient, call } = shop
    const merchant = { secretKey, recipient }
    return {
      chains,
      database,
      merchant,
      variables: withoutSigningKeys(honest),
      call,
      logged,
      close,
    }
  } catch (error) {
    const words = running.map(({ name }) => lastLines(join(dir, `${name}.log`)))
    await close()
    throw new Error(`the processes did not come up:\n${words.join('\n')}`, { cause: error })
  }
}

/** A merchant with an endpoint on each chain, once its forwarders are deployed and all chains indexed. */
async function openShop(
  url: string,
  database: Database,
  chains: readonly HubChain[],
  variables: Variables,
) {
  const parsed = parseConfig(variables)
  if (!parsed.ok) throw new Error(parsed.problems.join('\n'))
  const recipient = addressOf(generatePrivateKey())
  const created = await createMerchant(database, parsed.config, { name: 'Shop', recipient })
  if (!created.ok) throw new Error(created.message)
  const { secretKey } = created
  const call = async (path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'X-Service-Key': secretKey, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(40_000),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }
  const isUp = () =>
    fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  if (!(await waitUntil(isUp, READY_WITHIN_MS))) throw new Error('the API is not ready')
  const requirements: Record<string, unknown>[] = []
  for (const { node } of chains) {
    const { data } = await call('/v1/x402/endpoints', {
      endpointUrl: `https://shop.example/weather/${node.chainId}`,
      description: 'Weather',
      asset: 'USDC',
      network: `eip155:${node.chainId}`,
      amountUsd: 0.01,
    })
    requirements.push({ ...Object(data).payment_requirements })
  }
  await eventually(
    async () => (await database`select from work_item where state <> 'settled'`).length,
    (open) => open === 0,
    READY_WITHIN_MS,
  )
  return { secretKey, recipient, call, requirements }
}

function linesOf(file: string, process: string): LogLine[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .flatMap((line) => {
      const { level, msg } = Object(JSON.parse(line))
      return level >= 40 ? [{ level, msg: String(msg), process }] : []
    })
}
