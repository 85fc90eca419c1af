import type { ChainClient } from '../../../chain/client.ts'
import type { Address } from '../../../core/chain/evm.ts'
import type { Asset } from '../../../core/chain/registry.ts'
import type { DepositRef } from '../../../store/books/reconciliation.ts'
import type { Queryable } from '../../../store/database.ts'
import type { Findings, TokenTotals } from './report.ts'

/** One chain at one block, as all comparisons of it see it. */
export interface Scene {
  readonly database: Queryable
  readonly client: ChainClient
  readonly hubs: readonly Address[]
  /** Everything is compared as of the end of this block. */
  readonly block: bigint
  readonly totals: ReadonlyMap<Address, TokenTotals>
  readonly findings: Findings
}

/** How far the ledger may lag behind the confirmed head, in time, before that is a difference. */
const LAG_MS = 60_000
const LAG_BLOCKS = 20

/** The same in blocks of this chain. */
export function lagTolerance({ blockTimeMs }: { readonly blockTimeMs: number }): bigint {
  return BigInt(Math.max(LAG_BLOCKS, Math.ceil(LAG_MS / blockTimeMs)))
}

/** A deposit that holds something else than the ledger says. */
export interface Mismatch {
  readonly deposit: DepositRef
  readonly token: Asset
  readonly ledger: bigint
  readonly chain: bigint
}
