import { useQuery } from '@tanstack/preact-query'
import { getData, merchantApi } from '../session/request.ts'

/** What x402 has brought in, as the server adds it up. */

export interface Reason {
  readonly reason: string
  readonly count: number
}

export interface EndpointFigures {
  readonly endpointId: string | null
  readonly networkId: string
  readonly tokenSymbol: string
  readonly settled: number
  readonly revenue: string
  readonly pending: number
  readonly failed: number
  readonly failures: readonly Reason[]
}

export interface Figures {
  readonly days: number
  readonly isCut: boolean
  readonly endpoints: readonly EndpointFigures[]
  readonly refusals: readonly Reason[]
  readonly payers: readonly {
    readonly payer: string
    readonly networkId: string
    readonly tokenSymbol: string
    readonly settled: number
    readonly paid: string
  }[]
}

export const SPANS = [1, 7, 30, 90] as const

export function useFigures(merchantId: string, days: number) {
  return useQuery({
    queryKey: ['x402-figures', merchantId, days],
    queryFn: () => getData<Figures>(merchantApi(merchantId, `/v1/x402/overview?days=${days}`)),
  })
}
