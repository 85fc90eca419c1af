import { explainRevert, hubWaitIn } from '../../chain/hub/errors.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { HUB_WAITS } from '../../core/hub/stops.ts'
import type { ItemWait } from '../../store/relayer/hubWaits.ts'
import type { WorkItem } from '../../store/relayer/workItems.ts'
import type { ItemOutcome } from './kind.ts'

/** What a transaction did for an item, as it is stored until that is decided. */

export function succeeded(
  item: WorkItem,
  logIndex: number | null,
  result: ItemOutcome['result'] = {},
): ItemOutcome {
  return { item, ok: true, logIndex, result }
}

export function failed(item: WorkItem, error: string, logIndex: number | null = null): ItemOutcome {
  return { item, ok: false, logIndex, result: { error } }
}

/**
 * The outcome of an item that the hub refused with this revert data. Where that is transient, the item is sent
 * again when the hub has changed.
 */
export function refused(item: WorkItem, reason: Hex, logIndex: number | null): ItemOutcome {
  return { item, ok: false, logIndex, result: refusalOf(reason) }
}

/** The same without the item. */
export function refusalOf(reason: Hex): ItemOutcome['result'] {
  const wait = hubWaitIn(reason)
  const error = explainRevert(reason)
  return wait === null ? { error } : { error, wait }
}

/** The error in an item's stored outcome; null for none. */
export function errorIn({ result }: WorkItem): string | null {
  const isGiven = typeof result === 'object' && result !== null && 'error' in result
  return isGiven ? String(result.error) : null
}

/** What an item waits for by its stored outcome; null when it has failed, or there is none. */
export function waitOf(item: WorkItem): ItemWait | null {
  const { id, result } = item
  const reason = errorIn(item)
  if (typeof result !== 'object' || result === null || !('wait' in result)) return null
  const wait = HUB_WAITS.find((word) => word === result.wait)
  return wait === undefined || reason === null ? null : { itemId: id, wait, reason, until: null }
}

/** The outcome of an item that the logs of its successful transaction don't mention. */
export function unmentioned(item: WorkItem, what: string): ItemOutcome {
  return failed(item, `the transaction succeeded without an event of this ${what}`)
}
