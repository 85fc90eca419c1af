/** The embedded servers under supervision: Postgres, Redis and the local chains. */
import type { Chain } from '../../core/chain/registry.ts'
import type { Running, StackError } from '../processes/child.ts'
import { supervise } from '../processes/supervisor.ts'
import { type Say, sayAs } from '../processes/terminal.ts'
import { type Anvil, startAnvil } from '../servers/anvil.ts'
import { startPostgres } from '../servers/postgres.ts'
import { startRedis } from '../servers/redis.ts'
import type { Home } from './home.ts'
import type { LocalChain, Settings } from './settings.ts'
import { type Steps, together } from './steps.ts'

export type LocalChainNode = { chain: Chain; node: Anvil }

export type Servers = {
  databaseUrl: string
  redisUrl: string
  nodes: readonly LocalChainNode[]
}

export type ServerSetup = {
  home: Home
  settings: Settings
  /** Registers how to stop a part; parts are stopped in the reverse order of their start. */
  onStop: (stop: () => Promise<void>) => void
  onGiveUp: (reason: StackError) => void
}

/** The block time of active local chains. */
export const BLOCK_TIME_MS = 1000

/** Starts the servers that the environment doesn't configure, all at once. */
export async function startServers(around: ServerSetup, steps: Steps): Promise<Servers> {
  const { settings } = around
  const [databaseUrl, redisUrl, ...nodes] = await together(
    settings.databaseUrl ?? steps.run('postgres', [], () => embeddedPostgres(around)),
    settings.redisUrl ?? steps.run('redis', [], () => embeddedRedis(around)),
    ...settings.localChains.map((local) =>
      steps.run(local.chain.networkId, [], () => localNode(around, local)),
    ),
  )
  return { databaseUrl, redisUrl, nodes }
}

async function embeddedPostgres(around: ServerSetup): Promise<string> {
  const { home, settings } = around
  const { url } = await embedded(around, 'postgres', settings.postgresPort, (port, log) =>
    startPostgres({ dataDir: home.postgres, passwordFile: home.postgresPassword, port, log }),
  )
  return url
}

async function embeddedRedis(around: ServerSetup): Promise<string> {
  const { home, settings } = around
  const { url } = await embedded(around, 'redis', settings.redisPort, (port, log, say) =>
    startRedis({ dataDir: home.redis, port, log, say }),
  )
  return url
}

async function localNode(
  around: ServerSetup,
  { chain, port: wanted, portVariable }: LocalChain,
): Promise<LocalChainNode> {
  const { chainId, networkId } = chain
  const stateFile = around.home.stateFile(networkId)
  const about = async ({ rpc }: Anvil) =>
    `, chain id ${chainId}, at block ${Number(await rpc('eth_blockNumber'))}`
  const start = (port: number, log: string, say: Say) =>
    startAnvil({ chainId, port, portVariable, mining: BLOCK_TIME_MS, stateFile, log, say })
  return { chain, node: await embedded(around, networkId, wanted, start, about) }
}

/**
 * Starts a supervised server and prints its URL. Its port is chosen once: after a restart
 * clients find it at the same address.
 */
async function embedded<Server extends Running & { url: string; port: number }>(
  { home, onStop, onGiveUp }: ServerSetup,
  name: string,
  wanted: number,
  launch: (port: number, log: string, say: Say) => Promise<Server>,
  about: (server: Server) => Promise<string> = async () => '',
): Promise<Server> {
  const say = sayAs(name)
  const log = home.log(name)
  let port = wanted
  const start = async () => {
    const server = await launch(port, log, say)
    port = server.port
    return server
  }
  const began = performance.now()
  const child = await supervise({ name, start, log, say, onGiveUp })
  onStop(child.stop)
  const server = child.current()
  say(`${server.url}${await about(server)} (${seconds(began)})`)
  return server
}

export function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}
