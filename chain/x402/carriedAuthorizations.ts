import { type PublicClient, pad } from 'viem'
import type { Address, Hex } from '../../core/chain/evm.ts'
import { type LogPlace, logsWithTopics, placeOf } from '../transactions/logs.ts'
import {
  AUTHORIZATION_USED,
  type PaidAuthorization,
  paidAuthorizations,
  TRANSFERRED,
} from './authorizationUse.ts'

/** A payment by authorization, with its position in the chain. */
export type CarriedAuthorization = PaidAuthorization & LogPlace

/** The most topics that nodes take at one position of a filter is 1,000. */
export const TOPICS_PER_CALL = 500

export interface CarriedQuery {
  readonly payers: readonly Address[]
  /** Null for any payee. */
  readonly payees: readonly Address[] | null
  /** Null for any of these payers' authorizations. */
  readonly nonces: readonly Hex[] | null
}

/**
 * The authorizations of these that were carried out within the blocks, both ends included, each by
 * AuthorizationUsed and, directly after it in the same transaction, the transfer to one of the payees.
 * Two requests, for up to TOPICS_PER_CALL of each.
 */
export async function carriedAuthorizations(
  client: PublicClient,
  token: Address,
  { payers, payees, nonces }: CarriedQuery,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<CarriedAuthorization[]> {
  if (payers.length === 0) return []
  const from = payers.map((payer) => pad(payer))
  const to = payees?.map((payee) => pad(payee))
  const read = (topics: (Hex | Hex[])[]) =>
    logsWithTopics(client, token, topics, fromBlock, toBlock)
  const [used, transferred] = await Promise.all([
    read(nonces === null ? [AUTHORIZATION_USED, from] : [AUTHORIZATION_USED, from, [...nonces]]),
    read(to === undefined ? [TRANSFERRED, from] : [TRANSFERRED, from, to]),
  ])
  const carried: CarriedAuthorization[] = []
  const byTransaction = Map.groupBy([...used, ...transferred], (log) => placeOf(log).txHash)
  for (const logs of byTransaction.values()) {
    const [first] = logs
    if (first === undefined) continue
    const place = placeOf(first)
    for (const paid of paidAuthorizations(token, logs)) carried.push({ ...paid, ...place })
  }
  return carried
}
