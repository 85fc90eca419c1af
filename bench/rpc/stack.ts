import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { withoutSigningKeys } from '../../core/config/reader.ts'
import { waitUntil } from '../../dev/processes/child.ts'
import { MEMORY_VARIABLES } from '../../dev/stack/entries.ts'
import { addressOf } from '../../dev/stack/keys.ts'
import { createMerchant } from '../../store/access/merchants.ts'
import type { Database } from '../../store/database/database.ts'
import { type HubChain, startHubChain, workerConfig } from '../../test/support/servers/chain.ts'
import { type FakeRpc, startFakeRpc } from '../../test/support/servers/fakeRpc.ts'
import { type Servers, startScript, withServers } from '../servers.ts'

/** All entry points as operators start them, on a chain whose nodes they reach through counting proxies. */

export interface CountedStack {
  readonly chain: HubChain
  readonly database: Database
  readonly secretKey: string
  readonly port: number
  /** Every call that any process made so far, by its method. */
  calls(): ReadonlyMap<string, number>
  /** The bytes of all answers to them. */
  bytes(): number
  /** Of the first process of each part. */
  readonly pids: Readonly<Record<Part, number>>
  stop(): Promise<void>
}

export const PARTS = ['API', 'worker', 'indexer', 'Postgres'] as const
export type Part = (typeof PARTS)[number]

export interface CountedOptions {
  readonly blockTimeMs: number
  /** How many RPC URLs lead to the node. */
  readonly urls: number
  readonly hasWebSocket: boolean
  /** Settings of our processes, and of Postgres, beside those that a benchmark has. */
  readonly variables?: Readonly<Record<string, string>>
  readonly postgres?: Readonly<Record<string, string>>
}

const READY_WITHIN_MS = 180_000
const RELAYERS = 3
const GAS_LIMIT = 200_000_000n

export function startCountedStack(options: CountedOptions): Promise<CountedStack> {
  return withServers((servers) => startOn(servers, options), true, options.postgres)
}

async function startOn(servers: Servers, options: CountedOptions): Promise<CountedStack> {
  const { dir, database, port, stop } = servers
  const { blockTimeMs, urls } = options
  const chain = await startHubChain({
    mining: blockTimeMs,
    gasLimit: GAS_LIMIT,
    relayers: RELAYERS,
  })
  servers.beforeStop(chain.node.stop)
  const proxies = Array.from({ length: urls }, () => startFakeRpc(chain.node.url))
  for (const proxy of proxies) servers.beforeStop(proxy.stop)
  const variables = chain.variables({
    ...MEMORY_VARIABLES,
    REMIT_ENV: 'sandbox',
    ...servers.variables,
    GRAPHQL_PORT: '0',
    RPC_URL_BASE_SEPOLIA: proxies.map(({ url }) => url).join(','),
    ...(options.hasWebSocket && { WS_URL_BASE_SEPOLIA: chain.node.wsUrl }),
    HEAD_POLLING_BASE_SEPOLIA: 'paced',
    BLOCK_TIME_MS_BASE_SEPOLIA: String(blockTimeMs),
    RATE_LIMIT_AUTHENTICATED: '100000000',
    RATE_LIMIT_PAYERS: '100000000',
    RATE_LIMIT_X402: '100000000',
    RELAYER_LEASE_MS: '15000',
    LOG_LEVEL: 'warn',
    ...options.variables,
  })
  const pids = { API: 0, worker: 0, indexer: 0, Postgres: servers.postgresPid }
  for (const [part, script, own, ownPort] of [
    ['indexer', 'indexer/main.ts', withoutSigningKeys(variables), null],
    ['API', 'api/main.ts', withoutSigningKeys(variables), port],
    ['worker', 'workers/main.ts', variables, null],
  ] as const) {
    const server = await startScript(script, own, join(dir, script.replaceAll('/', '-')), ownPort)
    servers.beforeStop(server.stop)
    pids[part] = server.pid
  }
  const { config } = workerConfig(variables)
  const recipient = addressOf(generatePrivateKey())
  const created = await createMerchant(database, config, { name: 'Bench', recipient })
  if (!created.ok) throw new Error(created.message)
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/ready`)).ok
  if (!(await waitUntil(isReady, READY_WITHIN_MS, 200))) {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`)
    throw new Error(`the stack is not ready: ${await answer.text()}`)
  }
  const { secretKey } = created
  const bytes = () => proxies.reduce((sum, proxy) => sum + proxy.bytes(), 0)
  return { chain, database, secretKey, port, calls: () => sumOf(proxies), bytes, pids, stop }
}

function sumOf(proxies: readonly FakeRpc[]): ReadonlyMap<string, number> {
  const sum = new Map<string, number>()
  for (const { calls } of proxies) {
    for (const [method, count] of calls) sum.set(method, (sum.get(method) ?? 0) + count)
  }
  return sum
}
