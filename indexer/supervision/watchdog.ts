import type { ChainClient } from '../../chain/client.ts'
import type { Database } from '../../store/database.ts'
import { compareGenesis } from '../deployment/genesis.ts'

/**
 * Finds out that Ponder is stuck, which it never says itself: its own readiness stays at 200 while a
 * reorganisation during a long gap, or a chain begun afresh, keeps it from moving.
 */

export type Verdict =
  | { readonly kind: 'starting' }
  | { readonly kind: 'well' }
  | { readonly kind: 'stuck'; readonly reason: string }

export interface Watchdog {
  /** Looks once. A node or database that doesn't answer is no reason to suspect Ponder: it throws. */
  look(): Promise<Verdict>
}

interface Progress {
  /** Ready, and not by the word of the Ponder before, whose lock is gone. */
  readonly isReady: boolean
  /** Changes whenever Ponder gets on with reading the past. */
  readonly history: string
  /** The last processed block by chain id. */
  readonly heads: ReadonlyMap<number, bigint>
}

interface Mark {
  readonly at: string
  readonly since: number
}

/** How long a chain's head may be ahead while Ponder stays where it is. */
const PATIENCE_MS = 15_000
const PATIENCE_BLOCKS = 3
/** Reading the past is done in large steps, each of which is kept when it is complete. */
const HISTORY_PATIENCE_MS = 10 * 60_000

export function watchPonder(
  database: Database,
  schema: string,
  clients: readonly ChainClient[],
  now: () => number = () => performance.now(),
): Watchdog {
  const marks = new Map<string, Mark>()
  const askedAt = new Map<number, number>()

  /** How long something has stayed the same, in milliseconds. */
  function unchangedFor(what: string, at: string): number {
    const mark = marks.get(what)
    if (mark?.at === at) return now() - mark.since
    marks.set(what, { at, since: now() })
    return 0
  }

  /** What is wrong with a chain, or null. Its node is asked once per block at most. */
  async function lookAtChain(client: ChainClient, processed: bigint | undefined) {
    const { networkId, chainId, blockTimeMs } = client.chain
    const last = askedAt.get(chainId)
    if (processed === undefined || (last !== undefined && now() - last < blockTimeMs)) return null
    askedAt.set(chainId, now())
    const head = await client.rpc.getBlockNumber()
    if (head < processed) {
      // Nodes differ by a block or two; only another first block means another chain.
      const [afresh] = await compareGenesis(database, [client])
      return afresh ? `${networkId} has begun afresh` : null
    }
    if (head === processed) {
      marks.delete(networkId)
      return null
    }
    const patience = Math.max(PATIENCE_MS, PATIENCE_BLOCKS * blockTimeMs)
    const waited = unchangedFor(networkId, String(processed))
    if (waited < patience) return null
    const seconds = Math.round(waited / 1000)
    return `chain ${chainId} is at ${head}, the index has been at ${processed} for ${seconds} s`
  }

  return {
    async look() {
      const progress = await readProgress(database, schema)
      if (progress === null || !progress.isReady) {
        const waited = unchangedFor('history', progress?.history ?? '')
        const isStuck = waited > HISTORY_PATIENCE_MS
        return isStuck
          ? { kind: 'stuck', reason: 'the past has not been read on for 10 minutes' }
          : { kind: 'starting' }
      }
      const looks = await Promise.allSettled(
        clients.map((client) => lookAtChain(client, progress.heads.get(client.chain.chainId))),
      )
      for (const look of looks) {
        if (look.status === 'fulfilled' && look.value !== null) {
          return { kind: 'stuck', reason: look.value }
        }
      }
      const failed = looks.find((look) => look.status === 'rejected')
      if (failed) throw failed.reason
      return { kind: 'well' }
    },
  }
}

/** What Ponder has noted about itself; null before it has created its tables. */
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
