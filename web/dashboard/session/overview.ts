import type { NetworkState } from '../../../core/dashboard/networkState.ts'
import type { BalanceJson } from '../../../core/invoice/balance.ts'
import type { RecoveryJson } from '../../../core/invoice/recovery.ts'
import type { DayJson } from '../../../core/invoice/report.ts'
import type { PayoutDayJson, WaitingPayoutJson } from '../../../core/x402/payout.ts'
import { getData, merchantApi } from './request.ts'

export interface Overview {
  readonly from: string
  readonly to: string
  readonly hasRecipient: boolean
  readonly days: readonly DayJson[]
  readonly balances: readonly BalanceJson[]
  readonly held: readonly RecoveryJson[]
  readonly hasMoreHeld: boolean
  /** Numbers of the invoices that were created in this period. */
  readonly open: Readonly<Record<'pending' | 'partial' | 'paid' | 'completed' | 'created', number>>
  readonly failedRefunds: readonly {
    readonly id: string
    readonly invoiceId: string
    readonly invoiceRef: string
    readonly createdAt: string
  }[]
  /** Invoices of the last days of which too much was received and not refunded. */
  readonly overpaid: readonly {
    readonly id: string
    readonly reference: string
    readonly tokenSymbol: string
    readonly amount: string
    readonly paidAt: string
  }[]
  readonly brokenEndpoints: readonly {
    readonly id: string
    readonly url: string
    readonly active: boolean
    readonly since: string
  }[]
  readonly x402: {
    readonly days: readonly PayoutDayJson[]
    readonly waiting: readonly WaitingPayoutJson[]
  }
  /** Of the invoices that were settled last, the newest last. */
  readonly settleTimes: readonly {
    readonly invoiceId: string
    readonly invoiceRef: string
    readonly seconds: number
  }[]
  readonly networks: readonly {
    readonly id: string
    readonly name: string
    readonly state: NetworkState
    readonly block: number | null
    readonly seenAt: string | null
  }[]
}

export const overviewQuery = (merchantId: string) => ({
  queryKey: ['overview', merchantId],
  queryFn: () => getData<Overview>(merchantApi(merchantId, '/v1/overview')),
})
