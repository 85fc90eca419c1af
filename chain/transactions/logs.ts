import { BaseError, formatLog, type Log, numberToHex, type PublicClient } from 'viem'
import { type Address, type Hex, hashFrom } from '../../core/chain/evm.ts'

/** The transaction that wrote a log, and the block that it is in. */
export interface LogPlace {
  readonly txHash: Hex
  readonly block: bigint
  readonly blockHash: Hex
}

/** Where a log stands in the chain. Throws a BaseError for one that is in no block. */
export function placeOf(log: {
  readonly transactionHash: Hex | null
  readonly blockNumber: bigint | null
  readonly blockHash: Hex | null
}): LogPlace {
  const { transactionHash, blockNumber, blockHash } = log
  if (transactionHash === null || blockNumber === null || blockHash === null) {
    throw new BaseError('the node sent a log of no block')
  }
  return { txHash: hashFrom(transactionHash), block: blockNumber, blockHash: hashFrom(blockHash) }
}

/** A contract's logs with these topics within the blocks, both ends included. */
export async function logsWithTopics(
  client: PublicClient,
  address: Address,
  topics: (Hex | Hex[])[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<Log[]> {
  const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }
  const logs = await client.request({
    method: 'eth_getLogs',
    params: [{ address, topics, ...range }],
  })
  return logs.map((log) => formatLog(log))
}
