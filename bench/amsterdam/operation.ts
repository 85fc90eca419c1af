import type { UnsignedCall } from '../../chain/hub/deployment.ts'
import type { Address } from '../../core/chain/evm.ts'
import type { BatchGas, ChainGas } from '../../core/chain/gas.ts'
import type { WorkKindName } from '../../store/relayer/workItems.ts'
import type { Stage } from './stage.ts'

/** Something that is done with a hub, in the case that creates the most state. */
export interface Operation {
  readonly name: string
  /** The kind of work whose gas limits it has; or, where no relayer does it, these limits. */
  readonly kind: WorkKindName | Limits
  /** How many merchants are paid, and paid out to, where its transaction carries that besides its items. */
  readonly merchants?: (count: number) => number
  /** Whether the token is one whose transfers are dear. */
  readonly isCostly?: boolean
  /** Whether a transaction has one item only. */
  readonly isSingle?: boolean
  /** Brings about the state before, and answers the call and who has to hold how much after it. */
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

/** What an account has to hold more afterwards, in base units. */
export interface Paid {
  readonly token: Address
  readonly to: Address
  readonly amount: bigint
}
