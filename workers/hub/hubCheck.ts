import type { Logger } from 'pino'
import { readHub } from '../../chain/hub/contract.ts'
import { openChain } from '../../chain/rpc/client.ts'
import { isRpcFault } from '../../chain/rpc/faults.ts'
import { ZERO_ADDRESS } from '../../core/chain/evm.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import { type Roles, roleProblems } from '../../core/config/roles.ts'
import { notAHub } from '../../core/hub/version.ts'
import type { SigningConfig } from '../signers/signers.ts'

/** What is compared, in the order in which it is reported. */
const ROLES = ['owner', 'feeCollector', 'configSigner', 'refundSigner', 'environment'] as const

/** The roles of the configured keys. */
function rolesOf(config: SigningConfig): Roles {
  const relayers = [...config.signers.relayers.values()].flat()
  return {
    owner: config.owner,
    feeCollector: config.feeCollector,
    configSigner: config.signers.config.address,
    refundSigner: config.signers.refund.address,
    guardian: null,
    relayers: relayers.map(({ address }) => address),
  }
}

/**
 * Compares the configured keys and addresses with each other and with the hub on every chain. Returns
 * what is wrong, in sentences. A chain that doesn't answer is logged and passed over.
 */
export async function hubProblems(
  config: SigningConfig,
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
  config: SigningConfig,
  roles: Roles,
  chain: ActiveChain,
  log: Logger,
): Promise<string[]> {
  const { networkId } = chain
  try {
    const hub = await readHub(openChain(chain).rpc, config.hub)
    if (hub.type === 'other') return [notAHub(config.hub, networkId)]
    if (hub.type === 'none') {
      const command = `bun run remit hub deploy --chain ${networkId}`
      return [`HUB_ADDRESS ${config.hub} has no contract on ${networkId}: run \`${command}\``]
    }
    const expected = { ...roles, environment: config.environment }
    const different = ROLES.filter((role) => hub.roles[role] !== expected[role])
    // A signer who was dismissed after a theft must not keep workers from all that it does not sign.
    const dismissed = different.filter((role) => hub.roles[role] === ZERO_ADDRESS)
    for (const role of dismissed) {
      log.error(
        { networkId, role },
        'no account has this role on the hub: work that it signs waits',
      )
    }
    return different
      .filter((role) => !dismissed.includes(role))
      .map(
        (role) =>
          `the hub on ${networkId} has ${role} ${hub.roles[role]}, the configuration has ${expected[role]}`,
      )
  } catch (error) {
    if (!isRpcFault(error)) throw error
    log.warn({ networkId, err: error }, 'the hub could not be checked: the node does not answer')
    return []
  }
}
