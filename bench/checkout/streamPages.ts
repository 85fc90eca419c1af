/**
 * Thousands of open pages in a process of their own, apart from the one that measures: opens pages on command,
 * and reports when each of them received an event.
 */
import { machineTime } from '../heads.ts'
import { openStream } from './streamReader.ts'

export interface Opening {
  readonly port: number
  /** Each page's session. */
  readonly sessionIds: readonly string[]
}

/** Its orders: to open pages, or to report what they have received since the last answer. */
export type Order = Opening | 'report'

export interface Heard {
  /** When each view arrived, by page, in ms since 1970. */
  readonly views: readonly (readonly number[])[]
  /** Why streams ended that should be open. */
  readonly ended: readonly string[]
}

/** So many are being opened at a time. */
const AT_ONCE = 50

let views: number[][] = []
const ended: string[] = []

async function open({ port, sessionIds }: Opening): Promise<void> {
  views = sessionIds.map(() => [])
  let next = 0
  const openSome = async () => {
    while (next < sessionIds.length) {
      const page = next++
      const first = Promise.withResolvers<void>()
      await openStream({
        port,
        sessionId: sessionIds[page] ?? '',
        client: `198.18.${page >> 8}.${page & 255}`,
        onView() {
          views[page]?.push(machineTime())
          first.resolve()
        },
        onEnd(reason) {
          ended.push(reason)
          first.resolve()
        },
      })
      await first.promise
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, openSome))
}

process.on('message', async (order: Order) => {
  if (order !== 'report') await open(order)
  const heard: Heard = { views, ended: ended.splice(0) }
  process.send?.(heard)
  views = views.map(() => [])
})
