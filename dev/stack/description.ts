/** `.remit/dev.json`: URLs, keys and addresses of the stack, for demos, examples, tests and developers. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MerchantId } from '../../core/base/ids.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { TokenOnChain } from '../../core/chain/tokens.ts'
import type { Variables } from '../../core/config/reader.ts'
import type { WorkerConfig } from '../../core/config/worker.ts'
import type { DemoUser } from './demoUser.ts'
import type { DevelopmentKeys } from './keys.ts'
import type { DemoMerchant } from './merchant.ts'
import type { EntryPorts } from './settings.ts'

export type TokenDescription = {
  address: Address
  decimals: number
  /** The EIP-712 domain of tokens with EIP-3009. */
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
  dashboardUrl: string
  /** An owner of the merchant in the dashboard. */
  person: DemoUser
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

/** Reads the description of this folder's stack. Throws a message if there is none. */
export function readDescription(home: string): Description {
  const file = join(home, 'dev.json')
  if (!existsSync(file)) {
    throw new Error(`there is no ${file}: start the stack with \`bun run dev\` first`)
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Where this machine reaches the API. */
export function apiUrlOf({ HOST }: Variables, { api }: EntryPorts): Description['apiUrl'] {
  const host = HOST && HOST !== '0.0.0.0' ? HOST : '127.0.0.1'
  return `http://${host}:${api}`
}

export function describeStack(
  config: WorkerConfig,
  variables: Variables,
  ports: EntryPorts,
  keys: DevelopmentKeys,
  demo: DemoMerchant & { person: DemoUser },
): Description {
  const apiUrl = apiUrlOf(variables, ports)
  return {
    apiUrl,
    docsUrl: `${apiUrl}/docs`,
    graphqlUrl: `http://127.0.0.1:${ports.graphql}/graphql`,
    ...demo,
    dashboardUrl: `http://localhost:${ports.api}/dashboard`,
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
