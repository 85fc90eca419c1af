import { BaseError, formatLog, type Log, numberToHex, type PublicClient } from 'viem'
import { type Address, type Hex, hashFrom } from '../../core/chain/evm.ts'
import { isCanonical } from '../blocks/blocks.ts'
import { isUnknownBlock } from '../rpc/faults.ts'

/** The transaction that wrote a log, and the block that it is in. */
export interface LogPlace {
  readonly txHash: Hex
  readonly block: bigint
  readonly blockHash: Hex
}

/** Whose logs are read, and which. Topics as in eth_getLogs; all without them. */
export interface LogFilter {
  readonly address: Address | readonly Address[]
  readonly topics?: readonly (Hex | readonly Hex[] | null)[]
}

/** Where a transaction is. With the number of its block, one request reads all that is needed. */
type TransactionPlace = Pick<LogPlace, 'txHash' | 'blockHash'> & Partial<Pick<LogPlace, 'block'>>

/** The position of a log in the chain. Throws a BaseError for one that is in no block. */
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

/**
 * The logs of one block that a filter lets through; while a node is asked for them, who asks for the same waits for that
 * answer. Throws an UnknownBlockError when no node has the block.
 */
export async function logsInBlock(
  client: PublicClient,
  { address, topics = [] }: LogFilter,
  blockHash: Hex,
): Promise<Log[]> {
  const filter = {
    address: typeof address === 'string' ? address : [...address],
    topics: topics.map((topic) => (isList(topic) ? [...topic] : topic)),
    blockHash,
  }
  const logs = await client.request({ method: 'eth_getLogs', params: [filter] }, { dedupe: true })
  return logs.map((log) => formatLog(log))
}

/**
 * The logs of these transactions that match a filter: each block is queried once per filter, and receipts,
 * which others can make large, are not read. A transaction of which the node shows nothing, or shows it in a
 * block that is not the chain's any more, is left out: that proves nothing.
 */
export async function logsOfTransactions<Place extends TransactionPlace>(
  client: PublicClient,
  places: readonly Place[],
  filters: readonly LogFilter[],
): Promise<(Place & { readonly logs: readonly Log[] })[]> {
  const byHash = new Map(places.map((place) => [place.txHash, place]))
  const blocks = new Map(places.map(({ blockHash, block }) => [blockHash, block ?? null]))
  const shown = [...blocks].map(([hash, number]) => shownIn(client, filters, hash, number))
  const logs = (await Promise.all(shown)).flat()
  const byTransaction = Map.groupBy(logs, ({ transactionHash }) => transactionHash)
  return [...byHash.values()].flatMap((place) => {
    const own = byTransaction.get(place.txHash) ?? []
    const there = own.filter(({ blockHash }) => blockHash === place.blockHash)
    const inOrder = there.toSorted((a, b) => (a.logIndex ?? 0) - (b.logIndex ?? 0))
    return inOrder.length === 0 ? [] : [{ ...place, logs: inOrder }]
  })
}

/** Nothing of a block that the node doesn't know. Nodes keep the logs of blocks that were displaced, too. */
async function shownIn(
  client: PublicClient,
  filters: readonly LogFilter[],
  blockHash: Hex,
  block: bigint | null,
): Promise<Log[]> {
  try {
    const read = Promise.all(filters.map((filter) => logsInBlock(client, filter, blockHash)))
    const isShown = block === null ? null : isCanonical(client, block, blockHash)
    const logs = (await Promise.all([read, isShown]))[0].flat()
    const number = block ?? logs[0]?.blockNumber ?? null
    if (number === null) return []
    return (await (isShown ?? isCanonical(client, number, blockHash))) ? logs : []
  } catch (error) {
    if (isUnknownBlock(error)) return []
    throw error
  }
}

function isList(topic: Hex | readonly Hex[] | null): topic is readonly Hex[] {
  return Array.isArray(topic)
}
