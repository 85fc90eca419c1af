import type { Address } from '../../core/chain/evm.ts'
import { walletSlots } from '../../core/x402/wallets.ts'
import type { Attempt } from '../../store/relayer/attempts.ts'
import type { RelayerTx } from '../../store/relayer/transactions.ts'
import { attemptsOf, openOf, type RelayerContext, type RelayerTurn } from './context.ts'

/**
 * What a relayer does about payers with code, whose transactions may burn their gas or never be mined:
 * they get few slots, of one key where there are several, and all other work goes before them.
 */

const WALLETS = 'x402_wallet'

/** A key that may send. */
interface Lane {
  readonly lease: { readonly address: Address }
  readonly inFlight: number
}

/**
 * The keys that may take work of a kind, in the order in which they are to take it. Wallets share one
 * key. All other work prefers the others, and does not queue behind a transaction of wallets that is not
 * mined when it should be, as long as there is another key.
 */
export function lanesOf<T extends Lane>(
  turn: RelayerTurn,
  lanes: readonly T[],
  kind: string,
): readonly T[] {
  const openWallets = ({ lease }: T) =>
    openOf(turn, lease.address).filter((tx) => tx.kind === WALLETS)
  const [withWallets, clear] = [true, false].map((has) =>
    lanes.filter((lane) => openWallets(lane).length > 0 === has),
  )
  if (kind === WALLETS) {
    const idlest = lanes.toSorted((a, b) => a.inFlight - b.inFlight)
    return [...(withWallets ?? []), ...idlest].slice(0, 1)
  }
  if (!clear?.length) return lanes
  const flowing = (withWallets ?? []).filter((lane) =>
    openWallets(lane).every((tx) => !isLate(turn, tx)),
  )
  return [...clear, ...flowing]
}

/** How many transactions of a key may be in flight for work of a kind to be added to them. */
export function slotsFor({ config }: RelayerContext, kind: string): number {
  const { inFlightMax } = config.relayer
  return kind === WALLETS ? walletSlots(inFlightMax) : inFlightMax
}

/** True when a node has had the transaction for longer than two blocks take. */
function isLate(turn: RelayerTurn, tx: RelayerTx): boolean {
  const acceptedForMs = attemptsOf(turn, tx.id).at(-1)?.acceptedForMs ?? null
  return acceptedForMs !== null && acceptedForMs > 2 * turn.client.chain.blockTimeMs
}

/**
 * Whether a transaction that is due for a better offer is replaced by an empty one instead. Some nodes don't
 * mine what fails, at any price, and everything after it would wait for as long. Its items go out again, at the
 * fees of then.
 */
export function isGivenUpWhenLate({ kind }: RelayerTx, { isCancel }: Attempt): boolean {
  return kind === WALLETS && !isCancel
}
