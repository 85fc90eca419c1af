import type { Hex } from '../../core/chain/evm.ts'

/**
 * The block that a turn reads from. Its state is requested by its hash (EIP-1898): a node that lags behind, or
 * is on another branch, then answers that it doesn't know the block, and never from another one. Headers are
 * views.
 */
export interface View {
  readonly number: bigint
  readonly hash: Hex
}

/** The parameter of a state read: the view's block, or the node's newest without one. */
export function atView(view?: View): { readonly blockHash?: Hex } {
  return view === undefined ? {} : { blockHash: view.hash }
}
