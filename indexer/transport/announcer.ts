import { announceHead, type HeadHeader, type NodeHead } from '../../store/chain/heads.ts'
import type { Database } from '../../store/database/database.ts'
import { type RawHeader, readHeader } from './rawHeader.ts'

/** How often a head that stays the same is announced again, in ms: so that it isn't taken for silence. */
const AGAIN_AFTER_MS = 1_000

interface Announcement {
  readonly head: HeadHeader
  readonly nodes: readonly NodeHead[]
}

/**
 * Writes a chain's heads for the other processes, one at a time; what comes meanwhile is written as the
 * newest of it. A database that doesn't answer loses announcements, and then the others poll themselves.
 */
export function openAnnouncer(
  database: Database,
  networkId: string,
): (header: RawHeader, nodes: readonly NodeHead[]) => void {
  let waiting: Announcement | null = null
  let isWriting = false
  let written = { hash: '', at: Number.NEGATIVE_INFINITY }

  async function write(): Promise<void> {
    isWriting = true
    while (waiting !== null) {
      const { head, nodes } = waiting
      waiting = null
      written = { hash: head.hash, at: performance.now() }
      await announceHead(database, networkId, head, nodes).catch(() => {
        written = { hash: '', at: Number.NEGATIVE_INFINITY }
      })
    }
    isWriting = false
  }

  return (header, nodes) => {
    const isDue = header.hash !== written.hash || performance.now() - written.at > AGAIN_AFTER_MS
    if (!isDue) return
    waiting = { head: readHeader(header), nodes }
    if (!isWriting) void write()
  }
}
