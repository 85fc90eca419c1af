import type { Log } from 'viem'
import type { Address, Hex } from '../../../core/chain/evm.ts'
import type { InvoiceId } from '../../../core/ids.ts'
import type { Transaction } from '../../../store/database.ts'
import type { SweptAt } from '../../../store/invoice/sweeps.ts'
import type { WorkItem } from '../../../store/relayer/workItems.ts'
import type { RelayerContext } from '../context.ts'

/**
 * What a relayer must know about a kind of work: it says how items become a call, what a receipt's logs
 * say about each of them, and what that means for the ledger.
 */

export interface WorkKind {
  /** Gas for a transaction and for each item in it, above anything measured. */
  readonly gas: { readonly base: bigint; readonly perItem: bigint }
  /**
   * Whoever carries an item out, and however often: it takes effect once. What a transaction left
   * undone is then decided at once by the state of the chain, and may be sent again.
   */
  readonly isSingleUse: boolean
  /** Encodes as many of the items as fit into one call, and names those that never can be. */
  prepare(
    context: RelayerContext,
    sql: Transaction,
    items: readonly WorkItem[],
  ): Promise<PreparedCall>
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
    context: RelayerContext,
    target: Address,
    items: readonly WorkItem[],
    block: bigint,
  ): Promise<Evidence[] | null>
  /** The functions below change the ledger and return the invoices that must be derived anew. */
  mined(sql: Transaction, done: readonly DoneItem[], at: SweptAt): Promise<InvoiceId[]>
  confirmed(
    sql: Transaction,
    items: readonly WorkItem[],
    context: RelayerContext,
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

/** An item that was carried out, with the log that says so where there is one. */
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
  readonly at: SweptAt
  readonly result: Readonly<Record<string, string>>
}
