import { BaseError, formatLog, type Log, numberToHex, type PublicClient, pad } from 'viem'
import { type Address, type Hex, hashFrom } from '../../core/chain/evm.ts'
import {
  AUTHORIZATION_USED,
  type PaidAuthorization,
  paidAuthorizations,
  TRANSFERRED,
} from './use.ts'

/** A payment by authorization, with its place in the chain. */
export interface CarriedAuthorization extends PaidAuthorization {
  readonly txHash: Hex
  readonly block: bigint
  readonly blockHash: Hex
}

/** The most topics that nodes take in one place of a filter is 1,000. */
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
  const read = (topics: (Hex | Hex[])[]) => logsOf(client, token, topics, fromBlock, toBlock)
  const [used, transferred] = await Promise.all([
    read(nonces === null ? [AUTHORIZATION_USED, from] : [AUTHORIZATION_USED, from, [...nonces]]),
    read(to === undefined ? [TRANSFERRED, from] : [TRANSFERRED, from, to]),
  ])
  const carried: CarriedAuthorization[] = []
  for (const [txHash, logs] of Map.groupBy([...used, ...transferred], placeOf)) {
    const block = logs[0]?.blockNumber ?? null
    const blockHash = logs[0]?.blockHash ?? null
    if (block === null || blockHash === null) throw new BaseError('the node sent a log of no block')
    for (const paid of paidAuthorizations(token, logs)) {
      carried.push({ ...paid, txHash, block, blockHash: hashFrom(blockHash) })
    }
  }
  return carried
}

function placeOf(log: Log): Hex {
  if (log.transactionHash === null) throw new BaseError('the node sent a log of no transaction')
  return hashFrom(log.transactionHash)
}

async function logsOf(
  client: PublicClient,
  token: Address,
  topics: (Hex | Hex[])[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<Log[]> {
  const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }
  const logs = await client.request({
    method: 'eth_getLogs',
    params: [{ address: token, topics, ...range }],
  })
  return logs.map((log) => formatLog(log))
}
