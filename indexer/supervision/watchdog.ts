import type { ChainClient } from '../../chain/rpc/client.ts'
import { silentAfterMs } from '../../core/chain/headPace.ts'
import { readAnnounced } from '../../store/chain/heads.ts'
import type { Database } from '../../store/database/database.ts'
import { compareGenesis } from '../deployment/genesis.ts'

/**
 * Detects that Ponder is stuck, which it never reports itself: it still claims to be ready while a
 * reorganisation during a long gap, or a chain that was reset, keeps it from moving.
 */

export type Health =
  | { readonly kind: 'starting' | 'healthy' }
  | { readonly kind: 'stuck'; readonly reason: string }

export interface Watchdog {
  /** Throws when a node or the database doesn't answer, which proves nothing about Ponder. */
  check(): Promise<Health>
}

interface Progress {
  /** Ready, and locked as well: the Ponder before may have left its readiness behind, but no lock. */
  readonly isReady: boolean
  /** Changes whenever Ponder has indexed more of the past. */
  readonly history: string
  /** The last processed block by chain id. */
  readonly heads: ReadonlyMap<number, bigint>
}

/** How long a chain's head may be ahead while Ponder stays where it is. */
const STUCK_AFTER_MS = 15_000
const STUCK_AFTER_BLOCKS = 3
/** The past is indexed in large steps, each of which is stored when it is complete. */
const HISTORY_STUCK_AFTER_MS = 10 * 60_000

export function watchPonder(
  database: Database,
  schema: string,
  clients: readonly ChainClient[],
  now: () => number = () => performance.now(),
): Watchdog {
  const marks = new Map<string, { readonly at: string; readonly since: number }>()
  const askedAt = new Map<number, number>()

  /** How long something has stayed the same, in milliseconds. */
  function unchangedFor(what: string, at: string): number {
    const mark = marks.get(what)
    if (mark?.at === at) return now() - mark.since
    marks.set(what, { at, since: now() })
    return 0
  }

  /** The head that Ponder's own process announced, or the node's own when it has fallen silent. */
  async function headOf({ chain, rpc }: ChainClient): Promise<bigint> {
    const announced = await readAnnounced(database, chain.networkId)
    if (announced !== null && announced.ageMs < silentAfterMs(chain.blockTimeMs)) {
      return announced.head.number
    }
    return rpc.getBlockNumber()
  }

  /** What is wrong with a chain, or null. It is checked once per block at most. */
  async function checkChain(client: ChainClient, processed: bigint | undefined) {
    const { networkId, chainId, blockTimeMs } = client.chain
    const last = askedAt.get(chainId)
    if (processed === undefined || (last !== undefined && now() - last < blockTimeMs)) return null
    askedAt.set(chainId, now())
    const head = await headOf(client)
    if (head < processed) {
      // Nodes differ by a block or two; only another first block means another chain.
      const [reset] = await compareGenesis(database, [client])
      return reset ? `${networkId} was reset` : null
    }
    if (head === processed) {
      marks.delete(networkId)
      return null
    }
    const limitMs = Math.max(STUCK_AFTER_MS, STUCK_AFTER_BLOCKS * blockTimeMs)
    const waited = unchangedFor(networkId, String(processed))
    if (waited < limitMs) return null
    const seconds = Math.round(waited / 1000)
    return `chain ${chainId} is at ${head}, the index has been at ${processed} for ${seconds} s`
  }

  return {
    async check() {
      const progress = await readProgress(database, schema)
      if (!progress?.isReady) {
        const isStuck = unchangedFor('history', progress?.history ?? '') > HISTORY_STUCK_AFTER_MS
        if (!isStuck) return { kind: 'starting' }
        return { kind: 'stuck', reason: 'no more of the past was indexed for 10 minutes' }
      }
      const checks = await Promise.allSettled(
        clients.map((client) => checkChain(client, progress.heads.get(client.chain.chainId))),
      )
      for (const one of checks) {
        if (one.status === 'fulfilled' && one.value) return { kind: 'stuck', reason: one.value }
      }
      const failed = checks.find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
      return { kind: 'healthy' }
    },
  }
}

/** What Ponder has stored about itself; null before it has created its tables. */
async function readProgress(database: Database, schema: string): Promise<Progress | null> {
  const [tables] = await database<{ exist: boolean }[]>`
    select to_regclass(${`${schema}._ponder_checkpoint`}) is not null
      and to_regclass('ponder_sync.intervals') is not null as exist`
  if (!tables?.exist) return null
  const [row] = await database<
    { isReady: boolean; history: string; heads: Record<string, string> | null }[]
  >`
    select
      coalesce(
        (select value->>'is_ready' = '1' and value->>'is_locked' = '1'
          from ${database(schema)}._ponder_meta),
        false
      ) as is_ready,
      (select coalesce(md5(string_agg(blocks::text, ' ' order by fragment_id)), '')
        from ponder_sync.intervals) as history,
      (select jsonb_object_agg(chain_id, (substring(latest_checkpoint from 27 for 16)::bigint)::text)
        from ${database(schema)}._ponder_checkpoint) as heads`
  if (!row) return null
  const heads = Object.entries(row.heads ?? {}).map(
    ([chainId, head]) => [Number(chainId), BigInt(head)] as const,
  )
  return {
    isReady: row.isReady,
    history: `${row.history} ${JSON.stringify(row.heads)}`,
    heads: new Map(heads),
  }
}
