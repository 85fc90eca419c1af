import type { Address } from '../../core/chain/evm.ts'
import type { HubPart, HubWait } from '../../core/hub/stops.ts'
import type { Queryable } from '../../store/database/database.ts'
import { hubsOfOtherSigners, stoppedHubs } from '../../store/hub/hubStates.ts'
import type { ItemWait } from '../../store/relayer/hubWaits.ts'

/**
 * Those of the items that wait because their hub is stopped, as far as is known: for `waiting` of a prepared
 * call. Rows are items with the hubs that they call.
 */
export async function stoppedItems(
  sql: Queryable,
  networkId: string,
  part: HubPart,
  rows: readonly { readonly itemId: bigint; readonly hub: Address }[],
): Promise<ItemWait[]> {
  const stopped = await stoppedHubs(sql, networkId, part)
  const reason = `the guardian or the owner has stopped ${stoppable(part)} on the hub: see \`bun run remit hub status\``
  const ofStopped = rows.filter(({ hub }) => stopped.has(hub))
  return waitsOf(ofStopped, 'stopped', reason)
}

/**
 * The same for what is signed: it also waits while the hub knows another signer, or none, as after a theft. An
 * order that it is sure to refuse must neither burn gas nor be in the world.
 */
export async function unsignableItems(
  sql: Queryable,
  networkId: string,
  part: 'refunds' | 'registry',
  signer: Address,
  rows: readonly { readonly itemId: bigint; readonly hub: Address }[],
): Promise<ItemWait[]> {
  const stopped = await stoppedItems(sql, networkId, part, rows)
  const isStopped = new Set(stopped.map(({ itemId }) => itemId))
  const role = part === 'refunds' ? 'refund_signer' : 'config_signer'
  const others = await hubsOfOtherSigners(sql, networkId, role, signer)
  const reason = `the hub does not know ${signer} as signer of ${stoppable(part)}: see \`bun run remit hub status\``
  const left = rows.filter(({ itemId, hub }) => others.has(hub) && !isStopped.has(itemId))
  return [...stopped, ...waitsOf(left, 'stopped', reason)]
}

/**
 * Those of the items that pay a merchant by his registry entry while the hub's active entry was not requested
 * here: it would refuse them. They name a newer one as soon as that is active.
 */
export function foreignEntryItems(
  rows: readonly { readonly itemId: bigint; readonly isEntryForeign: boolean }[],
): ItemWait[] {
  const reason =
    "the hub's active entry of the merchant was not requested here: see `bun run remit merchant show`, and set the recipient again"
  const foreign = rows.filter(({ isEntryForeign }) => isEntryForeign)
  return waitsOf(foreign, 'merchant_change', reason)
}

/** With no time of their own: they are tried again when the hub has changed, and now and then. */
function waitsOf(rows: readonly { readonly itemId: bigint }[], wait: HubWait, reason: string) {
  return rows.map(({ itemId }): ItemWait => ({ itemId, wait, reason, until: null }))
}

function stoppable(part: HubPart): string {
  return part === 'registry' ? 'entries of the registry' : part
}
