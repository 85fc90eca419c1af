import type { MerchantId } from '../../../core/base/ids.ts'
import { findMembership } from '../../../store/access/members.ts'
import { guardDatabase } from '../../http/backends.ts'
import {
  type EventStream,
  openEventStream,
  RECONNECT,
  sendStream,
  streamed,
} from '../../http/eventStream.ts'
import type { Exchange } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import type { OwnDependencies } from './dependencies.ts'

/** GET /v1/live: changes of a merchant's objects as server-sent events. */

export const liveRoute = route<'merchant', undefined, undefined, undefined, OwnDependencies>({
  operation: 'GET /v1/live',
  access: 'merchant',
  summary: 'Follow a merchant',
  description:
    'Server-sent events: `change` with the ids of the changed objects, or null when there ' +
    'are many, and `block` with the network of each new block. Read displayed objects again.',
  operationId: 'followMerchant',
  successes: streamed('event: change\ndata: null\n\n'),
  errors: ['too_many_streams'],
  handle: async (deps, { exchange, caller: { merchantId } }) =>
    sendStream(exchange, follow(deps, exchange, merchantId)),
})

/** The stream of one page; null when the user, or the process, has too many of them. */
function follow(
  deps: OwnDependencies,
  exchange: Exchange,
  merchantId: MerchantId,
): EventStream | null {
  const waiting = new Waiting()
  const stream = openEventStream(exchange, () => waiting.take())
  let hasMissed = false
  /** Sends only while the user is signed in and a member. */
  async function sendIfAllowed(say: () => void): Promise<void> {
    try {
      if (!(await mayFollow(deps, exchange, merchantId))) return stream.close()
      if (hasMissed) waiting.add(null)
      hasMissed = false
      say()
      stream.flush()
    } catch (err) {
      hasMissed = true
      deps.log.debug({ err }, 'access of a live page could not be checked')
    }
  }
  const end = deps.dashboard.feed.follow({
    merchantId,
    client: exchange.actor?.id ?? '',
    changed: (objectIds) => void sendIfAllowed(() => waiting.add(objectIds)),
    block(networkId) {
      waiting.say(`event: block\ndata: ${networkId}\n\n`)
      stream.flush()
    },
    beat: () => void sendIfAllowed(() => waiting.say(': beat\n\n')),
  })
  if (end === null) return null
  stream.onEnd(end)
  return stream
}

/** A page's unsent messages: changes are merged for a slow reader. */
class Waiting {
  private readonly texts = new Set<string>([RECONNECT])
  private changed: ReadonlySet<string> | null = new Set()

  /** Null for too many to list. */
  add(objectIds: ReadonlySet<string> | null): void {
    const { changed } = this
    this.changed = objectIds === null || changed === null ? null : changed.union(objectIds)
  }

  say(text: string): void {
    this.texts.add(text)
  }

  take(): string | null {
    const { changed } = this
    if (changed === null || changed.size > 0) {
      this.say(`event: change\ndata: ${JSON.stringify(changed && [...changed])}\n\n`)
    }
    const text = [...this.texts].join('')
    this.texts.clear()
    this.changed = new Set()
    return text === '' ? null : text
  }
}

async function mayFollow(
  deps: OwnDependencies,
  { request: { headers } }: Exchange,
  merchantId: MerchantId,
): Promise<boolean> {
  const person = await deps.dashboard.whoIs(headers)
  if (person === null) return false
  const membership = await guardDatabase(deps, (sql) => findMembership(sql, person.id, merchantId))
  return membership !== null
}
