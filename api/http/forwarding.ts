import { type IpNetwork, isIn, parseIp } from '../../core/base/network.ts'
import { excerpt } from '../../core/base/text.ts'

/**
 * Notices an untrusted proxy in front of the API: all clients behind it share one address, so that the first to
 * reach a limit has the others refused.
 */
export interface Forwarding {
  /** Takes notice of a request, by the other end of its socket and its X-Forwarded-For. */
  note(peer: string | null, forwardedFor: string | null, now: Date): void
  /** What the operator must know of the last hour. */
  warnings(now: Date): string[]
}

const WARNED_MS = 3_600_000

export function openForwarding(trusted: readonly IpNetwork[]): Forwarding {
  let last: { readonly peer: string; readonly at: Date } | null = null
  return {
    note(peer, forwardedFor, now) {
      const ip = peer === null || forwardedFor === null ? null : parseIp(peer)
      if (peer !== null && ip !== null && !isIn(trusted, ip)) last = { peer, at: now }
    },
    warnings(now) {
      if (last === null || now.getTime() - last.at.getTime() > WARNED_MS) return []
      return [
        `X-Forwarded-For arrives from ${excerpt(last.peer)}, which TRUSTED_PROXIES does not name: all clients behind it count as one`,
      ]
    },
  }
}
