import type { TrialSender } from '../../chain/x402/trial.ts'
import type { Sender } from '../../store/relayer/senders.ts'

/** How long reads of a chain's relayers are cached, in ms. */
const KNOWN_MS = 60_000
/** The tip before the first transaction: 1 gwei, in wei per gas. */
const USUAL_TIP = 1_000_000_000n

/**
 * The sender of simulated transfers: one of the chain's relayers, with the fees of its
 * transactions. Null if no relayer is known; rejects if they can't be read.
 */
export function openTrialSenders(
  readSenders: (networkId: string) => Promise<Sender[]>,
): (networkId: string) => Promise<TrialSender | null> {
  const known = new Map<string, { readonly at: number; readonly senders: Promise<Sender[]> }>()
  const read = (networkId: string): Promise<Sender[]> => {
    const before = known.get(networkId)
    if (before !== undefined && performance.now() - before.at < KNOWN_MS) return before.senders
    const senders = readSenders(networkId)
    known.set(networkId, { at: performance.now(), senders })
    const forget = () => known.delete(networkId)
    // Neither failures nor a missing key are cached.
    senders.then((found) => found.length > 0 || forget(), forget)
    return senders
  }
  return async (networkId) => {
    const senders = await read(networkId)
    const one = senders[Math.floor(Math.random() * senders.length)]
    return one === undefined ? null : { from: one.address, tip: one.tip ?? USUAL_TIP }
  }
}
