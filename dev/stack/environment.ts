/**
 * The environment of the entry points: the user's settings, completed by those of the stack, and
 * validated before anything is started with it.
 */
import type { Address } from '../../core/chain/evm.ts'
import { type Chain, tokensOf } from '../../core/chain/registry.ts'
import { parseApiConfig } from '../../core/config/api.ts'
import { suffix } from '../../core/config/chains.ts'
import { refundLimitVariable } from '../../core/config/hub.ts'
import { parseIndexerConfig } from '../../core/config/processes.ts'
import { type ParsedConfig, type Variables, withoutSigningKeys } from '../../core/config/reader.ts'
import { parseWorkerConfig, type WorkerConfig } from '../../core/config/worker.ts'
import { StackError } from '../processes/child.ts'
import type { Anvil } from '../servers/anvil.ts'
import { LOCAL_WALLET_FACTORY } from './canonical.ts'
import type { Home } from './home.ts'
import { addressOf, type DevelopmentKeys, keptKeys } from './keys.ts'
import { BLOCK_TIME_MS, type Servers } from './servers.ts'
import type { EntryPorts } from './settings.ts'

/** Two blocks confirm a local payment: fast, but the pending state can be seen. */
const LOCAL_CONFIRMATIONS = 2

/** The URLs of the servers. */
interface Addresses extends Pick<Servers, 'databaseUrl' | 'redisUrl'> {
  readonly nodes: readonly {
    readonly chain: Chain
    readonly node: Pick<Anvil, 'url' | 'wsUrl'>
  }[]
}

/** The environment of every entry point of this stack. */
export function stackVariables(
  own: Variables,
  servers: Addresses,
  ports: EntryPorts & { home: string },
  keys: DevelopmentKeys,
  hub: Address | undefined,
): Variables {
  const variables: Record<string, string> = {
    REMIT_ENV: 'sandbox',
    REMIT_HOME: ports.home,
    DATABASE_URL: servers.databaseUrl,
    REDIS_URL: servers.redisUrl,
    PORT: String(ports.api),
    GRAPHQL_PORT: String(ports.graphql),
  }
  const defaults: Record<string, string> = {
    HUB_OWNER: addressOf(keys.owner),
    FEE_COLLECTOR: addressOf(keys.feeCollector),
    CONFIG_SIGNER_KEY: keys.configSigner,
    REFUND_SIGNER_KEY: keys.refundSigner,
    // Payouts are immediate in development.
    X402_DISTRIBUTE_FROM: '0',
    X402_DISTRIBUTE_AFTER_S: '0',
    // A shop in development runs on this machine.
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1',
    DASHBOARD_SECRET: keys.dashboardSecret,
    ENCRYPTION_KEYS: `dev:${Buffer.from(keys.encryptionKey.slice(2), 'hex').toString('base64')}`,
    // Emails are not sent but shown on a page.
    DASHBOARD_MAILBOX: 'on',
  }
  for (const [networkId, relayers] of Object.entries(keys.relayers)) {
    defaults[`RELAYER_KEYS_${suffix(networkId)}`] = relayers.join(',')
  }
  for (const { chain, node } of servers.nodes) {
    const id = suffix(chain.networkId)
    variables[`RPC_URL_${id}`] = node.url
    variables[`WS_URL_${id}`] = node.wsUrl
    defaults[`CONFIRMATIONS_${id}`] = String(LOCAL_CONFIRMATIONS)
    defaults[`BLOCK_TIME_MS_${id}`] = String(BLOCK_TIME_MS)
  }
  const { address, codeHash } = LOCAL_WALLET_FACTORY
  defaults.X402_WALLET_FACTORIES = servers.nodes
    .map(({ chain }) => `${chain.networkId}:${address}:${codeHash}`)
    .join(',')
  // On local chains the hub accepts only the stack's keys; on others the user's keys take precedence.
  if (hub !== undefined) {
    const chains = servers.nodes.map(({ chain }) => chain)
    const ours = { ...defaults, ...localTerms(chains), ...variables }
    return { ...own, ...ours, ...ownSettings(own), HUB_ADDRESS: hub }
  }
  const missing = Object.entries(defaults).filter(([name]) => !own[name] && !own[`${name}_FILE`])
  return { ...own, ...Object.fromEntries(missing), ...variables }
}

/** The setup of local hubs: no delays and no limits. */
function localTerms(chains: readonly Chain[]): Record<string, string> {
  const symbols = chains.flatMap((chain) => tokensOf(chain).map(({ symbol }) => symbol))
  const limits = symbols.map((symbol) => [refundLimitVariable(symbol), 'unlimited'])
  return { HUB_OWNER_DELAY_S: '0', HUB_CONFIG_DELAY_S: '0', ...Object.fromEntries(limits) }
}

/** Settings that the user may also change for local chains. */
function ownSettings(own: Variables): Variables {
  return Object.fromEntries(
    Object.entries(own).filter(
      ([name, value]) => /^(X402_|CONFIRMATIONS_|WEBHOOK_)/.test(name) && value,
    ),
  )
}

/** A file for `bun --env-file` with the variables that the stack adds to the user's environment. */
export function environmentFile(own: Variables, all: Variables): string {
  const added = Object.entries(all).filter(([name, value]) => value && own[name] !== value)
  return added.map(([name, value]) => `${name}=${value}\n`).join('')
}

/** @throws StackError with all problems of all entry points, each once. */
export function checkVariables(variables: Variables): WorkerConfig {
  const worker = parseWorkerConfig(variables)
  const unsigned = withoutSigningKeys(variables)
  const others: ParsedConfig<unknown>[] = [parseApiConfig(unsigned), parseIndexerConfig(unsigned)]
  const problems = new Set([worker, ...others].flatMap((part) => (part.ok ? [] : part.problems)))
  if (worker.ok && problems.size === 0) return worker.config
  const advice = variables.HUB_ADDRESS
    ? []
    : ['Your own chains need a hub: see `bun run remit hub deploy --help`.']
  throw new StackError([...[...problems].map((problem) => `- ${problem}`), ...advice].join('\n'))
}

/** In live, a key of this home for local chains is a mistake in every role. */
export function refuseDevelopmentKeys(variables: Variables, home: Home): void {
  const development = keptKeys(home)
  for (const [name, value] of Object.entries(variables)) {
    const isOurs = value?.split(',').some((key) => development.has(key.trim().toLowerCase()))
    if (isOurs)
      throw new StackError(
        `${name} is a key of the development stack, which must not be used in live.`,
      )
  }
}
