import { zeroAddress } from 'viem'
import { memberOf, type RawHeader } from './rawHeader.ts'

/** A call of Ponder's. */
export interface Call {
  readonly method: string
  readonly params?: unknown
}

type Send = (call: Call) => Promise<unknown>

/** The root of a trie without anything in it: a block with this root has no transactions. */
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
/** Blocks whose logs, of all contracts, are cached: Ponder requests both within a moment, or again soon. */
const ANSWERS_KEPT = 8

/**
 * Answers what needs no node. For each new block Ponder requests the logs and all transactions at once, and
 * uses only the transactions of logs that it keeps. So an announced block is requested only when its logs show
 * a payment to a watched address: for most blocks one request is left of two, and none for a block without
 * transactions.
 */
export class UnpaidBlocks {
  /** The logs by the block's hash, while they are fetched and for a while after. */
  private readonly answers = new Map<string, Promise<unknown>>()

  /**
   * `logsOf` fetches logs and drops irrelevant ones; of the rest, Ponder keeps those that `isWanted` selects.
   * `send` sends a call to a node unchanged.
   */
  constructor(
    private readonly send: Send,
    private readonly logsOf: Send,
    private readonly isWanted: (log: unknown) => boolean,
    private readonly headerOf: (hash: string) => RawHeader | null,
  ) {}

  /** The logs that Ponder requests, by block or by range. */
  logs(call: Call): Promise<unknown> {
    const hash = hashOf(call.params)
    const header = hash === null ? null : this.headerOf(hash)
    if (header === null) return this.logsOf(call)
    if (header.transactionsRoot === EMPTY_ROOT) return Promise.resolve([])
    const known = this.answers.get(header.hash)
    if (known !== undefined) return known.then(copy)
    const answer = this.logsOf(call)
    this.remember(header.hash, answer)
    return answer.then(copy)
  }

  /** A block by its hash, with its transactions as far as Ponder needs them. */
  async block(call: Call): Promise<unknown> {
    const [hash, isFull] = Array.isArray(call.params) ? call.params : []
    const header = typeof hash === 'string' && isFull === true ? this.headerOf(hash) : null
    if (header === null) return this.send(call)
    const logs = await this.logs({ method: 'eth_getLogs', params: [{ blockHash: header.hash }] })
    if (!Array.isArray(logs) || logs.some(this.isWanted)) return this.send(call)
    return { ...header, transactions: transactionsOf(header, logs) }
  }

  private remember(hash: string, answer: Promise<unknown>): void {
    this.answers.set(hash, answer)
    const [oldest] = this.answers.keys()
    if (this.answers.size > ANSWERS_KEPT && oldest !== undefined) this.answers.delete(oldest)
    // Without a log, a block that has transactions may be one that its node has yet to work through.
    const forget = (logs?: unknown) => {
      if (!Array.isArray(logs) || logs.length === 0) this.answers.delete(hash)
    }
    answer.then(forget, () => forget())
  }
}

/** The block that a call for logs names by its hash; null when it requests a range. */
export function hashOf(params: unknown): string | null {
  const [filter]: unknown[] = Array.isArray(params) ? params : []
  const hash = memberOf(filter, 'blockHash')
  return typeof hash === 'string' ? hash : null
}

/** What Ponder compares with logs that it doesn't keep, one for each transaction; never stored. */
function transactionsOf({ hash, number }: RawHeader, logs: readonly unknown[]) {
  const byIndex = new Map(logs.map((log) => [memberOf(log, 'transactionIndex'), log]))
  return [...byIndex].map(([transactionIndex, log]) => ({
    hash: memberOf(log, 'transactionHash'),
    transactionIndex,
    blockHash: hash,
    blockNumber: number,
    from: zeroAddress,
    to: null,
  }))
}

/** Ponder completes answers in place. */
function copy(answer: unknown): unknown {
  return structuredClone(answer)
}
