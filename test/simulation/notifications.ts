import { fieldsOf, messageOf, textAt } from './protocol.ts'

/**
 * Notifications of Postgres. The server would send them when it likes; in a run it tells the simulator of each with the
 * answer of its statement (`sim.pg_notify`), and once that is committed connections hear of it when the seed lets them.
 */

export interface Notification {
  readonly channel: string
  readonly payload: string
}

/** How the notice begins that tells the simulator of one. */
export const NOTICE = 'notification '

/** What one connection's transactions have others notified of. */
export class Notified {
  private uncommitted: Notification[] = []
  private committed: Notification[] = []

  /** Reads a message of the server; true for a notice of one, which the client is not to see. */
  hear(message: Buffer): boolean {
    const type = String.fromCharCode(message[0] ?? 0)
    const isUndone = type === 'E' || (type === 'C' && textAt(message, 5) === 'ROLLBACK')
    if (isUndone) this.uncommitted = []
    const isIdle = type === 'Z' && message.toString('latin1', 5) === 'I'
    if (isIdle) this.committed.push(...this.uncommitted.splice(0))
    const text = type === 'N' ? (fieldsOf(message).get('M') ?? '') : ''
    if (!text.startsWith(NOTICE)) return false
    const [channel, payload] = JSON.parse(text.slice(NOTICE.length))
    this.uncommitted.push({ channel: String(channel), payload: String(payload) })
    return true
  }

  /** What was committed since it was asked last. */
  news(): Notification[] {
    return this.committed.splice(0)
  }
}

/** A connection that may be subscribed. */
export interface Listener {
  hearOf(notification: Notification): void
}

/** Who is subscribed to what. */
export class Subscriptions {
  private readonly byChannel = new Map<string, Set<Listener>>()

  /** Notes what a connection has asked for, if that was a subscription. */
  note(statement: string, listener: Listener): void {
    const [, channel] = /^listen "(.+)"$/.exec(statement) ?? []
    if (channel === undefined) return
    const others = this.byChannel.get(channel) ?? new Set()
    this.byChannel.set(channel, others.add(listener))
  }

  end(listener: Listener): void {
    for (const listeners of this.byChannel.values()) listeners.delete(listener)
  }

  publish(notifications: readonly Notification[]): void {
    for (const one of notifications)
      for (const listener of this.byChannel.get(one.channel) ?? []) listener.hearOf(one)
  }
}

/** As the server sends it; the number of its session is nobody's. */
export function messageFor({ channel, payload }: Notification): Buffer {
  return messageOf('A', Buffer.alloc(4), `${channel}\0${payload}\0`)
}
