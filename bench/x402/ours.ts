import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import type { MerchantId } from '../../core/base/ids.ts'
import type { Variables } from '../../core/config/reader.ts'
import { withoutSigningKeys } from '../../core/config/reader.ts'
import { waitUntil } from '../../dev/processes/child.ts'
import { MEMORY_VARIABLES } from '../../dev/stack/entries.ts'
import { addressOf } from '../../dev/stack/keys.ts'
import { createMerchant } from '../../store/access/merchants.ts'
import type { Database } from '../../store/database/database.ts'
import { type HubChain, workerConfig } from '../../test/support/servers/chain.ts'
import { type Servers, startScript, withServers } from '../servers.ts'
import { PRICE, startBenchChain } from './chain.ts'
import { member } from './json.ts'
import { inScheme } from './schemes/requirements.ts'
import type { PaymentRequirements, Side, SideOptions } from './side.ts'

const ACCOUNTS = 4
/** Automine has no block time; this is the shortest that a chain may have. */
const AUTOMINE_BLOCK_MS = 100
const READY_WITHIN_MS = 60_000
const REST_WITHIN_MS = 15_000

/** The API and a worker as operators start them, on a fresh chain, Postgres and Redis. */
export function startOurs(options: SideOptions): Promise<Side> {
  return withServers((servers) => startOn(servers, options))
}

async function startOn(servers: Servers, options: SideOptions): Promise<Side> {
  const { dir, database, port, stop } = servers
  const chain = await startBenchChain(options.blocks, ACCOUNTS)
  servers.beforeStop(chain.node.stop)
  const variables = variablesOf(chain, options, servers.variables)
  const processes: Record<string, number> = {}
  for (const [part, script, own, ownPort] of [
    ['API', 'api/main.ts', withoutSigningKeys(variables), port],
    ['worker', 'workers/main.ts', variables, null],
  ] as const) {
    const log = join(dir, script.replaceAll('/', '-'))
    const server = await startScript(script, own, log, ownPort)
    servers.beforeStop(async () => repeat(script, server.words()))
    servers.beforeStop(server.stop)
    processes[part] = server.pid
  }
  const merchants: PaymentRequirements[] = []
  const headers: Record<string, string> = {}
  for (let i = 0; i < options.merchants; i += 1) {
    const { requirements, secretKey } = await registerMerchant(database, variables, port, chain)
    merchants.push(
      options.scheme ? inScheme(options.scheme, requirements, chain, chain.hub) : requirements,
    )
    if (options.scheme === 'upto') headers['X-Service-Key'] = secretKey
  }
  await forwardersReady(database, options.merchants)
  return {
    name: 'ours',
    chain,
    port,
    paths: { verify: '/v1/x402/verify', settle: '/v1/x402/settle' },
    headers,
    merchants,
    senders: chain.relayerKeys.map(addressOf),
    processes: {
      ...processes,
      Postgres: servers.postgresPid,
      Redis: servers.redisPid,
      chain: chain.node.pid,
    },
    rest: () => resting(database),
    stop,
  }
}

/** What our processes are started with. */
export function variablesOf(
  chain: HubChain,
  { blocks, variables = {} }: SideOptions,
  servers: Record<string, string>,
): Variables {
  return chain.variables({
    ...MEMORY_VARIABLES,
    REMIT_ENV: 'sandbox',
    WS_URL_BASE_SEPOLIA: chain.node.wsUrl,
    BLOCK_TIME_MS_BASE_SEPOLIA: String(blocks === 'automine' ? AUTOMINE_BLOCK_MS : blocks),
    // All callers share an address here.
    RATE_LIMIT_X402: '100000000',
    REQUEST_BUDGET: '1000000000',
    RELAYER_LEASE_MS: '15000',
    LOG_LEVEL: 'warn',
    ...variables,
    ...servers,
  })
}

export interface RegisteredMerchant {
  readonly id: MerchantId
  readonly secretKey: string
  /** How its endpoint is paid. */
  readonly requirements: PaymentRequirements
}

/** A merchant as an operator creates it, and its endpoint as the merchant registers it. */
export async function registerMerchant(
  database: Database,
  variables: Variables,
  port: number,
  { node }: HubChain,
): Promise<RegisteredMerchant> {
  const { config } = workerConfig(variables)
  const recipient = addressOf(generatePrivateKey())
  const created = await createMerchant(database, config, { name: 'Bench', recipient })
  if (!created.ok) throw new Error(created.message)
  const response = await fetch(`http://127.0.0.1:${port}/v1/x402/endpoints`, {
    method: 'POST',
    headers: { 'X-Service-Key': created.secretKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      endpointUrl: 'https://shop.example/weather',
      description: 'Weather',
      asset: 'USDC',
      network: `eip155:${node.chainId}`,
      amountUsd: PRICE,
    }),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`the endpoint was refused: ${JSON.stringify(answer)}`)
  const requirements = readRequirements(member(member(answer, 'data'), 'payment_requirements'))
  return { id: created.merchant.id, secretKey: created.secretKey, requirements }
}

/** With everything that was answered, since it is sent back unchanged. */
function readRequirements(given: unknown): PaymentRequirements {
  const text = (name: string) => String(member(given, name))
  return {
    ...(typeof given === 'object' ? given : {}),
    scheme: text('scheme'),
    network: text('network'),
    amount: text('amount'),
    asset: text('asset'),
    payTo: text('payTo'),
    maxTimeoutSeconds: Number(text('maxTimeoutSeconds')),
    extra: Object.fromEntries(Object.entries(member(given, 'extra') ?? {})),
  }
}

/** Waits until every merchant's forwarder is deployed and its registry entry is on the chain. */
export async function forwardersReady(database: Database, merchants: number): Promise<void> {
  const isReady = await waitUntil(async () => {
    const [row] = await database<{ done: number }[]>`
      select count(*)::int as done from work_item
      where kind in ('deploy', 'configure') and state = 'settled'`
    return row?.done === 2 * merchants
  }, READY_WITHIN_MS)
  if (!isReady) throw new Error('the forwarders were not deployed in time')
}

/** Waits until nothing is on its way to the chain, at most a few seconds. */
export async function resting(database: Database): Promise<void> {
  await waitUntil(async () => {
    const [row] = await database<{ waiting: number }[]>`
      select (select count(*) from work_item where state = 'queued' and not_before <= now())
        + (select count(*) from relayer_tx where state = 'signed') as waiting`
    return Number(row?.waiting) === 0
  }, REST_WITHIN_MS)
}

/** Warnings and errors are rare, or explain an odd figure. */
function repeat(script: string, words: string): void {
  const lines = words.trim().split('\n').slice(-3)
  if (words.trim() !== '') console.log(`${script} said at last:\n${lines.join('\n')}`)
}
