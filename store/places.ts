/** How many connections may be kept open. */
export interface PlaceBounds {
  /** The most that one client has. */
  readonly perClient: number
  /** The most of this process. */
  readonly inAll: number
}

/** The places of a process for connections that stay open. */
export interface Places {
  /** Takes one; the result gives it back, however often it is called. Null when there is none. */
  take(client: string): (() => void) | null
}

export function openPlaces({ perClient, inAll }: PlaceBounds): Places {
  const taken = new Map<string, number>()
  let count = 0
  return {
    take(client) {
      const ofClient = taken.get(client) ?? 0
      if (count >= inAll || ofClient >= perClient) return null
      count += 1
      taken.set(client, ofClient + 1)
      let isBack = false
      return () => {
        if (isBack) return
        isBack = true
        count -= 1
        const left = (taken.get(client) ?? 1) - 1
        if (left === 0) taken.delete(client)
        else taken.set(client, left)
      }
    },
  }
}
