import {
  createPublicClient,
  custom,
  defineChain,
  fallback,
  type HttpTransportConfig,
  http,
  type PublicClient,
  type Transport,
} from 'viem'
import { COIN_DECIMALS } from '../core/chain/registry.ts'
import type { ActiveChain } from '../core/config/processes.ts'
import { readPatiently } from './faults.ts'

/** A client for one chain, and one for each of its RPC URLs where a second opinion is needed. */
export interface ChainClient {
  readonly chain: ActiveChain
  /** Asks the first URL that answers. */
  readonly rpc: PublicClient
  /** One client per URL, in the order configured, without fallback. */
  readonly each: readonly PublicClient[]
}

const TRANSPORT: HttpTransportConfig = { retryCount: 0, batch: { batchSize: 100 } }

/** Opens the clients of a chain. Nothing is connected before the first request. */
export function openChain(chain: ActiveChain): ChainClient {
  const definition = defineChain({
    id: chain.chainId,
    name: chain.name,
    nativeCurrency: { name: chain.symbol, symbol: chain.symbol, decimals: COIN_DECIMALS },
    rpcUrls: { default: { http: chain.rpcUrls } },
  })
  const transports = chain.rpcUrls.map((url) =>
    http(url, { ...TRANSPORT, timeout: chain.rpcTimeoutMs }),
  )
  const client = (transport: Transport): PublicClient =>
    createPublicClient({ chain: definition, transport: patient(transport), cacheTime: 0 })
  return {
    chain,
    rpc: client(fallback(transports, { retryCount: 0 })),
    each: transports.map((transport) => client(transport)),
  }
}

/** The clients of some chains, by networkId. */
export function openChains(chains: readonly ActiveChain[]): ReadonlyMap<string, ChainClient> {
  return new Map(chains.map((chain) => [chain.networkId, openChain(chain)]))
}

/**
 * Asks again when a question got no answer. viem would do so itself, but for as long as a node's
 * Retry-After tells it to, and what is sent as well.
 */
function patient(transport: Transport): Transport {
  return (config) => {
    const { request } = transport(config)
    const provider = {
      request: (call: { method: string; params?: unknown }): Promise<unknown> =>
        call.method === 'eth_sendRawTransaction'
          ? request(call)
          : readPatiently(() => request(call)),
    }
    return custom(provider, { retryCount: 0 })(config)
  }
}
