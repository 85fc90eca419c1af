import { mostOfNetwork } from '../../core/base/network.ts'

/** How many connections may be kept open. */
export interface ConnectionBounds {
  /** The maximum of a client; the widest of its networks may have twice as many. */
  readonly perClient: number
  /** The maximum of this process. */
  readonly inAll: number
}

/** A process's slots for long-lived connections. */
export interface ConnectionLimit {
  /**
   * Takes a slot for the client of these networks, narrowest first. Returns a function that releases it, which may
   * be called more than once; null if no slot is free.
   */
  take(networks: readonly string[]): (() => void) | null
}

export function openConnectionLimit({ perClient, inAll }: ConnectionBounds): ConnectionLimit {
  const taken = new Map<string, number>()
  let count = 0
  return {
    take(networks) {
      const isFull = networks.some(
        (network, index) => (taken.get(network) ?? 0) >= mostOfNetwork(index, networks, perClient),
      )
      if (count >= inAll || isFull) return null
      count += 1
      for (const network of networks) taken.set(network, (taken.get(network) ?? 0) + 1)
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        count -= 1
        for (const network of networks) {
          const left = (taken.get(network) ?? 1) - 1
          if (left === 0) taken.delete(network)
          else taken.set(network, left)
        }
      }
    },
  }
}
