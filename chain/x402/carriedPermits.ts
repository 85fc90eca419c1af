import { type PublicClient, pad } from 'viem'
import type { Address } from '../../core/chain/evm.ts'
import { permitKey } from '../../core/x402/permitSigning.ts'
import { UnknownBlockError } from '../rpc/faults.ts'
import { logsOfTransactions, logsWithTopics, placeOf } from '../transactions/logs.ts'
import type { CarriedAuthorization } from './carriedAuthorizations.ts'
import { PERMIT_SETTLED, permitLogs, settledPermits } from './permitUse.ts'

/**
 * The payments by Permit2 of these payers that a hub has carried out within the blocks, both ends included.
 * Each has the key of its nonce, as authorizations have theirs. Throws an UnknownBlockError while the node
 * does not show them in their blocks.
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
  const logs = await logsWithTopics(client, hub, topics, fromBlock, toBlock)
  const places = new Map(logs.map(placeOf).map((place) => [place.txHash, place]))
  const shown = await logsOfTransactions(
    client,
    [...places.values()],
    permitLogs(hub, token, payers),
  )
  if (shown.length < places.size) {
    throw new UnknownBlockError(
      'the node does not show logs in the blocks in which it has shown them',
    )
  }
  const wanted = new Set(payers)
  return shown.flatMap(({ txHash, block, blockHash, logs }) =>
    settledPermits(hub, logs)
      .filter((one) => one.token === token && wanted.has(one.payer))
      .map(({ payer, nonce, to, amount, logIndex }) => ({
        ...{ payer, to, logIndex, value: amount, nonce: permitKey(nonce) },
        ...{ txHash, block, blockHash },
      })),
  )
}
