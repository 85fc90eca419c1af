import { type PublicClient, pad } from 'viem'
import type { Address } from '../../core/chain/evm.ts'
import { permitKey } from '../../core/x402/permit/signing.ts'
import type { CarriedAuthorization } from '../authorization/carried.ts'
import { UnknownBlockError } from '../faults.ts'
import { logsWithTopics, placeOf } from '../transactions/logs.ts'
import { receiptsOf } from '../transactions/receipts.ts'
import { PERMIT_SETTLED, settledPermits } from './use.ts'

/**
 * The payments by Permit2 of these payers that a hub has carried out within the blocks, both ends included.
 * Each has the key of its nonce, as authorizations have theirs. Throws an UnknownBlockError while the node
 * lacks receipts of them.
 */
export async function carriedPermits(
  client: PublicClient,
  hub: Address,
  token: Address,
  payers: readonly Address[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<CarriedAuthorization[]> {
  if (payers.length === 0) return []
  const topics = [PERMIT_SETTLED, payers.map((payer) => pad(payer))]
  const told = await logsWithTopics(client, hub, topics, fromBlock, toBlock)
  const places = new Map(told.map(placeOf).map((place) => [place.txHash, place]))
  const receipts = await receiptsOf(client, [...places.keys()])
  if (receipts.length < places.size) {
    throw new UnknownBlockError('the node has no receipts of transactions whose logs it shows')
  }
  const asked = new Set(payers)
  return receipts.flatMap(({ hash, block, blockHash, logs }) =>
    settledPermits(hub, logs)
      .filter((one) => one.token === token && asked.has(one.payer))
      .map(({ payer, nonce, to, amount, logIndex }) => ({
        ...{ payer, to, logIndex, value: amount, nonce: permitKey(nonce) },
        ...{ txHash: hash, block, blockHash },
      })),
  )
}
