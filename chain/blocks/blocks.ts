import type { PublicClient } from 'viem'
import { type Hex, hashFrom } from '../../core/chain/evm.ts'
import { UnknownBlockError } from '../rpc/faults.ts'

/** Reading the blocks of one chain. Every function queries the node; nothing is cached. */

export interface Header {
  readonly number: bigint
  readonly hash: Hex
  readonly parentHash: Hex
  readonly time: Date
}

/** The newest block, with what a transaction for the next one must know. */
export interface Head extends Header {
  /** In wei. */
  readonly baseFeePerGas: bigint
  readonly gasLimit: bigint
}

/** The newest block. Requests the whole block, since the bare number may be wrong. */
export async function readHead(client: PublicClient): Promise<Head> {
  const block = await client.getBlock({ blockTag: 'latest' })
  const { baseFeePerGas, gasLimit } = block
  return { ...header(block), baseFeePerGas: baseFeePerGas ?? 0n, gasLimit }
}

/** The canonical header at this height, or null when the node has none. */
export async function headerAt(client: PublicClient, number: bigint): Promise<Header | null> {
  try {
    return header(await client.getBlock({ blockNumber: number }))
  } catch (error) {
    if (error instanceof Error && error.name === 'BlockNotFoundError') return null
    throw error
  }
}

/** Whether the node's chain has this block at this height. */
export async function isCanonical(
  client: PublicClient,
  number: bigint,
  hash: Hex,
): Promise<boolean> {
  return (await headerAt(client, number))?.hash === hash
}

/** The canonical header at this height, to read states from; throws an UnknownBlockError without one. */
export async function viewAt(client: PublicClient, number: bigint): Promise<Header> {
  const found = await headerAt(client, number)
  if (found === null) throw new UnknownBlockError(`the node has no block ${number} yet`)
  return found
}

/** The headers from..to, both included, in ascending order; null when one of them is missing. */
export async function headersBetween(
  client: PublicClient,
  from: bigint,
  to: bigint,
): Promise<Header[] | null> {
  const numbers = Array.from({ length: Number(to - from) + 1 }, (_, i) => from + BigInt(i))
  const headers = await Promise.all(numbers.map((number) => headerAt(client, number)))
  return headers.every((found) => found !== null) ? headers : null
}

/** The hash of block 0, which reveals a chain that was reset. */
export async function genesisHash(client: PublicClient): Promise<Hex> {
  const genesis = await headerAt(client, 0n)
  if (!genesis) throw new Error('the node has no block 0')
  return genesis.hash
}

/** The first block whose time is at or after this moment, by bisection; the head when none is. */
export async function firstBlockAt(
  client: PublicClient,
  moment: Date,
  head: bigint,
): Promise<bigint> {
  let low = 0n
  let high = head
  while (low < high) {
    const middle = (low + high) / 2n
    const found = await viewAt(client, middle)
    if (found.time < moment) low = middle + 1n
    else high = middle
  }
  return low
}

function header(block: {
  readonly number: bigint | null
  readonly hash: Hex | null
  readonly parentHash: Hex
  readonly timestamp: bigint
}): Header {
  if (block.number === null || block.hash === null) throw new Error('the node sent a pending block')
  return {
    number: block.number,
    hash: hashFrom(block.hash),
    parentHash: hashFrom(block.parentHash),
    time: new Date(Number(block.timestamp) * 1000),
  }
}
