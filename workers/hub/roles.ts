import { type Address, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import type { HubState } from '../../core/hub/state.ts'
import type { SigningConfig } from '../signers/signers.ts'

type Role = 'owner' | 'feeCollector' | 'configSigner' | 'refundSigner'

const NAMES: Readonly<Record<Role, string>> = {
  owner: 'owner',
  feeCollector: 'fee collector',
  configSigner: 'signer of registry entries',
  refundSigner: 'signer of refunds',
}

/** The account of each role, by a worker's configuration. */
export function configuredRoles(config: SigningConfig): Readonly<Record<Role, Address>> {
  return {
    owner: config.owner,
    feeCollector: config.feeCollector,
    configSigner: config.signers.config.address,
    refundSigner: config.signers.refund.address,
  }
}

/** Roles of a hub that differ from the configuration or are unassigned, in sentences. */
export function roleDifferences(
  config: SigningConfig,
  hub: Readonly<Record<Role, Address>> | HubState,
): string[] {
  return Object.entries(configuredRoles(config)).flatMap(([role, expected]) => {
    if (!isRole(role)) return []
    const found = hub[role]
    if (found === expected) return []
    const whom = found === ZERO_ADDRESS ? 'nobody' : found
    return [`the hub's ${NAMES[role]} is ${whom}, configured is ${expected}`]
  })
}

function isRole(name: string): name is Role {
  return Object.hasOwn(NAMES, name)
}
