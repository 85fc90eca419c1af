import { type Head, readHead } from '../../chain/blocks/blocks.ts'
import type { ChainClient } from '../../chain/rpc/client.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { HeadChoice } from '../../core/chain/headChoice.ts'
import { HeadPace, silentAfterMs } from '../../core/chain/headPace.ts'
import { type Announced, readAnnounced } from '../../store/chain/heads.ts'
import type { Database } from '../../store/database/database.ts'

/** Where all loops on a chain in this process learn of its head. */
export interface HeadReader {
  /**
   * The newest head. Throws a fault of the node when no heads are announced and it doesn't answer. `announced` is what
   * the caller has just read.
   */
  newest(announced?: Announced | null): Promise<Head>
  /** A head that was read lately, by its hash; a node need not be queried for it again. */
  headerOf?(hash: Hex): Head | null
}

const HEADS_KEPT = 64

/**
 * Reads the head that the indexer's process announces. When that has fallen silent, or there is none,
 * the nodes are polled: once for all callers, and no more often than new blocks are expected.
 */
export function openHeadReader(database: Database, client: ChainClient): HeadReader {
  const { networkId, blockTimeMs } = client.chain
  const own = openOwnReader(client)
  const recent = new Map<Hex, Head>()
  const remember = (head: Head): Head => {
    recent.set(head.hash, head)
    const [oldest] = recent.keys()
    if (recent.size > HEADS_KEPT && oldest !== undefined) recent.delete(oldest)
    return head
  }
  return {
    async newest(announced) {
      const polled = own.kept()
      if (polled !== null) return remember(polled)
      const last = announced === undefined ? await readAnnounced(database, networkId) : announced
      const isFresh = last !== null && last.ageMs < silentAfterMs(blockTimeMs)
      return remember(isFresh ? last.head : await own.read())
    },
    headerOf: (hash) => recent.get(hash) ?? null,
  }
}

interface OwnReader {
  /** The head that was polled, until a new block is expected; null from then on. */
  kept(): Head | null
  /** That one, or the nodes' once it is time. */
  read(): Promise<Head>
}

function openOwnReader(client: ChainClient): OwnReader {
  const pace = new HeadPace(client.chain.blockTimeMs)
  const choice = new HeadChoice<Head>()
  let dueAt = Number.NEGATIVE_INFINITY
  let pending: Promise<Head> | null = null

  async function readHeads(): Promise<Head> {
    const lookedAt = performance.now()
    const before = choice.head
    const head = choice.choose([await readHead(client.rpc)])
    if (head !== before) pace.see(head.number, lookedAt)
    const pauseMs = pace.after(head !== before)
    // A node that bills nothing is polled whenever a head is needed.
    dueAt = client.chain.headPolling === 'fast' ? lookedAt : lookedAt + pauseMs
    return head
  }

  const kept = () => (performance.now() < dueAt ? choice.head : null)
  return {
    kept,
    async read() {
      const polled = kept()
      if (polled !== null) return polled
      pending ??= readHeads().finally(() => {
        pending = null
      })
      return pending
    },
  }
}
