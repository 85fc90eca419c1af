import type { Log } from 'viem'
import type { Head } from '../../../chain/blocks.ts'
import type { ChainClient } from '../../../chain/client.ts'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { WorkerConfig } from '../../../core/config/processes.ts'
import type { InvoiceId } from '../../../core/ids.ts'
import type { Database, Transaction } from '../../../store/database.ts'
import type { MinedIn } from '../../../store/relayer/transactions.ts'
import type { WorkItem } from '../../../store/relayer/workItems.ts'
import type { SweepsByOthers } from '../../evidence/sweeps.ts'

/**
 * What a relayer must know about a kind of work: how items become a call, how a receipt's logs show the
 * outcome of each, and what that means for the ledger.
 */

/** What kinds of work have at hand. */
export interface KindContext {
  readonly database: Database
  readonly client: ChainClient
  readonly config: WorkerConfig
  readonly sweepsByOthers: SweepsByOthers
  /** The newest block. */
  readonly head: Head
}

export interface WorkKind {
  /** Gas for a transaction and for each item in it, above anything measured. */
  readonly gas: { readonly base: bigint; readonly perItem: bigint }
  /**
   * Whoever carries an item out, and however often: it takes effect once. What a transaction left
   * undone is then decided at once by the state of the chain, and may be sent again.
   */
  readonly isSingleUse: boolean
  /** Encodes as many of the items as fit into one call, and names those that never can be. */
  prepare(context: KindContext, sql: Transaction, items: readonly WorkItem[]): Promise<PreparedCall>
  /**
   * Reads every item's outcome from the logs of its successful transaction. `items` are all that were
   * bound to it, in the order in which they were encoded, whatever has become of them since.
   */
  resolve(
    sql: Transaction,
    target: Address,
    items: readonly WorkItem[],
    logs: readonly Log[],
  ): Promise<ItemOutcome[]>
  /**
   * Asks the chain which of these items, that our transaction did not carry out, are done all the
   * same. Looks at blocks up to `block` only, which has the chain's confirmations. Null when that takes
   * more than one turn: then it is asked again.
   */
  evidence(
    context: KindContext,
    target: Address,
    items: readonly WorkItem[],
    block: bigint,
  ): Promise<Evidence[] | null>
  /** The functions below change the ledger and return the invoices that must be derived anew. */
  mined(sql: Transaction, done: readonly DoneItem[], at: MinedIn): Promise<InvoiceId[]>
  confirmed(
    sql: Transaction,
    items: readonly WorkItem[],
    context: KindContext,
  ): Promise<InvoiceId[]>
  reopened(sql: Transaction, items: readonly WorkItem[]): Promise<InvoiceId[]>
  failed(sql: Transaction, failures: readonly ItemFailure[]): Promise<InvoiceId[]>
}

export interface PreparedCall {
  readonly target: Address
  readonly calldata: Hex
  /** Those that are in the call; items in neither list stay queued for another one. */
  readonly items: readonly WorkItem[]
  readonly unusable: readonly ItemFailure[]
}

/** For kinds that have no ledger to change, and that nobody else carries out. */
export const NO_LEDGER = {
  evidence: async () => [],
  mined: async () => [],
  confirmed: async () => [],
  reopened: async () => [],
  failed: async () => [],
} satisfies Partial<WorkKind>

/** An item that was carried out, with the log that proves it where there is one. */
export type DoneItem = Pick<ItemOutcome, 'item' | 'logIndex'>

export interface ItemOutcome {
  readonly item: WorkItem
  readonly ok: boolean
  readonly logIndex: number | null
  readonly result: Readonly<Record<string, string>>
}

export interface ItemFailure {
  readonly item: WorkItem
  readonly reason: string
}

/** Proof that an item is done by a transaction that isn't the one it was assigned to. */
export interface Evidence {
  readonly item: WorkItem
  readonly at: MinedIn
  readonly result: Readonly<Record<string, string>>
}

export function idsOf(items: readonly WorkItem[]): bigint[] {
  return items.map(({ id }) => id)
}

/** The items that these rows belong to, in their own order. */
export function itemsOfRows(
  items: readonly WorkItem[],
  rows: readonly { readonly itemId: bigint }[],
): WorkItem[] {
  const ids = new Set(rows.map(({ itemId }) => itemId))
  return items.filter(({ id }) => ids.has(id))
}

/** The items that none of these rows belongs to: their rows contradict them. */
export function itemsWithoutRow(
  items: readonly WorkItem[],
  rows: readonly { readonly itemId: bigint }[],
  reason: string,
): ItemFailure[] {
  const ids = new Set(rows.map(({ itemId }) => itemId))
  return items.filter(({ id }) => !ids.has(id)).map((item) => ({ item, reason }))
}

/** The time of a block, in Unix seconds. */
export function chainTime({ time }: Head): bigint {
  return BigInt(Math.floor(time.getTime() / 1000))
}

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

/** What is said of an item that the logs of its successful transaction don't mention. */
export function unmentioned(item: WorkItem, what: string): ItemOutcome {
  return failed(item, `the transaction succeeded and says nothing about this ${what}`)
}
