import { createPublicClient, custom, defineChain, type PublicClient } from 'viem'
import type { Hex } from '../../core/chain/evm.ts'
import { COIN_DECIMALS } from '../../core/chain/tokens.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import type { RpcCall } from './calls.ts'
import { shareHeights } from './heights.ts'
import { RpcPool } from './pool.ts'
import type { UrlStatus } from './status.ts'
import type { View } from './view.ts'

/** A client for one chain, and one for each of its RPC URLs where a second opinion is needed. */
export interface ChainClient {
  readonly chain: ActiveChain
  /** Queries the freshest URL first, and the others where it doesn't answer or doesn't know. */
  readonly rpc: PublicClient
  /** The same, except that ranges of logs are one request, however wide. */
  readonly atOnce: PublicClient
  /** One client per URL that answers for this chain, in the order configured, each using it alone. */
  readonly each: readonly PublicClient[]
  /** How the URLs are doing. */
  urls(): UrlStatus[]
  /** The widest range of eth_getLogs that its nodes allow, as far as is known now, in blocks. */
  logRange(): bigint
  /**
   * Checks again which chain each URL serves, and returns its genesis. URLs with another one than `genesis`, or
   * without the final block `anchor`, if these are given, are not used any more; but when no URL has that
   * block, it is forgotten. Throws a WrongChainUrlError when none is left.
   */
  identify(genesis: Hex | null, anchor: View | null): Promise<Hex>
}

/** The clients of a process share what they know about a chain's URLs, and the rate of their calls. */
const pools = new WeakMap<ActiveChain, RpcPool>()

/** The URLs of a chain. Nothing is connected before the first request. */
export function poolOf(chain: ActiveChain): RpcPool {
  const known = pools.get(chain)
  if (known !== undefined) return known
  const pool = new RpcPool(chain)
  pools.set(chain, pool)
  return pool
}

/** Opens the clients of a chain. Nothing is connected before the first request. */
export function openChain(chain: ActiveChain): ChainClient {
  const definition = defineChain({
    id: chain.chainId,
    name: chain.name,
    nativeCurrency: { name: chain.symbol, symbol: chain.symbol, decimals: COIN_DECIMALS },
    rpcUrls: { default: { http: chain.rpcUrls } },
  })
  const pool = poolOf(chain)
  const client = (request: (call: RpcCall) => Promise<unknown>): PublicClient => {
    // The pool retries, and knows when.
    const transport = custom({ request }, { retryCount: 0 })
    const created: PublicClient = createPublicClient({
      chain: definition,
      transport,
      cacheTime: 0,
    })
    shareHeights(created, pool.heights)
    return created
  }
  const each = pool.urls.map((url) => ({
    url,
    client: client((call) => pool.requestOf([url], call)),
  }))
  return {
    chain,
    rpc: client((call) => pool.request(call)),
    atOnce: client((call) => pool.requestAtOnce(call)),
    get each() {
      const usable = new Set(pool.usable)
      return each.filter(({ url }) => usable.has(url)).map((one) => one.client)
    },
    urls: () => pool.statuses(),
    logRange: () => pool.logRange,
    identify: (genesis, anchor) => pool.identify(genesis, anchor),
  }
}

/** The clients of some chains, by networkId. */
export function openChains(chains: readonly ActiveChain[]): ReadonlyMap<string, ChainClient> {
  return new Map(chains.map((chain) => [chain.networkId, openChain(chain)]))
}
