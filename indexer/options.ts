import { type ChainConfig, createConfig } from 'ponder'
import type { ActiveChain } from '../core/config/chains.ts'
import { openDatabase } from '../store/database/database.ts'
import { inheritedConfig } from './configuration.ts'
import { contractsOf } from './deployment/contracts.ts'
import { guardServers } from './supervision/httpGuard.ts'
import { serveIndexerMetrics } from './supervision/metrics.ts'
import { endWithParent } from './supervision/parent.ts'
import { startHeadFeed } from './transport/headFeed.ts'
import { watchedTransport } from './transport/watched.ts'

/** What Ponder runs with, and what runs beside it. Everything comes from the configuration that all entry points share. */

endWithParent()

const config = inheritedConfig()
guardServers(config.operatorToken)
serveIndexerMetrics(config)
const database = openDatabase(config.directUrl, {
  ...{ name: 'remit-indexer-transport', poolSize: 3, silenceMs: config.silenceMs },
})
const heads = startHeadFeed(config.chains, database, config.silenceMs)

/**
 * Longer than any statement of Ponder's own takes. On a connection that has fallen silent, the process that started Ponder
 * does not wait for this, but starts it again.
 */
const STATEMENT_MS = 660_000

export default createConfig({
  // A third each for the sync cache, the handlers and GraphQL, after two for Ponder itself.
  database: {
    kind: 'postgres',
    connectionString: config.directUrl,
    poolConfig: {
      max: 11,
      keepAlive: true,
      connectionTimeoutMillis: config.silenceMs,
      query_timeout: STATEMENT_MS,
    },
  },
  ordering: 'multichain',
  chains: Object.fromEntries(config.chains.map((chain) => [chain.networkId, chainConfig(chain)])),
  contracts: contractsOf(config),
})

function chainConfig(chain: ActiveChain): ChainConfig & { id: number } {
  const tokens = chain.tokens.map((token) => token.address)
  return {
    id: chain.chainId,
    rpc: watchedTransport({
      chain,
      tokens,
      hub: config.hub,
      database,
      headerOf: (hash) => heads.headerOf(chain, hash),
    }),
    ws: heads.url(chain),
  }
}
