import { useQuery } from '@tanstack/preact-query'
import type { DeliveryJson } from '../../../core/webhook/delivery.ts'
import { getData, merchantApi } from '../session/request.ts'

/** An event of what was played. */
export interface PlayedEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: {
    readonly id: string
    readonly status?: string
    readonly settlementState?: string
  }
}

const LOOK_MS = 1_500
const NEWEST = 100

/**
 * What happens to all that was played: two questions at a time, however many scenarios are watched, so that
 * watching leaves room for everything else that a person asks for in a minute.
 */
export function useHappenings(merchantId: string, isWatched: boolean) {
  const options = { enabled: isWatched, refetchInterval: LOOK_MS }
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
