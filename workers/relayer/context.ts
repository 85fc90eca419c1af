import type { Logger } from 'pino'
import type { Head } from '../../chain/blocks/blocks.ts'
import type { CanonicalBlocks } from '../../chain/blocks/canonical.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import type { DigestSigner } from '../../chain/signers/signer.ts'
import type { Fees } from '../../chain/transactions/fees.ts'
import type { InvoiceId } from '../../core/base/ids.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { Tracer } from '../../metrics/process/tracing.ts'
import type { Database, Transaction } from '../../store/database/database.ts'
import type { Attempt } from '../../store/relayer/attempts.ts'
import type { Lease, RelayerKey } from '../../store/relayer/keys.ts'
import type { RelayerTx } from '../../store/relayer/transactions.ts'
import type { Backlog } from '../../store/relayer/workItems.ts'
import type { HeadReader } from '../blocks/headReader.ts'
import type { ObserveSigning, Signatures } from '../signers/signatures.ts'
import type { SigningConfig } from '../signers/signers.ts'
import type { Alarms } from '../turns/alarms.ts'
import type { Isolation, Probe } from '../turns/isolation.ts'
import type { OpenWorkReader } from '../turns/openWork.ts'
import type { Searches } from '../turns/searches.ts'
import type { FailoverGuard } from './failover.ts'
import type { Kinds } from './kind.ts'
import type { Stage } from './stages.ts'

/** What a relayer works with, what it may be tuned by, and what it remembers between turns. */

/** Moments at which a crash must do no harm; tests end the process at each of them. */
export type RelayerStep =
  | 'leased'
  | 'before_assign_commit'
  | 'assigned'
  | 'broadcast_sent'
  | 'receipt_seen'
  | 'resolving'
  | 'resolved'
  | 'deciding'
  | 'confirming'

export interface RelayerDeps {
  readonly database: Database
  readonly client: ChainClient
  readonly heads: HeadReader
  /** What is open on the chain, which the actor's other loop reads as well; without it, the relayer's own. */
  readonly open?: OpenWorkReader | undefined
  readonly config: SigningConfig
  /** Names this process in the leases. */
  readonly workerId: string
  readonly log: Logger
  /** Recalculates the invoices, in the transaction that changed their settlements. */
  onSettlementChanged(sql: Transaction, invoiceIds: readonly InvoiceId[]): Promise<void>
  /** The kinds of work that it carries out, the most urgent first; without it, all. */
  readonly kinds?: Kinds | undefined
  /** Absent where the database is known to be whole. */
  readonly guard?: FailoverGuard | undefined
  readonly timing?: Partial<RelayerTiming>
  /** Absent where no spans are sent. */
  readonly tracer?: Tracer | undefined
  /** Called for each call to a key store. */
  readonly onSigning?: ObserveSigning | undefined
  /** Called after each step, before the next one begins. */
  readonly onStep?: (step: RelayerStep) => Promise<void> | void
}

export interface RelayerTiming {
  /** How long items wait to be batched while something is in flight, in ms. */
  readonly flushMs: number
  /** How long to pause after an attempt that a node may not have received, in ms. */
  readonly retryMs: number
  /** How often bytes that a node took, and that aren't mined, are sent again, in ms. */
  readonly rebroadcastMs: number
  /** How long the lowest open account nonce waits before it offers more, in ms. */
  readonly bumpAfterMs: number
  /** How long the tip that a node suggested is kept, in ms. */
  readonly tipKeptMs: number
  /** For how many blocks a used nonce may lack our receipt before its sender is searched for. */
  readonly takenNonceBlocks: bigint
  /** How often a key's balance is read while it has work, and while it has none, in ms. */
  readonly balanceEveryMs: number
  readonly restingBalanceMs: number
  /** The pause after work on one thing failed for the first time, in ms. */
  readonly quarantineMs: number
  /** The pause before an item that reverted alone is tried again, in ms. */
  readonly revertPauseMs: number
}

export interface RelayerContext extends RelayerDeps {
  readonly kinds: Kinds
  readonly probe: Probe
  readonly networkId: string
  readonly accounts: ReadonlyMap<Address, DigestSigner>
  readonly signatures: Signatures
  readonly limits: RelayerTiming
  readonly work: Isolation<Stage>
  readonly alarms: Alarms
  readonly searches: Searches
  readonly memory: RelayerMemory
  step(step: RelayerStep): Promise<void>
}

/** Lost with the process and rebuilt from Postgres and the chain. */
export interface RelayerMemory {
  readonly leases: Map<Address, Lease>
  readonly operators: Map<Address, { readonly isOperator: boolean; readonly at: number }>
  readonly balances: Map<Address, { readonly wei: bigint; readonly at: number }>
  /** The gas of a transfer of each token, as it was seen at a moment by performance.now(). */
  readonly transfers: Map<Address, { readonly gas: bigint; readonly at: number }>
  /** The work items that are being prepared, which need not be locked while they are signed for. */
  readonly preparing: Set<bigint>
  /** When a condition that lasts was last logged. */
  readonly logged: Map<string, number>
  /** When each attempt was last sent, whether that ended well, and how often it was refused in a row. */
  readonly sent: Map<
    Hex,
    { readonly at: number; readonly accepted: boolean; readonly refusals: number }
  >
  /** How often in a row nodes have refused the attempts of a transaction. */
  readonly refusals: Map<bigint, number>
  /** Transactions whose nonce is used without a receipt of ours: the head last searched, and since when, in ms. */
  readonly missing: Map<bigint, { readonly queriedAt: bigint; readonly since: number }>
  /** When the receipts of a transaction were requested, first and last after one head, by performance.now(). */
  readonly lookups: Map<bigint, { readonly head: Hex; readonly since: number; readonly at: number }>
  readonly canonical: CanonicalBlocks
  prices: ({ readonly head: Hex } & Prices) | null
  /** The tip that the node suggested last, in wei per gas, at a moment by performance.now(). */
  tip: { readonly perGas: bigint; readonly at: number } | null
  /** The account nonces that were read after one head, since `at` by performance.now(). */
  nonces: {
    readonly head: Hex | null
    readonly at: number
    readonly known: Map<Address, bigint>
  }
  renewedAt: number
}

/** A turn, with what it has read before it decides anything. */
export interface RelayerTurn extends RelayerContext {
  readonly head: Head
  readonly accountNonces: ReadonlyMap<Address, bigint>
  readonly keys: ReadonlyMap<Address, RelayerKey>
  /** What waits to be sent, the most urgent first. */
  readonly backlog: readonly Backlog[]
  readonly unfinished: readonly RelayerTx[]
  readonly attempts: ReadonlyMap<bigint, readonly Attempt[]>
}

/** What gas costs after a head. */
export interface Prices {
  readonly fees: Fees
  /** What each byte of a transaction adds to its gas limit, where its data is paid for in gas (Arbitrum); or 0. */
  readonly dataGasPerByte: bigint
}

/** A turn that may send, at the fees of its head. */
export interface SendingTurn extends RelayerTurn, Prices {}

/** The attempts that were made for a transaction, oldest first. */
export function attemptsOf(turn: RelayerTurn, txId: bigint): readonly Attempt[] {
  return turn.attempts.get(txId) ?? []
}

/** The transactions of a key that are signed and not mined. */
export function openOf(turn: RelayerTurn, address: Address): RelayerTx[] {
  return turn.unfinished.filter((tx) => tx.address === address && tx.state === 'signed')
}

/**
 * Recalculates these invoices, each once and always in the same order, so that transactions that change the
 * same ones don't deadlock.
 */
export async function recalculate(
  context: RelayerContext,
  sql: Transaction,
  invoiceIds: readonly InvoiceId[],
): Promise<void> {
  if (invoiceIds.length === 0) return
  await context.onSettlementChanged(sql, [...new Set(invoiceIds)].toSorted())
}

/** True when this was not logged for `everyMs`: a condition that lasts is not logged at every turn. */
export function isNews({ memory }: RelayerContext, subject: string, everyMs: number): boolean {
  const now = performance.now()
  const last = memory.logged.get(subject)
  if (last !== undefined && now - last < everyMs) return false
  memory.logged.set(subject, now)
  return true
}
