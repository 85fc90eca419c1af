import type { TrialSender } from '../../chain/x402/trial.ts'
import type { Sender } from '../../store/relayer/senders.ts'

/** How long what was read about a chain's relayers counts, in ms. */
const KNOWN_MS = 60_000
/** A tip for the time before the first transaction: a gwei, in wei per gas. */
const USUAL_TIP = 1_000_000_000n

/**
 * In whose name the transfers of requests are tried: one of the chain's relayers, as it offers its
 * transactions. Null while no relayer is known; rejects when they can't be read.
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
    // Neither a fault nor the lack of a key is worth remembering.
    senders.then((found) => found.length > 0 || forget(), forget)
    return senders
  }
  return async (networkId) => {
    const senders = await read(networkId)
    const one = senders[Math.floor(Math.random() * senders.length)]
    return one === undefined ? null : { from: one.address, tip: one.tip ?? USUAL_TIP }
  }
}
