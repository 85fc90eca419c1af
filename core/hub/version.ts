import type { Address } from '../chain/evm.ts'

/** HUB_ADDRESS names another contract than a hub that this code can use. */
export function notAHub(hub: Address, networkId: string): string {
  return `HUB_ADDRESS ${hub} on ${networkId} is no hub of version 2: deploy one with \`bun run remit hub deploy --chain ${networkId}\`, and set HUB_ADDRESS to its address`
}
