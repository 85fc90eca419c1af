import { keccak256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Hex } from '../../core/chain/evm.ts'
import { addressOf } from '../../dev/stack/keys.ts'
import { type HubChain, startHubChain } from '../support/servers/chain.ts'
import { flooder } from '../support/servers/hostileCode.ts'
import {
  type Answer,
  askOther,
  type OtherNode,
  type RpcCall,
} from '../support/servers/otherNode.ts'
import { BEGINNING, type Kernel } from './kernel.ts'
import { LITTLE, PAYER_ACCOUNTS, POOR_ACCOUNTS } from './keys.ts'
import type { Reply, Sent } from './network.ts'
import { NodeSocket } from './nodeSocket.ts'
import { Random } from './random.ts'
import { shortHash } from './trace.ts'

/** The chain of a run: anvil mines when it is told to, and is asked one thing at a time. */

/** Of the first block of a run: one gwei. */
const BASE_FEE = '0x3b9aca00'
/** Of the transactions of blocks that are replaced: in none of the new ones. */
const LOST = 0.25
const COINS = '0x21e19e0c9bab2400000'
/** What each payer holds at first, in base units. */
export const FORTUNE = 1_000_000_000_000n
const KEYS = new Random('the keys of the hub')
/** A contract that pays many in one transaction, with a receipt larger than a response may be. */
export const FLOODER = addressOf(KEYS.fork('the flooder').hex(32))
const FLOODER_LOGS = 400

/**
 * More than all runs of a process have blocks, in memory. By default anvil (1.7.1) moves states to files after 500
 * blocks, and each one more leaves fewer in memory; then a rollback may bring back contracts without their code.
 */
const STATES_KEPT = 100_000

/** A transaction that a payer has sent. */
export interface SentTransaction {
  readonly payer: PrivateKeyAccount
  readonly nonce: number
  readonly raw: Hex
}

/** One chain with the hub serves all runs of this process; each begins at the same block. */
export class SimulatedChain {
  private snapshot: unknown = null
  /** The block at which each run begins: those up to it are never replaced. */
  private first = 0
  /** What the chain has answered since it changed last. */
  private readonly known = new Map<string, Answer>()
  /** How often each process has asked for the same logs or receipt since the last block. */
  private readonly asked = new Map<string, number>()
  /** The question that was repeated most in a run. */
  repeated = { question: '', times: 0 }
  /** What the next blocks cost, the last one first, where it does not follow from the block before. */
  private fees: string[] = []
  /** Transactions of blocks that were replaced, with the last such block of each. */
  readonly replaced = new Map<string, string>()

  private constructor(
    readonly hub: HubChain,
    private readonly node: NodeSocket,
  ) {}

  static async start(relayers = 4): Promise<SimulatedChain> {
    const relayerKeys = Array.from({ length: relayers }, () => KEYS.hex(32))
    const [owner, configSigner] = [KEYS.hex(32), KEYS.hex(32)]
    const roles = { owner, configSigner, refundSigner: KEYS.hex(32), feeCollector: KEYS.hex(32) }
    const genesisTime = BEGINNING / 1_000 - 3_600
    const faucet = addressOf(KEYS.hex(32))
    const kept = { pruneHistory: STATES_KEPT }
    const hub = await startHubChain({ relayerKeys, roles, genesisTime, faucet, ...kept })
    for (const { address } of PAYER_ACCOUNTS)
      await hub.node.rpc('anvil_setBalance', [address, COINS])
    await hub.mint([
      ...PAYER_ACCOUNTS.map(({ address }) => ({ to: address, amount: FORTUNE })),
      ...POOR_ACCOUNTS.map(({ address }) => ({ to: address, amount: LITTLE })),
      { to: FLOODER, amount: LITTLE },
    ])
    await hub.node.rpc('anvil_setCode', [FLOODER, flooder(hub.usdc.address, FLOODER_LOGS)])
    // Workers read states a few blocks below the head: the hub and the tokens must exist there.
    await hub.mine(16)
    return new SimulatedChain(hub, new NodeSocket(hub.node.wsUrl))
  }

  /** Goes back to the block after the hub's deployment. */
  async begin(): Promise<void> {
    this.known.clear()
    this.replaced.clear()
    this.asked.clear()
    this.fees = []
    this.repeated = { question: '', times: 0 }
    const { node } = this
    if (this.snapshot !== null) await node.call('evm_revert', this.snapshot)
    await node.call('anvil_dropAllTransactions')
    // The first run begins at a block that was gone back to, as all others do: the next base fee depends on it.
    if (this.snapshot === null) await node.call('evm_revert', await node.call('evm_snapshot'))
    this.snapshot = await node.call('evm_snapshot')
    await node.call('anvil_setNextBlockBaseFeePerGas', BASE_FEE)
    this.first = (await this.head()).number
  }

  /**
   * Replaces so many blocks of the run, or fewer where it has just begun, and adds one: their transactions, and those
   * that wait, are mined in other blocks, in another order. Returns those that are in none, unless they are sent again.
   */
  async reorganise(most: number, random: Random): Promise<string[]> {
    const { node } = this
    const { number } = await this.head()
    const depth = Math.min(most, number - this.first)
    if (depth < 1) return []
    const mined: string[] = []
    for (let at = number - depth + 1; at <= number; at += 1) {
      const block = await node.call('eth_getBlockByNumber', `0x${at.toString(16)}`, false)
      const hashes = textsIn(Object(block).transactions)
      for (const hash of hashes) this.replaced.set(hash, textIn(block, 'hash'))
      mined.push(...hashes)
    }
    const lost: string[] = []
    const blocks: string[][] = Array.from({ length: depth + 1 }, () => [])
    for (const hash of [...mined, ...(await this.waiting())]) {
      const raw = String(await node.call('eth_getRawTransactionByHash', hash))
      if (random.isLikely(LOST)) lost.push(hash)
      else random.pick(blocks).push(raw)
    }
    await node.call('anvil_dropAllTransactions')
    await node.call('anvil_rollback', depth)
    this.known.clear()
    for (const raws of blocks) {
      for (const raw of raws) await this.ask({ method: 'eth_sendRawTransaction', params: [raw] })
      const { timestamp } = await this.head()
      await this.mineAt(timestamp + 1)
    }
    return lost
  }

  /** The hashes of those that are in no block yet. */
  private async waiting(): Promise<string[]> {
    const content = Object(await this.node.call('txpool_content'))
    const bySender = [
      ...Object.values(content.pending ?? {}),
      ...Object.values(content.queued ?? {}),
    ]
    return bySender.flatMap((byNonce) =>
      Object.values(Object(byNonce)).map((tx) => String(textIn(tx, 'hash'))),
    )
  }

  /** So many blocks cost so many times what the first one did; then fees fall at once. */
  makeDear(times: number, blocks: number): void {
    const fee = `0x${(BigInt(BASE_FEE) * BigInt(times)).toString(16)}`
    this.fees = [BASE_FEE, ...Array.from({ length: blocks }, () => fee)]
  }

  private async mineAt(timestamp: number): Promise<void> {
    const { node } = this
    const fee = this.fees.pop()
    if (fee !== undefined) await node.call('anvil_setNextBlockBaseFeePerGas', fee)
    await node.call('evm_setNextBlockTimestamp', timestamp)
    await node.call('evm_mine')
    this.known.clear()
    this.asked.clear()
  }

  async head(): Promise<{ number: number; timestamp: number }> {
    const call = { method: 'eth_getBlockByNumber', params: ['latest', false] }
    const { result: block } = await this.ask(call)
    return { number: numberIn(block, 'number'), timestamp: numberIn(block, 'timestamp') }
  }

  /** Mines what waits, in a block of this moment. */
  async mine(kernel: Kernel): Promise<void> {
    const { timestamp } = await this.head()
    await this.mineAt(Math.max(timestamp + 1, Math.floor(kernel.now / 1_000)))
  }

  /** Asks the node, outside of the run. Between two changes of the chain its answers stay the same. */
  async ask(call: RpcCall): Promise<Answer> {
    if (call.method === 'eth_sendRawTransaction') {
      this.known.clear()
      return this.node.ask(call)
    }
    const question = `${call.method} ${JSON.stringify(call.params)}`
    const known = this.known.get(question)
    if (known !== undefined) return known
    const answer = await this.node.ask(call)
    this.known.set(question, answer)
    return answer
  }

  note(process: string, { method, params }: RpcCall): void {
    if (method !== 'eth_getLogs' && method !== 'eth_getTransactionReceipt') return
    const question = `${process} ${method} ${JSON.stringify(params)}`
    const times = (this.asked.get(question) ?? 0) + 1
    this.asked.set(question, times)
    if (times > this.repeated.times) this.repeated = { question, times }
  }
}

/** What a node of the chain does to a call. */
export type Behaviour = (
  call: RpcCall,
) => OtherNode | 'lose_request' | 'lose_answer' | 'error' | 'forget' | 'late' | null

interface Node {
  readonly chain: SimulatedChain
  readonly kernel: Kernel
  readonly behaves: Behaviour
  /** A transaction has reached it, whatever it does with that. */
  onBroadcast(hash: Hex): Promise<void>
}

/** A node behind an HTTP server of the run. */
export function nodeOf({ chain, kernel, behaves, onBroadcast }: Node) {
  return async ({ from, url, body }: Sent): Promise<Reply> => {
    const given: unknown = JSON.parse(body)
    const isBatch = Array.isArray(given)
    const calls = (isBatch ? given : [given]).map(callIn)
    const answers: Answer[] = []
    let isLost = false
    for (const { id, ...call } of calls) {
      const how = behaves(call)
      chain.note(from.name, call)
      if (how === 'lose_request') return 'silent'
      if (call.method === 'eth_sendRawTransaction') await onBroadcast(hashOf(call))
      const answer = await answerOf(chain, kernel, call, how)
      if (how === 'lose_answer') isLost = true
      const text = JSON.stringify(answer.result ?? answer.error)
      const name = `${from.name} > ${url.hostname} ${call.method}`
      kernel.note(`${name} ${shortHash(JSON.stringify(call.params))} ${shortHash(text ?? '')}`)
      answers.push({ jsonrpc: '2.0', ...answer, id })
    }
    if (isLost) return 'silent'
    return { status: 200, body: JSON.stringify(isBatch ? answers : answers[0]) }
  }
}

async function answerOf(
  chain: SimulatedChain,
  kernel: Kernel,
  call: RpcCall,
  how: ReturnType<Behaviour>,
): Promise<Answer> {
  const ask = (asked: RpcCall) => chain.ask(asked)
  switch (how) {
    case 'late':
      kernel.after(kernel.latency.next() * LATE_MS, null, () => ask(call))
      return { result: hashOf(call) }
    case 'forget':
      return { result: hashOf(call) }
    case 'error':
      return { error: { code: -32_000, message: 'the node has an internal error' } }
    case null:
    case 'lose_answer':
    case 'lose_request':
      return ask(call)
    default:
      return askOther(ask, call, how)
  }
}

/** How long a node that is late keeps a transaction to itself at most, in ms. */
const LATE_MS = 20_000

/** The hash of a transaction by its bytes. */
function hashOf({ params: [raw] }: RpcCall): Hex {
  return keccak256(`0x${String(raw).slice(2)}`)
}

function callIn(value: unknown): RpcCall & { id: unknown } {
  const { id, method, params }: { id?: unknown; method?: unknown; params?: unknown } = Object(value)
  return { id, method: String(method), params: Array.isArray(params) ? params : [] }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

export function numberIn(value: unknown, field: string): number {
  const text: unknown = Object(value)[field]
  return typeof text === 'string' ? Number(text) : Number.NaN
}

export function textIn(value: unknown, field: string): Hex {
  const text: unknown = Object(value)[field]
  return `0x${String(text).replace(/^0x/, '')}`
}
