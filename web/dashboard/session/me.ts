import { useQuery, useQueryClient } from '@tanstack/preact-query'
import type { Role } from '../../../core/access/roles.ts'
import { getData } from './request.ts'

/** Who is signed in, and for which merchants they act. */
export interface Me {
  readonly person: {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly hasSecondFactor: boolean
  }
  readonly merchants: readonly {
    readonly merchantId: string
    readonly merchantName: string
    readonly role: Role
  }[]
  /** Which of their sessions this is. */
  readonly sessionId?: string
  /** Whether they run this deployment, besides what they are at merchants. */
  readonly isOperator?: boolean
}

export const ME = ['me'] as const

export function useMe() {
  return useQuery({ queryKey: ME, queryFn: () => getData<Me>('/dashboard/api/me') })
}

/** Reads again all that the page shows of the merchant: a request may need approval, and appear elsewhere. */
export function useReloadMerchant(merchantId: string): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === merchantId })
}
