import type { UnsignedCall } from '../../chain/hub/deployment.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { BatchGas, ChainGas } from '../../core/chain/gas.ts'
import type { WorkKindName } from '../../workers/relayer/kinds.ts'
import type { Stage } from './stage.ts'

/** A hub operation, in the case that creates the most state. */
export interface Operation {
  readonly name: string
  /** The kind of work whose gas limits it has; or, where no relayer does it, these limits. */
  readonly kind: WorkKindName | Limits
  /** The number of merchants in its transaction, and of payouts beside its items. */
  readonly merchants?: (count: number) => number
  /** Whether the token has expensive transfers. */
  readonly isCostly?: boolean
  /** Whether a transaction has only one item. */
  readonly isSingle?: boolean
  /** Prepares the state, and returns the call and the expected balances. */
  prepare(stage: Stage, count: number, gas: ChainGas): Promise<Prepared>
}

/** The gas limit of a batch, by the figures for it. */
type Limits = (figures: ChainGas) => BatchGas

export interface Prepared {
  readonly call: UnsignedCall
  /** The sender's name; a relayer by default. */
  readonly sender?: string
  readonly paid: readonly Paid[]
}

/** The expected balance increase of an account, in base units. */
export interface Paid {
  readonly token: Address
  readonly to: Address
  readonly amount: bigint
}
