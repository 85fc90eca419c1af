import type { PublicClient } from 'viem'
import { hasCode } from '../../chain/blocks/accounts.ts'
import { isAgreedByWallet } from '../../chain/blocks/wallet.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import { type FactsQuery, readFacts } from '../../chain/x402/authorizationFacts.ts'
import type { TrialSender } from '../../chain/x402/trial.ts'
import { authorizationDigest, tokenDomain } from '../../core/x402/digest.ts'
import type { Facts, Trial } from '../../core/x402/facts.ts'
import { PERMIT_PROXIES, PERMIT2 } from '../../core/x402/permitContracts.ts'
import { isTooEarly } from '../../core/x402/request/checks.ts'
import type { Sender } from '../../store/relayer/senders.ts'

/** On which chains payments by Permit2 can be made: where Permit2 and the proxies of x402 are deployed. */

/** How long a chain that lacks one of them, or doesn't answer, is taken at its word, in ms. */
const ASK_AGAIN_MS = 60_000

/** Answers whether a chain has all of them. What is deployed stays, and is not asked for again. */
export function openPermitChain(rpc: PublicClient, now = () => performance.now()) {
  let answer: Promise<boolean> = Promise.resolve(false)
  let until = 0
  return (): Promise<boolean> => {
    if (now() < until) return answer
    until = now() + ASK_AGAIN_MS
    answer = areDeployed(rpc)
    answer.then((are) => {
      if (are) until = Number.POSITIVE_INFINITY
    })
    return answer
  }
}

/** A chain whose node does not answer takes no payments at the moment. */
async function areDeployed(rpc: PublicClient): Promise<boolean> {
  const contracts = [PERMIT2, PERMIT_PROXIES.exact, PERMIT_PROXIES.upto]
  const found = await Promise.all(contracts.map((address) => hasCode(rpc, address))).catch(() => [
    false,
  ])
  return found.every(Boolean)
}

/**
 * The facts with the trial at another time than that of the newest block, in Unix seconds. Where the node takes no
 * other time, "not yet valid" decides nothing: the payer's wallet is asked for the signature by itself.
 */
export async function readFactsAt(
  client: ChainClient,
  query: FactsQuery,
  sender: TrialSender | null,
  time: bigint,
): Promise<Facts> {
  const [facts] = await readFacts(client.rpc, [query], { sender, time })
  if (facts === undefined) throw new Error('the node answered nothing')
  const { trial, payerCodeHash } = facts
  const isUndecided = trial.ok === false && isTooEarly(trial.error)
  // A wallet that is still to be created can't be asked.
  if (!isUndecided || payerCodeHash === null || query.preparation !== null) return facts
  return { ...facts, trial: await askWallet(client, query, trial) }
}

async function askWallet(
  { chain, rpc }: ChainClient,
  { token, authorization, signature }: FactsQuery,
  trial: Trial,
): Promise<Trial> {
  const domain = tokenDomain(chain, token)
  if (domain === null) return trial
  const hash = `0x${authorizationDigest(domain, authorization).toHex()}` as const
  const isAgreed = await isAgreedByWallet(rpc, authorization.from, hash, signature)
  return isAgreed ? { ok: null } : { ok: false, error: 'the wallet does not agree' }
}

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
