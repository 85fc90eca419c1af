/** `.remit/dev.json`: where everything is, for the demo, tests and people. */

import type { Address, Hex } from '../../core/chain/evm.ts'
import type { TokenOnChain } from '../../core/chain/registry.ts'
import type { WorkerConfig } from '../../core/config/processes.ts'
import type { Variables } from '../../core/config/reader.ts'
import type { MerchantId } from '../../core/ids.ts'
import type { DevelopmentKeys } from './keys.ts'
import type { DemoMerchant } from './merchant.ts'
import type { EntryPorts } from './servers.ts'

export type TokenDescription = {
  address: Address
  decimals: number
  /** The EIP-712 domain of tokens that take EIP-3009 authorizations. */
  name?: string
  version?: string
}

export type Description = {
  apiUrl: `http://${string}`
  docsUrl: string
  graphqlUrl: string
  merchantId: MerchantId
  secretKey: string
  publishableKey: string
  databaseUrl: string
  redisUrl: string
  feeCollector: Address
  hub: Address
  faucetPrivateKey: Hex
  chains: {
    networkId: string
    chainId: number
    rpcUrl: string
    confirmations: number
    tokens: Record<string, TokenDescription>
  }[]
}

export function describeStack(
  config: WorkerConfig,
  variables: Variables,
  ports: EntryPorts,
  keys: DevelopmentKeys,
  merchant: DemoMerchant,
): Description {
  const host = variables.HOST && variables.HOST !== '0.0.0.0' ? variables.HOST : '127.0.0.1'
  const apiUrl = `http://${host}:${ports.api}` as const
  return {
    apiUrl,
    docsUrl: `${apiUrl}/docs`,
    graphqlUrl: `http://127.0.0.1:${ports.graphql}/graphql`,
    ...merchant,
    databaseUrl: config.databaseUrl,
    redisUrl: config.redisUrl,
    feeCollector: config.feeCollector,
    hub: config.hub,
    faucetPrivateKey: keys.faucet,
    chains: config.chains.map((chain) => ({
      networkId: chain.networkId,
      chainId: chain.chainId,
      rpcUrl: chain.rpcUrls[0] ?? '',
      confirmations: chain.confirmations,
      tokens: Object.fromEntries(chain.tokens.map((token) => [token.symbol, describe(token)])),
    })),
  }
}

function describe({ address, decimals, eip712 }: TokenOnChain): TokenDescription {
  return { address, decimals, ...eip712 }
}
