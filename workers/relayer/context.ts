import type { Logger } from 'pino'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Head } from '../../chain/blocks.ts'
import type { CanonicalBlocks } from '../../chain/canonical.ts'
import type { ChainClient } from '../../chain/client.ts'
import type { Fees } from '../../chain/fees.ts'
import type { Address, Hex } from '../../core/chain/evm.ts'
import type { WorkerConfig } from '../../core/config/processes.ts'
import type { InvoiceId } from '../../core/ids.ts'
import type { Database, Transaction } from '../../store/database.ts'
import type { Attempt } from '../../store/relayer/attempts.ts'
import type { Lease, RelayerKey } from '../../store/relayer/keys.ts'
import type { RelayerTx } from '../../store/relayer/transactions.ts'
import type { KindContext } from './kinds/kind.ts'

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
  readonly config: WorkerConfig
  /** Names this process in the leases. */
  readonly workerId: string
  readonly log: Logger
  /** Derives the invoices anew, in the transaction that changed their settlements. Ids are sorted. */
  onSettlementChanged(sql: Transaction, invoiceIds: readonly InvoiceId[]): Promise<void>
  readonly timing?: Partial<RelayerTiming>
  /** Hears of each step before the next one begins. */
  readonly onStep?: (step: RelayerStep) => Promise<void> | void
}

export interface RelayerTiming {
  /** How long items wait for company while something is in flight, in ms. */
  readonly flushMs: number
  /** How long to pause after an attempt that may not have arrived, in ms. */
  readonly retryMs: number
  /** How often bytes that a node took, and that aren't mined, are sent again, in ms. */
  readonly rebroadcastMs: number
  /** How long the lowest open account nonce waits before it offers more, in ms. */
  readonly bumpAfterMs: number
  /** Blocks for which a used nonce may lack a receipt before somebody else must have used it. */
  readonly foreignBlocks: bigint
  readonly balanceEveryMs: number
  /** The pause before an item that reverted alone is tried again, in ms. */
  readonly revertPauseMs: number
}

export interface RelayerContext extends RelayerDeps, KindContext {
  readonly networkId: string
  readonly accounts: ReadonlyMap<Address, PrivateKeyAccount>
  readonly limits: RelayerTiming
  readonly memory: RelayerMemory
  step(step: RelayerStep): Promise<void>
}

/** Lost with the process and rebuilt from Postgres and the chain. */
export interface RelayerMemory {
  readonly leases: Map<Address, Lease>
  readonly operators: Map<Address, { readonly isOperator: boolean; readonly at: number }>
  readonly balances: Map<Address, { readonly wei: bigint; readonly at: number }>
  /** When something that lasts was last said in the log. */
  readonly said: Map<string, number>
  /** When each attempt was last sent, and whether that ended well. */
  readonly sent: Map<Hex, { readonly at: number; readonly accepted: boolean }>
  /** The head at which a transaction's nonce was first seen used without a receipt of ours. */
  readonly missing: Map<bigint, bigint>
  /** The head at which a key's account nonce was first seen above all that we ever assigned. */
  readonly overtaken: Map<Address, bigint>
  readonly canonical: CanonicalBlocks
  fees: { readonly head: Hex; readonly fees: Fees } | null
  renewedAt: number
  lookedForKeysAt: number
}

/** What one turn has read before it decides anything. */
export interface TurnView {
  readonly head: Head
  readonly accountNonces: ReadonlyMap<Address, bigint>
  readonly keys: ReadonlyMap<Address, RelayerKey>
  readonly unfinished: readonly RelayerTx[]
  readonly attempts: ReadonlyMap<bigint, readonly Attempt[]>
}

/** The newest attempt of a transaction, the one that is sent. */
export function lastAttempt(view: TurnView, txId: bigint): Attempt | undefined {
  return view.attempts.get(txId)?.at(-1)
}

/** True when this was not said for `everyMs`: conditions that last are not logged at every turn. */
export function isNews({ memory }: RelayerContext, subject: string, everyMs: number): boolean {
  const now = performance.now()
  const said = memory.said.get(subject)
  if (said !== undefined && now - said < everyMs) return false
  memory.said.set(subject, now)
  return true
}
