import type { Hex } from 'viem'
import { mayHold } from '../../chain/blocks/bloom.ts'
import { SeenEmpty } from '../../chain/blocks/seenEmpty.ts'
import { isHash } from '../../chain/rpc/calls.ts'
import type { RpcPool } from '../../chain/rpc/pool.ts'
import type { Address } from '../../core/chain/evm.ts'
import { memberOf, type RawHeader } from './rawHeader.ts'
import { type Call, hashOf } from './unpaidBlocks.ts'

/** What is indexed of a chain: whose logs, and which. */
interface Indexed {
  readonly contracts: readonly Address[]
  readonly topics: readonly Hex[]
}

/** The bloom filter of a block without logs. */
const NO_LOGS = /^0x0*$/

const BLOCKS_KEPT = 64

/** The blocks that Ponder has just read, before it requests their logs; of their transactions, the first. */
export class RecentBlocks {
  private readonly blocks = new Map<unknown, unknown>()

  keep(block: unknown): void {
    const all = memberOf(block, 'transactions')
    const transactions = Array.isArray(all) ? all.slice(0, 1) : []
    this.blocks.set(memberOf(block, 'hash'), { ...Object(block), transactions })
    const [oldest] = this.blocks.keys()
    if (this.blocks.size > BLOCKS_KEPT) this.blocks.delete(oldest)
  }

  find(hash: Hex): unknown {
    return this.blocks.get(hash)
  }
}

/**
 * The logs of new blocks. Ponder requests all logs of a block, of every contract, and filters ours: so only
 * ours are requested. A stranger's contract could log more than any response may have, and the index would
 * stand still at its block.
 */
export class BlockLogs {
  private readonly seen = new SeenEmpty()

  constructor(
    private readonly pool: RpcPool,
    private readonly indexed: Indexed,
    private readonly headerOf: (hash: string) => RawHeader | null,
    private readonly recent: RecentBlocks,
  ) {}

  /** Answers a call for logs; those for a range, or of contracts that it names, as they are. */
  async read(call: Call): Promise<unknown> {
    const hash = hashOf(call.params)
    const [filter]: unknown[] = Array.isArray(call.params) ? call.params : []
    if (hash === null || !isHash(hash) || memberOf(filter, 'address') !== undefined) {
      return this.pool.request(call)
    }
    const { contracts } = this.indexed
    const ours = { ...call, params: [{ ...Object(filter), address: contracts }] }
    const logs = await this.pool.request(ours)
    return Array.isArray(logs) && logs.length === 0 ? this.whenEmpty(ours, hash) : logs
  }

  /**
   * None of ours, it seems. A node that lags shows a block so that has some: where the header leaves room for them,
   * a second view must agree, another URL or the same a moment later. Until then the answer is empty, which Ponder
   * takes for a mistake, and requests again.
   */
  private async whenEmpty(call: Call, hash: Hex): Promise<unknown> {
    const header = this.headerOf(hash) ?? (await this.blockOf(hash))
    const bloom = memberOf(header, 'logsBloom')
    if (!isHex(bloom) || NO_LOGS.test(bloom)) return []
    if (!mayHold(bloom, { addresses: this.indexed.contracts, topics: this.indexed.topics })) {
      return this.placeholder(hash, bloom)
    }
    const views = await this.otherViews(call)
    const some = views?.find(({ length }) => length > 0)
    if (some !== undefined) return some
    return views !== null || this.seen.again(hash) ? this.placeholder(hash, bloom) : []
  }

  /** What each URL shows; null where there is only one, or one of them doesn't answer. */
  private async otherViews(call: Call): Promise<unknown[][] | null> {
    const urls = this.pool.usable
    if (urls.length < 2) return null
    const views = await Promise.all(
      urls.map((url) => this.pool.requestOf([url], call).catch(() => null)),
    )
    const shown = views.filter((logs): logs is unknown[] => Array.isArray(logs))
    const isAny = shown.some(({ length }) => length > 0)
    return isAny || shown.length === urls.length ? shown : null
  }

  /**
   * When a block has logs, Ponder takes an empty answer for a node's mistake. A log without topics satisfies it,
   * and matches none of its filters.
   */
  private async placeholder(hash: Hex, bloom: Hex): Promise<unknown> {
    const block = await this.blockOf(hash)
    const transactions = memberOf(block, 'transactions')
    const [first]: unknown[] = Array.isArray(transactions) ? transactions : []
    if (first === undefined) return []
    // Ponder reads blocks with their transactions.
    const transactionHash = memberOf(first, 'hash') ?? first
    const { contracts, topics } = this.indexed
    const address = contracts.find((one) => mayHold(bloom, { addresses: [one], topics }))
    return [
      {
        ...{ address: address ?? contracts[0], topics: [], data: '0x', removed: false },
        ...{ blockHash: hash, blockNumber: memberOf(block, 'number') },
        ...{ transactionHash, transactionIndex: '0x0', logIndex: '0x0' },
      },
    ]
  }

  private async blockOf(hash: Hex): Promise<unknown> {
    const known = this.recent.find(hash)
    if (known !== undefined) return known
    return this.pool.request({ method: 'eth_getBlockByHash', params: [hash, false] })
  }
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)
}
