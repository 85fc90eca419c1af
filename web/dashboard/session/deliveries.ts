import { useQuery } from '@tanstack/preact-query'
import type { DeliveryJson } from '../../../core/webhook/delivery.ts'
import { getData, merchantApi } from './request.ts'

/** An event's deliveries and their answers, loaded on demand. */
export function useDeliveries(merchantId: string, eventId: string, isWanted: boolean) {
  const path = merchantApi(merchantId, `/v1/webhooks/deliveries?eventId=${eventId}`)
  return useQuery({
    queryKey: ['deliveries', merchantId, eventId],
    queryFn: () => getData<readonly DeliveryJson[]>(path),
    enabled: isWanted,
  })
}
