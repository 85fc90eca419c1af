import { isAgreedByWallet } from '../../chain/blocks/wallet.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import { type FactsQuery, readFacts } from '../../chain/x402/authorizationFacts.ts'
import type { TrialSender } from '../../chain/x402/trial.ts'
import { authorizationDigest, tokenDomain } from '../../core/x402/digest.ts'
import type { Facts, Trial } from '../../core/x402/facts.ts'
import { isTooEarly } from '../../core/x402/request/checks.ts'

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
