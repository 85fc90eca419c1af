import { useQuery } from '@tanstack/preact-query'
import { getData, request } from '../session/request.ts'

/** The server's answers to operators. */

const API = '/dashboard/api/operator'
const POLL_MS = 5_000

export interface ChainJson {
  readonly networkId: string
  readonly name: string
  readonly symbol: string
  readonly head: string | null
  readonly headSeenAt: string | null
  readonly hasRpcError: boolean
  readonly indexedBlock: string | null
  readonly projectedBlock: string | null
  readonly nodes: readonly {
    readonly host: string
    readonly head: string | null
    readonly fault: string | null
  }[]
  readonly hubs: readonly {
    readonly address: string
    readonly stopped: number
    readonly proposals: number
  }[]
}

export interface RelayerJson {
  readonly networkId: string
  readonly address: string
  readonly status: 'active' | 'draining' | 'no_funds' | 'quarantined'
  readonly note: string | null
  readonly usedBy: string | null
  readonly nextNonce: string
  readonly open: number
  readonly balance: string | null
  readonly isLow: boolean
}

export interface SystemJson {
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  readonly chains: readonly ChainJson[]
  readonly relayers: readonly RelayerJson[]
  readonly work: readonly {
    readonly networkId: string
    readonly kind: string
    readonly state: string
    readonly count: number
    readonly oldestAt: string
  }[]
  readonly alarms: readonly {
    readonly networkId: string
    readonly kind: string
    readonly subject: string
    readonly detail: string
    readonly since: string
  }[]
  readonly deliveries: number
  readonly deliveryDueAt: string | null
  readonly events: number
}

export interface ReviewJson {
  readonly id: string
  readonly networkId: string
  readonly kind: string
  readonly error: string | null
  readonly tries: number
  readonly since: string
  readonly subject: string | null
  readonly status: string | null
}

export interface OrderJson {
  readonly id: string
  readonly networkId: string
  readonly kind: string
  readonly subject: string
  readonly orderedBy: string
  readonly createdAt: string
  readonly endedAt: string | null
  readonly isDone: boolean | null
  readonly answer: string | null
}

export const operatorApi = (path: string) => `${API}${path}`

/** Data that changes without the user's doing: it is polled. */
export function useWatched<T>(path: string) {
  return useQuery({
    queryKey: ['operator', path],
    queryFn: () => getData<T>(operatorApi(path)),
    refetchInterval: POLL_MS,
  })
}

/** Gives workers an order. Its result appears in the list of orders. */
export async function order(kind: string, networkId: string, subject: string): Promise<void> {
  await request('POST', operatorApi('/orders'), { kind, networkId, subject })
}
