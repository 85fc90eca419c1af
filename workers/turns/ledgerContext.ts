import { viewAt } from '../../chain/blocks/blocks.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import type { View } from '../../chain/rpc/view.ts'
import { newestConfirmed } from '../../core/chain/depth.ts'
import { blockHashAt, type ChainState, readChainState } from '../../store/chain/state.ts'
import type { Database } from '../../store/database/database.ts'
import type { SigningConfig } from '../signers/signers.ts'
import type { LedgerWork } from './ledgerWork.ts'

/** What the steps of the ledger loop work with, and what each of them returns. */

export interface ChainReader {
  readonly database: Database
  readonly client: ChainClient
  /** The state of the chain as this turn has read it, once it follows the head; without it, it is read. */
  readonly seen?: ChainState | null
}

export interface LedgerContext extends ChainReader {
  readonly config: SigningConfig
  readonly work: LedgerWork
}

export interface Progress {
  /** How many rows changed. */
  readonly changed: number
  /** True when more may wait than one turn takes on. */
  readonly isFull: boolean
}

/** The state of the chain, which is stored before its first turn. */
export async function chainState({ database, client, seen }: ChainReader): Promise<ChainState> {
  const state = seen ?? (await readChainState(database, client.chain.networkId))
  if (!state) throw new Error(`${client.chain.networkId} is not watched yet`)
  return state
}

/** The newest block with the chain's confirmations, by the ledger's own head. */
export async function confirmedBlock(context: LedgerContext): Promise<bigint> {
  const state = await chainState(context)
  return newestConfirmed(state.head, context.client.chain.confirmations)
}

/**
 * The view of a block that the ledger has followed. Its hash is the ledger's own where it is stored; a
 * block further down is one that nodes agree on. Throws an UnknownBlockError when the node has none.
 */
export async function viewOf({ database, client }: LedgerContext, number: bigint): Promise<View> {
  const hash = await blockHashAt(database, client.chain.networkId, number)
  return hash === null ? viewAt(client.rpc, number) : { number, hash }
}
