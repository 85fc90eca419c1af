import type { Logger } from 'pino'
import { privateKeyToAddress } from 'viem/accounts'
import { openChain } from '../chain/client.ts'
import { isRpcFault } from '../chain/faults.ts'
import { readHub } from '../chain/hub/contract.ts'
import { lowerCaseAddress } from '../core/chain/evm.ts'
import type { ActiveChain, WorkerConfig } from '../core/config/processes.ts'
import { type Roles, roleProblems } from '../core/config/roles.ts'

/** The roles that the configured keys stand for. */
export function rolesOf(config: WorkerConfig): Roles {
  const relayers = [...config.relayerKeys.values()].flat()
  return {
    owner: config.owner,
    feeCollector: config.feeCollector,
    configSigner: lowerCaseAddress(privateKeyToAddress(config.configSignerKey)),
    refundSigner: lowerCaseAddress(privateKeyToAddress(config.refundSignerKey)),
    relayers: relayers.map((key) => lowerCaseAddress(privateKeyToAddress(key))),
  }
}

/**
 * Holds the configured keys and addresses against each other and against the hub on every chain.
 * Returns what is wrong, in sentences. A chain that doesn't answer is reported and not judged.
 */
export async function hubProblems(
  config: WorkerConfig,
  chains: readonly ActiveChain[],
  log: Logger,
): Promise<string[]> {
  const roles = rolesOf(config)
  const problems = roleProblems(roles, config.environment)
  if (problems.length > 0) return problems
  const found = await Promise.all(chains.map((chain) => problemsOn(config, roles, chain, log)))
  return found.flat()
}

async function problemsOn(
  config: WorkerConfig,
  roles: Roles,
  chain: ActiveChain,
  log: Logger,
): Promise<string[]> {
  const { networkId } = chain
  try {
    const hub = await readHub(openChain(chain).rpc, config.hub)
    if (hub === null) {
      return [
        `HUB_ADDRESS ${config.hub} has no contract on ${networkId}: run \`bun run remit hub deploy --chain ${networkId}\``,
      ]
    }
    const expected = {
      owner: roles.owner,
      feeCollector: roles.feeCollector,
      configSigner: roles.configSigner,
      refundSigner: roles.refundSigner,
      environment: config.environment,
    }
    return Object.entries(expected)
      .map(([name, value]) => [name, value, Object.entries(hub).find(([n]) => n === name)?.[1]])
      .filter(([, value, actual]) => value !== actual)
      .map(
        ([name, value, actual]) =>
          `the hub on ${networkId} has ${name} ${actual}, the configuration says ${value}`,
      )
  } catch (error) {
    if (!isRpcFault(error)) throw error
    log.warn({ networkId, err: error }, 'the hub could not be checked: the node does not answer')
    return []
  }
}
