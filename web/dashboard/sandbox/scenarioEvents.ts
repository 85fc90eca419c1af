import { useQuery } from '@tanstack/preact-query'
import type { DeliveryJson } from '../../../core/webhook/delivery.ts'
import type { Row } from '../invoices/rows.ts'
import { getData, merchantApi } from '../session/request.ts'

export interface PlayedEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: {
    readonly id: string
    readonly status?: Row['status']
    readonly expired?: boolean
    readonly settlementState?: keyof typeof SETTLEMENT_WORDS | 'none'
  }
}

/** Why nothing was forwarded yet, in a word. */
export const SETTLEMENT_WORDS = {
  due: 'waiting',
  screening: 'reasonScreening',
  no_recipient: 'reasonNoAddress',
  below_gas_threshold: 'reasonSmall',
  failed: 'reasonFailed',
} as const

const POLL_MS = 1_500
const NEWEST = 100

/**
 * The events and deliveries of all played scenarios: two requests at a time, however many are watched, so that
 * watching stays well below the rate limit.
 */
export function useScenarioEvents(merchantId: string, isWatched: boolean) {
  const options = { enabled: isWatched, refetchInterval: POLL_MS }
  const events = useQuery({
    ...options,
    queryKey: ['sandbox-events', merchantId],
    queryFn: () =>
      getData<readonly PlayedEvent[]>(
        merchantApi(merchantId, `/v1/events?first=newest&limit=${NEWEST}`),
      ),
  })
  const deliveries = useQuery({
    ...options,
    queryKey: ['sandbox-deliveries', merchantId],
    queryFn: () =>
      getData<readonly DeliveryJson[]>(
        merchantApi(merchantId, `/v1/webhooks/deliveries?limit=${NEWEST}`),
      ),
  })
  return { events: (events.data ?? []).toReversed(), deliveries: deliveries.data ?? [] }
}
