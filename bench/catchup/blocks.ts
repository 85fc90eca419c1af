/**
 * A synthetic chain: blocks full of foreign transfers, the same for every request, because everything in
 * them follows from the block's number. Some transfers pay a watched address.
 */
import { hexToBytes, numberToHex, padHex, toEventSelector } from 'viem'
import type { Hex } from '../../core/chain/evm.ts'
import { keccak256 } from '../../core/chain/keccak.ts'

export interface ChainPlan {
  readonly blocks: number
  readonly logsPerBlock: number
  /** The interval of transfers to a watched address, in blocks. */
  readonly paymentEvery: number
  readonly token: Hex
  readonly firstTimestamp: number
}

/** The first topic of every log of this chain. */
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const NO_HASH = padHex('0x0', { size: 32 })
/** What begins the hashes of blocks, the hashes of transactions, and foreign addresses. */
const [BLOCK, TRANSACTION, SENDER, RECEIVER] = ['b10c', '7a', '5e4d', '4ece']

/** The n-th watched address, counted from 1. */
export const watchedAddress = (n: number): Hex => numberToHex(n, { size: 20 })

export const blockHash = (number: number): Hex =>
  number < 0 ? NO_HASH : `0x${BLOCK}${number.toString(16).padStart(60, '0')}`

export function numberOf(hash: string): number {
  return Number.parseInt(hash.slice(2 + BLOCK.length), 16)
}

const place = (number: number, index: number) =>
  `${number.toString(16).padStart(16, '0')}${index.toString(16).padStart(8, '0')}`

const transactionHash = (number: number, index: number) =>
  `0x${TRANSACTION}${place(number, index).padStart(62, '0')}`

const account = (kind: string, number: number, index: number): Hex =>
  `0x${kind}${place(number, index).padStart(36, '0')}`

function receiver(plan: ChainPlan, number: number, index: number): Hex {
  const isPayment = index === 0 && number > 0 && number % plan.paymentEvery === 0
  return isPayment ? watchedAddress(number) : account(RECEIVER, number, index)
}

const topic = (address: Hex): Hex => `0x${'0'.repeat(24)}${address.slice(2)}`

/** The logs of a block as JSON, since a node answers with thousands of them. */
export function logsOf(plan: ChainPlan, number: number): string[] {
  if (number === 0) return []
  const at = `"blockNumber":"${numberToHex(number)}","blockHash":"${blockHash(number)}"`
  const time = `"blockTimestamp":"${numberToHex(plan.firstTimestamp + number)}"`
  return Array.from({ length: plan.logsPerBlock }, (_, index) => {
    const topics = [TRANSFER, topic(account(SENDER, number, index))]
    topics.push(topic(receiver(plan, number, index)))
    const fields = `"address":"${plan.token}","topics":${JSON.stringify(topics)}`
    const hash = `"transactionHash":"${transactionHash(number, index)}"`
    const places = `"transactionIndex":"${numberToHex(index)}","logIndex":"${numberToHex(index)}"`
    const data = `"data":"${numberToHex(1_000_000 + index, { size: 32 })}"`
    return `{${fields},${data},${at},${time},${hash},${places},"removed":false}`
  })
}

/** A block as returned by a node, with the bloom filter of its logs. */
export function blockOf(plan: ChainPlan, number: number, isWhole: boolean): object {
  const indices = Array.from({ length: number === 0 ? 0 : plan.logsPerBlock }, (_, i) => i)
  return {
    number: numberToHex(number),
    hash: blockHash(number),
    parentHash: blockHash(number - 1),
    timestamp: numberToHex(plan.firstTimestamp + number),
    logsBloom: bloomOf(plan, number),
    miner: `0x${'0'.repeat(40)}`,
    gasLimit: '0x1c9c380',
    gasUsed: '0xe4e1c0',
    baseFeePerGas: '0x3b9aca00',
    nonce: '0x0000000000000000',
    mixHash: NO_HASH,
    stateRoot: NO_HASH,
    receiptsRoot: NO_HASH,
    transactionsRoot: NO_HASH,
    sha3Uncles: NO_HASH,
    size: '0x10000',
    difficulty: '0x0',
    totalDifficulty: '0x0',
    extraData: '0x',
    uncles: [],
    transactions: indices.map((index) =>
      isWhole ? transactionOf(plan, number, index) : transactionHash(number, index),
    ),
  }
}

function transactionOf(plan: ChainPlan, number: number, index: number): object {
  return {
    hash: transactionHash(number, index),
    blockNumber: numberToHex(number),
    blockHash: blockHash(number),
    transactionIndex: numberToHex(index),
    from: account(SENDER, number, index),
    to: plan.token,
    input: `0xa9059cbb${topic(receiver(plan, number, index)).slice(2)}${'0'.repeat(58)}0f4240`,
    value: '0x0',
    nonce: '0x0',
    gas: '0x186a0',
    gasPrice: '0x3b9aca00',
    maxFeePerGas: '0x3b9aca00',
    maxPriorityFeePerGas: '0x1',
    type: '0x2',
    accessList: [],
    chainId: '0x14a34',
    r: NO_HASH,
    s: NO_HASH,
    v: '0x0',
    yParity: '0x0',
  }
}

function bloomOf(plan: ChainPlan, number: number): string {
  const bloom = new Uint8Array(256)
  if (number > 0) {
    add(bloom, plan.token)
    add(bloom, TRANSFER)
    for (let index = 0; index < plan.logsPerBlock; index += 1) {
      add(bloom, topic(account(SENDER, number, index)))
      add(bloom, topic(receiver(plan, number, index)))
    }
  }
  return `0x${bloom.toHex()}`
}

/** Three bits for each value, of 2048: Ethereum Yellow Paper, section 4.3.1. */
function add(bloom: Uint8Array, value: Hex): void {
  const hash = keccak256(hexToBytes(value))
  for (const i of [0, 2, 4]) {
    const bit = (((hash[i] ?? 0) << 8) | (hash[i + 1] ?? 0)) & 2047
    const byte = 255 - (bit >> 3)
    bloom[byte] = (bloom[byte] ?? 0) | (1 << (bit & 7))
  }
}
