import type { ChainClient } from '../../chain/rpc/client.ts'
import type { View } from '../../chain/rpc/view.ts'
import type { TokenDecimals } from '../../core/base/money.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { Queryable } from '../../store/database/database.ts'
import type { DifferenceKind } from './advice.ts'
import type { Difference, Subject, TokenTotals } from './report.ts'
import { amountText } from './words.ts'

/** The comparison of a chain with the ledger at one block, and the collector of its findings. */
export interface Comparison extends Findings {
  readonly database: Queryable
  readonly client: ChainClient
  readonly hubs: readonly Address[]
  /** Both sides are compared at the end of this block. */
  readonly block: bigint
  /** The same block, for reading states. */
  readonly view: View
  readonly totals: ReadonlyMap<Address, TokenTotals>
}

export interface Findings {
  /** Reports a difference between the ledger and this chain. */
  readonly differ: (kind: DifferenceKind, subject: Subject, message: string) => void
  /** Adds a notice that is no difference. */
  readonly note: (sentence: string) => void
}

/** The findings of all chains. */
export interface Found {
  readonly differences: Difference[]
  readonly notices: string[]
}

/** Adds the findings of a chain to those of others. */
export function findingsOn(networkId: string, { differences, notices }: Found): Findings {
  return {
    differ: (kind, subject, message) => differences.push({ kind, networkId, ...subject, message }),
    note: (sentence) => notices.push(sentence),
  }
}

/** The maximum lag of the ledger behind the confirmed head that is no difference, in time. */
const LAG_MS = 60_000
const LAG_BLOCKS = 20

/** The same in blocks of this chain. */
export function lagTolerance({ blockTimeMs }: { readonly blockTimeMs: number }): bigint {
  return BigInt(Math.max(LAG_BLOCKS, Math.ceil(LAG_MS / blockTimeMs)))
}

interface Fees {
  readonly symbol: string
  readonly token: Address
  readonly decimals: TokenDecimals
  readonly fees: bigint
  readonly feesOnChain: bigint
}

/** Compares the fee collector's receipts with the ledger, for each token. */
export function compareFees({ differ }: Findings, source: string, totals: Iterable<Fees>): void {
  for (const token of totals) {
    const { fees: ledger, feesOnChain: chain } = token
    if (ledger === chain) continue
    differ(
      'fees_differ',
      { token: token.token, ledger, chain },
      `${source} paid the collector ${amountText(chain, token)}, in the ledger ${amountText(ledger, token)}`,
    )
  }
}
