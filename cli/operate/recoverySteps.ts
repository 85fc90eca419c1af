import { type Address, checksumAddress } from '../../core/chain/evm.ts'
import type { DifferenceKind } from '../books/advice.ts'

/** A relayer with transactions missing in the ledger. */
export interface Forgotten {
  readonly networkId: string
  readonly address: Address
  /** Its next account nonce in the ledger, and on the chain. */
  readonly ledger: bigint
  readonly chain: bigint
}

export interface Found {
  readonly forgotten: readonly Forgotten[]
  readonly differences: readonly {
    readonly kind: DifferenceKind
    readonly networkId: string | null
  }[]
  /** Whether a worker is connected to the database now. */
  readonly isFollowed: boolean
}

/** Differences because a chain can't be read. */
const UNREAD: readonly DifferenceKind[] = ['chain_unreachable', 'another_chain']
/** Differences by lag, which workers resolve automatically. */
const LAG: readonly DifferenceKind[] = ['ledger_behind']

/**
 * The steps, in order, before workers may start on a restored or promoted database; empty if
 * the ledger is complete compared to the chains.
 */
export function recoverySteps({ forgotten, differences, isFollowed }: Found): string[] {
  const unread = differences.filter(({ kind }) => UNREAD.includes(kind))
  if (unread.length > 0) {
    return [
      'Configure a reachable node for every chain, and run this again: the chains could not be read.',
    ]
  }
  const real = differences.filter(({ kind }) => !LAG.includes(kind))
  if (forgotten.length === 0 && real.length === 0) return []
  const of = (found: readonly { readonly networkId: string | null }[]) =>
    found.flatMap(({ networkId }) => networkId ?? [])
  const chains = [...new Set([...of(forgotten), ...of(real)])].sort()
  const running = isFollowed ? 'Stop the running workers' : 'Keep all workers stopped'
  return [
    `${running}: a ledger that has lost what was sent must not send again.`,
    'Is there a later moment to restore to, the disk of the old primary or more of the archive? Take that, and run this again: it mends everything.',
    ...chains.map(
      (chain) => `\`remit work hold --chain ${chain}\`: its queued sweeps then need review.`,
    ),
    'Start the indexer and one worker. It sends nothing, because it finds the same and quarantines the keys; it books what arrived.',
    '`remit recover refunds`: it restores refunds of orders that the ledger has lost.',
    ...forgotten.map(
      ({ networkId, address, ledger, chain }) =>
        `\`remit relayer revive --chain ${networkId} --address ${checksumAddress(address)}\`: it has sent ${chain - ledger} transactions that are missing in the ledger.`,
    ),
    `\`remit relayer list\`, and the same for every other relayer of ${chains.join(' and ')} that the worker has quarantined.`,
    '`remit work list`, and `remit work retry` for each sweep: of one that was made already the worker finds the transaction and books it, and nothing is left for another.',
    '`remit reconcile` ends clean; it notes what was swept for invoices that the ledger has lost.',
    'Ask payers and merchants of the last minutes: an invoice that was lost with the commit is unknown here, and its money is held at its address.',
  ]
}
