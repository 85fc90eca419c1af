import type { Address } from '../evm.ts'

/** What an operator is told whose deployment was made for an earlier version of the hub. */

/** HUB_ADDRESS names another contract than a hub that this code can use. */
export function notAHub(hub: Address, networkId: string): string {
  return `HUB_ADDRESS ${hub} on ${networkId} is no hub of version 2: deploy one with \`bun run remit hub deploy --chain ${networkId}\`, and set HUB_ADDRESS to its address`
}

/** The database has addresses of hubs whose money this code can't move. */
export function outdatedHubs(hubs: readonly Address[]): string {
  return `the database has addresses of hubs of version 1 (${hubs.join(', ')}), whose money this version can't move: let the earlier release settle them, and start this one with an empty database`
}
