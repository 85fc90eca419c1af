import { type IpNetwork, isIn, parseIp } from '../../core/base/network.ts'
import { excerpt } from '../../core/base/text.ts'

/**
 * Detects an untrusted proxy in front of the API: all clients behind it share one address and its rate
 * limits.
 */
export interface Forwarding {
  /** Records a request, by the other end of its socket and its X-Forwarded-For. */
  note(peer: string | null, forwardedFor: string | null, now: Date): void
  /** Warnings for the operator, about the last hour. */
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
        `X-Forwarded-For is sent by ${excerpt(last.peer)}, which is not in TRUSTED_PROXIES: all clients behind it share one rate limit`,
      ]
    },
  }
}
