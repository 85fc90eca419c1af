import { type ChainConfig, createConfig } from 'ponder'
import type { ActiveChain } from '../core/config/chains/chains.ts'
import { openDatabase } from '../store/database.ts'
import { inheritedConfig } from './configuration.ts'
import { contractsOf } from './deployment/contracts.ts'
import { guardServers } from './supervision/httpGuard.ts'
import { serveIndexerMetrics } from './supervision/metrics.ts'
import { endWithParent } from './supervision/parent.ts'
import { startHeadFeed } from './transport/headFeed.ts'
import { watchedTransport } from './transport/watched.ts'

/** What Ponder runs with. Everything comes from the configuration that all entry points share. */

endWithParent()

const config = inheritedConfig()
guardServers(config.operatorToken)
serveIndexerMetrics(config)
const database = openDatabase(config.directUrl, { name: 'remit-indexer-transport', poolSize: 3 })
const heads = startHeadFeed(config.chains, database)

export default createConfig({
  // A third each for the sync cache, the handlers and GraphQL, after two for Ponder itself.
  database: { kind: 'postgres', connectionString: config.directUrl, poolConfig: { max: 11 } },
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
