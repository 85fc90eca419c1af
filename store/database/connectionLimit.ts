import { mostOfNetwork } from '../../core/base/network.ts'

/** How many connections may be kept open. */
export interface ConnectionBounds {
  /** The most that one client has; the widest of its networks has at most twice as many. */
  readonly perClient: number
  /** The most of this process. */
  readonly inAll: number
}

/** The slots of a process for connections that stay open. */
export interface ConnectionLimit {
  /**
   * Takes one for the client whose networks these are, the narrowest first; the result gives it back, however
   * often it is called. Null when there is none.
   */
  take(networks: readonly string[]): (() => void) | null
}

export function openConnectionLimit({ perClient, inAll }: ConnectionBounds): ConnectionLimit {
  const taken = new Map<string, number>()
  let count = 0
  return {
    take(networks) {
      const isFull = networks.some(
        (network, place) => (taken.get(network) ?? 0) >= mostOfNetwork(place, networks, perClient),
      )
      if (count >= inAll || isFull) return null
      count += 1
      for (const network of networks) taken.set(network, (taken.get(network) ?? 0) + 1)
      let isBack = false
      return () => {
        if (isBack) return
        isBack = true
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
