/** The launcher's settings: which servers it must start itself, and their ports. */

import { type Chain, chainsOf } from '../../core/chain/registry.ts'
import type { Environment } from '../../core/chain/table.ts'
import { suffix } from '../../core/config/chains.ts'
import { parseRegistry } from '../../core/config/recoverable.ts'
import { StackError } from '../processes/child.ts'
import { claimPort } from '../servers/ports.ts'

/** The local chains of the stack, with their default ports. */
const LOCAL_CHAINS = [
  { networkId: 'base-sepolia', port: 8545 },
  { networkId: 'sepolia', port: 8546 },
]

export type LocalChain = { chain: Chain; port: number; portVariable: string }

export type Settings = {
  environment: Environment
  /** Undefined if a server is configured; then none is started. */
  databaseUrl: string | undefined
  redisUrl: string | undefined
  postgresPort: number
  redisPort: number
  apiPort: number
  graphqlPort: number
  /** Empty when any RPC URL is configured. */
  localChains: readonly LocalChain[]
  /** The enabled chains: the local ones, or those with an RPC URL. */
  networkIds: readonly string[]
}

type Variables = Readonly<Record<string, string | undefined>>

/** @throws StackError for an invalid port or an unknown REMIT_ENV. */
export function readSettings(variables: Variables): Settings {
  const environment = variables.REMIT_ENV?.trim() || 'sandbox'
  if (environment !== 'sandbox' && environment !== 'live') {
    throw new StackError('REMIT_ENV must be sandbox or live.')
  }
  const named = Object.entries(variables).some(
    ([name, value]) => name.startsWith('RPC_URL_') && value,
  )
  const localChains = environment === 'sandbox' && !named ? localChainsOf(variables) : []
  const configured = chainsOf(environment).filter(
    (chain) => variables[`RPC_URL_${suffix(chain.networkId)}`],
  )
  return {
    environment,
    databaseUrl: variables.DATABASE_URL?.trim() || undefined,
    redisUrl: variables.REDIS_URL?.trim() || undefined,
    postgresPort: port(variables, 'POSTGRES_PORT', 54_329),
    redisPort: port(variables, 'REDIS_PORT', 63_799),
    apiPort: port(variables, 'PORT', 3000),
    graphqlPort: port(variables, 'GRAPHQL_PORT', 42_069),
    localChains,
    networkIds: named
      ? configured.map((chain) => chain.networkId)
      : localChains.map(({ chain }) => chain.networkId),
  }
}

export type EntryPorts = { api: number; graphql: number }

/** Claims the ports of the entry points before anything is started, so that conflicts are reported at once. */
export async function claimPorts(settings: Settings): Promise<EntryPorts> {
  const api = await claimPort(settings.apiPort, 'the API', 'PORT')
  const graphql = await claimPort(settings.graphqlPort, 'GraphQL', 'GRAPHQL_PORT')
  return { api, graphql }
}

/** The registry ids of all chains that a home may have state of. */
export const LOCAL_NETWORK_IDS: readonly string[] = LOCAL_CHAINS.map((chain) => chain.networkId)

function localChainsOf(variables: Variables): LocalChain[] {
  const registry = parseRegistry(variables)
  if (!registry.ok) throw new StackError(registry.problems.join('\n'))
  return LOCAL_CHAINS.map(({ networkId, port: fallback }) => {
    const chain = registry.config.find((entry) => entry.networkId === networkId)
    if (chain === undefined) throw new StackError(`The registry has no chain ${networkId}.`)
    const portVariable = `RPC_PORT_${suffix(networkId)}`
    return { chain, portVariable, port: port(variables, portVariable, fallback) }
  })
}

function port(variables: Variables, name: string, fallback: number): number {
  const text = variables[name]?.trim()
  if (text === undefined || text === '') return fallback
  if (/^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new StackError(`${name} must be a port from 0 (any free one) to 65535.`)
}
