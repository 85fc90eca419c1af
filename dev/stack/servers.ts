/** The embedded servers under supervision: Postgres, Redis and the local chains. */
import type { Chain } from '../../core/chain/registry.ts'
import type { StackError } from '../processes/child.ts'
import { supervise } from '../processes/supervisor.ts'
import { sayAs } from '../processes/terminal.ts'
import { type Anvil, startAnvil } from '../servers/anvil.ts'
import { claimPort } from '../servers/ports.ts'
import { startPostgres } from '../servers/postgres.ts'
import { startRedis } from '../servers/redis.ts'
import type { Home } from './home.ts'
import type { Settings } from './settings.ts'

export type LocalNode = { chain: Chain; node: Anvil }

export type Servers = {
  databaseUrl: string
  redisUrl: string
  nodes: readonly LocalNode[]
}

export type Surroundings = {
  home: Home
  settings: Settings
  /** Remembers how to stop a part; parts are stopped in the reverse order of their start. */
  onStop: (stop: () => Promise<void>) => void
  onGiveUp: (reason: StackError) => void
}

/** Blocks of local chains appear at this pace while anything happens on them. */
export const BLOCK_TIME_MS = 1000

/**
 * Starts what the environment doesn't name. Ports are chosen once: a server that is started again
 * comes back where its clients look for it.
 */
export async function startServers(around: Surroundings): Promise<Servers> {
  const { settings } = around
  const databaseUrl = settings.databaseUrl ?? (await embeddedPostgres(around))
  const redisUrl = settings.redisUrl ?? (await embeddedRedis(around))
  const nodes = await Promise.all(
    settings.localChains.map(async ({ chain, port, portVariable }) => {
      const node = await localChain(around, chain, port, portVariable)
      return { chain, node }
    }),
  )
  return { databaseUrl, redisUrl, nodes }
}

async function embeddedPostgres({
  home,
  settings,
  onStop,
  onGiveUp,
}: Surroundings): Promise<string> {
  const say = sayAs('postgres')
  const log = home.log('postgres')
  let port = settings.postgresPort
  let url = ''
  const start = async () => {
    const server = await startPostgres({ dataDir: home.postgres, port, log })
    port = server.port
    url = server.url
    return server
  }
  const began = performance.now()
  const child = await supervise({ name: 'postgres', start, log, say, onGiveUp })
  onStop(child.stop)
  say(`${url} (${seconds(began)})`)
  return url
}

async function embeddedRedis({ home, settings, onStop, onGiveUp }: Surroundings): Promise<string> {
  const say = sayAs('redis')
  const log = home.log('redis')
  let port = settings.redisPort
  let url = ''
  const start = async () => {
    const server = await startRedis({ dataDir: home.redis, port, log, say })
    port = server.port
    url = server.url
    return server
  }
  const began = performance.now()
  const child = await supervise({ name: 'redis', start, log, say, onGiveUp })
  onStop(child.stop)
  say(`${url} (${seconds(began)})`)
  return url
}

async function localChain(
  { home, onStop, onGiveUp }: Surroundings,
  chain: Chain,
  wanted: number,
  portVariable: string,
): Promise<Anvil> {
  const say = sayAs(chain.networkId)
  const log = home.log(chain.networkId)
  let port = wanted
  let first: Anvil | undefined
  const start = async () => {
    const node = await startAnvil({
      chainId: chain.chainId,
      port,
      portVariable,
      mining: BLOCK_TIME_MS,
      stateFile: home.stateFile(chain.networkId),
      log,
      say,
    })
    port = node.port
    first ??= node
    return node
  }
  const began = performance.now()
  const child = await supervise({ name: chain.networkId, start, log, say, onGiveUp })
  onStop(child.stop)
  if (first === undefined) throw new Error('a supervised chain started without a node')
  const head = Number(await first.rpc('eth_blockNumber'))
  say(`${first.url}, chain id ${chain.chainId}, at block ${head} (${seconds(began)})`)
  return first
}

export function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

export type EntryPorts = { api: number; graphql: number }

/** Settles the ports of the entry points before anything is started, so that a clash ends it at once. */
export async function claimPorts(settings: Settings): Promise<EntryPorts> {
  const api = await claimPort(settings.apiPort, 'the API', 'PORT')
  const graphql = await claimPort(settings.graphqlPort, 'GraphQL', 'GRAPHQL_PORT')
  return { api, graphql }
}
