import type { Logger } from 'pino'
import type { Log } from 'viem'
import type { Head } from '../../chain/blocks/blocks.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import type { View } from '../../chain/rpc/view.ts'
import type { Outflow } from '../../chain/tokens/transferGas.ts'
import type { TrialSender } from '../../chain/x402/trial.ts'
import type { InvoiceId } from '../../core/base/ids.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { BatchGas, ChainGas } from '../../core/chain/gas.ts'
import type { Chain } from '../../core/chain/registry.ts'
import type { FoundDeposit } from '../../core/invoice/depositBooks.ts'
import type { OrderView } from '../../core/invoice/refundLimit.ts'
import type { Database, Queryable, Transaction } from '../../store/database/database.ts'
import type { ItemWait } from '../../store/relayer/hubWaits.ts'
import type { MinedIn, RelayerTx } from '../../store/relayer/transactions.ts'
import type { Ledger } from '../../store/relayer/transition.ts'
import type { Requeued, WorkItem } from '../../store/relayer/workItems.ts'
import type { lockDueWallets } from '../../store/x402/wallets.ts'
import type { Sign } from '../signers/signatures.ts'
import type { SigningConfig } from '../signers/signers.ts'
import type { Searches } from '../turns/searches.ts'

/**
 * What a relayer must know about a kind of work: how items become a call, how a receipt's logs show the
 * outcome of each, and what that means for the ledger.
 */

/** What kinds of work have at hand. */
export interface KindContext {
  readonly database: Database
  readonly client: ChainClient
  readonly config: SigningConfig
  readonly searches: Searches
  /** The newest block. */
  readonly head: Head
}

/** The same, with the figures for the batch that is being prepared. */
export interface PreparingContext extends KindContext {
  readonly gas: ChainGas
  /** The most gas that the transaction may have. */
  readonly room: bigint
  readonly sign: Sign
}

/** The same, to find out what becomes of items that were left undone. */
export interface JudgingContext extends KindContext {
  readonly log: Logger
  /** A key that could have sent what is tried; null without one. */
  sender(): Promise<TrialSender | null>
}

export interface WorkKind {
  /** The gas limit of a batch, by the figures for it. */
  gas(figures: ChainGas): BatchGas
  /**
   * By any sender, and however often it is sent, an item takes effect once. What a transaction left undone is
   * then decided at once by the state of the chain, and may be sent again.
   */
  readonly isSingleUse: boolean
  /** Callers wait for it, and are answered at the depth of x402 payments. Single uses are awaited, too. */
  readonly isAwaited?: boolean
  /** How its items are batched; without it, as other work. */
  batching?(config: SigningConfig): Batching
  /** Locks items that may go out together now. Without it, those that wait longest. */
  readonly lockDue?: typeof lockDueWallets
  /** The money that these items move, where its token decides what they cost. */
  outflows?(
    sql: Queryable,
    items: readonly WorkItem[],
  ): Promise<readonly (Outflow & { readonly itemId: bigint })[]>
  /**
   * Reads the chain before items are locked. Those that it doesn't return can't be decided yet, and are retried
   * later.
   */
  examine?(context: KindContext, items: readonly WorkItem[]): Promise<ReadonlyMap<bigint, Examined>>
  /**
   * Encodes as many of the items as fit into one call, and names those that never can be. A kind that
   * examines its items takes only those that were.
   */
  prepare(
    context: PreparingContext,
    sql: Transaction,
    items: readonly WorkItem[],
    examined: ReadonlyMap<bigint, Examined>,
  ): Promise<PreparedCall>
  /**
   * Reads every item's outcome from the logs of its successful transaction. `items` are all that were bound to
   * it, in the order in which they were encoded, also those that have ended since.
   */
  resolve(
    sql: Transaction,
    target: Address,
    items: readonly WorkItem[],
    logs: readonly Log[],
  ): Promise<ItemOutcome[]>
  /**
   * Reads from the chain which of these items, that our transaction did not carry out, are done all the
   * same; absent where no other sender carries them out. Reads blocks up to the view's only, which has the chain's confirmations.
   */
  evidence?(
    context: KindContext,
    target: Address,
    items: readonly WorkItem[],
    view: View,
  ): Promise<Findings>
  /**
   * What becomes of items that transactions have left undone; those that it doesn't return are decided later. Without
   * it, by `evidence` and `assessGas`.
   */
  judge?(context: JudgingContext, undone: readonly Undone[]): Promise<Fates>
  /**
   * What becomes of items that may have burnt the gas of their mined transaction, or lacked it, for kinds whose items
   * share theirs. Null while nothing is known.
   */
  assessGas?(
    context: KindContext,
    tx: RunTransaction,
    items: readonly WorkItem[],
    view: View,
  ): Promise<Fates | null>
  /** Whose rows advance with the items; absent where everything follows from the chain alone. */
  ledger?(item: WorkItem, registry: readonly Chain[]): Ledger
  /** What follows from items that were just mined, besides. */
  mined?(sql: Transaction, done: readonly DoneItem[]): Promise<void>
  /** Notifies waiting callers, once that is committed. Callers poll as well. */
  announce?(database: Database, done: readonly DoneItem[]): Promise<void>
  /** What follows from items that were just confirmed, besides. Returns the invoices to recalculate. */
  confirmed?(sql: Transaction, done: readonly DoneItem[]): Promise<InvoiceId[]>
  /** Notes that the hub has not taken items for now, in this block (waitOf); they go out again. */
  waiting?(sql: Transaction, items: readonly WorkItem[], block: bigint): Promise<void>
  /** What follows from items that have failed. Returns the invoices to recalculate. */
  failed?(sql: Transaction, failures: readonly ItemFailure[]): Promise<InvoiceId[]>
}

/** The kinds of work by their names. */
export type Kinds = Readonly<Record<string, WorkKind>>

/** Throws for a kind that this version doesn't know yet. */
export function kindOf({ kinds }: { readonly kinds: Kinds }, name: string): WorkKind {
  const kind = kinds[name]
  if (kind === undefined) throw new Error(`no relayer knows the work kind ${name}`)
  return kind
}

/** The most items of a transaction, and how long they wait for others, in ms. */
export interface Batching {
  readonly batchMax: number
  readonly flushMs: number
}

/** What was found out about an item before it was locked. */
export interface Examined {
  /** Why it must not be carried out; null when it may be. */
  readonly fault: string | null
  /** What was examined, in words that are other ones when it has changed since. */
  readonly order: string
  /** The hub's state of the order, where it was read. */
  readonly view?: OrderView | undefined
  /** What it waits for before the hub takes it; absent when nothing is known to be in its way. */
  readonly wait?: Omit<ItemWait, 'itemId'>
  /** Why it is quarantined until a review; absent when nothing is known to block it. */
  readonly held?: string
}

export interface PreparedCall {
  readonly target: Address
  readonly calldata: Hex
  readonly gasLimit: bigint
  /** Those that are in the call; items in neither list stay queued for another one. */
  readonly items: readonly WorkItem[]
  readonly unusable: readonly ItemFailure[]
  /** Those that the hub would not take now, as far as is known. They wait, and none of them has failed. */
  readonly waiting?: readonly ItemWait[]
}

/** What the chain has shown of items. Those in neither list are certainly not done. */
export interface Findings {
  readonly found: readonly Evidence[]
  /** The ids of items that take more turns to decide. */
  readonly open: ReadonlySet<bigint>
  /** What the view shows of the deposits of items that are not done, by the items' ids. */
  readonly deposits?: ReadonlyMap<bigint, FoundDeposit>
}

/** A transaction that was mined, as its relayer sent it. */
export type RunTransaction = Pick<RelayerTx, 'id' | 'gasLimit' | 'itemCount' | 'minedHash'>

/** The gas limit of so many items. */
export function limitOf({ base, perItem }: BatchGas, items: readonly unknown[]): bigint {
  return base + perItem * BigInt(items.length)
}

/** An item that was carried out, with what is known of that, and the log that proves it where there is one. */
export type DoneItem = Pick<ItemOutcome, 'item'> & Partial<Pick<ItemOutcome, 'logIndex' | 'result'>>

export interface ItemOutcome {
  readonly item: WorkItem
  readonly ok: boolean
  readonly logIndex: number | null
  readonly result: Readonly<Record<string, string>>
}

export interface ItemFailure {
  readonly item: WorkItem
  readonly reason: string
  /** Whether an operator is to look at it, too. */
  readonly needsReview?: boolean
  /** What the chain showed of its deposit, where it was read. */
  readonly deposit?: FoundDeposit | undefined
  /** The account that has burnt the gas of its transaction; absent when none is known to have. */
  readonly burner?: Address | undefined
}

/** Proof that an item is done by a transaction that isn't the one it was assigned to. */
export interface Evidence extends DoneItem {
  readonly at: MinedIn
}

/** An item that its transaction has left undone. */
export interface Undone {
  readonly item: WorkItem
  readonly tx: RelayerTx
}

/** What becomes of such an item. */
export type Fate = {
  /** What else is to be done then, in the same transaction. */
  also?(sql: Transaction): unknown
} & (
  | {
      readonly type: 'done'
      readonly evidence: Evidence
      /** Why it has failed where that has done another one. */
      readonly otherwise?: string
    }
  /** It goes out again, in batches no larger than `batchLimit`. */
  | ({ readonly type: 'again' } & Omit<Requeued, 'id'>)
  /** It goes out again once the hub takes it. */
  | { readonly type: 'waits' }
  /** It has moved nothing and never will. */
  | ({ readonly type: 'failed' } & Omit<ItemFailure, 'item'>)
  /** Only an operator can decide. */
  | { readonly type: 'review'; readonly reason: string }
  /** All of it is in `also`. */
  | { readonly type: 'other' }
)

/** By the ids of items. */
export type Fates = ReadonlyMap<bigint, Fate>

export function idsOf(items: readonly WorkItem[]): bigint[] {
  return items.map(({ id }) => id)
}

/** The row that an item advances. @throws for an item that names none. */
export function subjectOf({ id, kind, subjectId }: WorkItem): string {
  if (subjectId === null) throw new Error(`work item ${id} of the kind ${kind} names no row`)
  return subjectId
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
