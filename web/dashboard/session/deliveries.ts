import { useQuery } from '@tanstack/preact-query'
import type { DeliveryJson } from '../../../core/webhook/delivery.ts'
import { getData, merchantApi } from './request.ts'

/** To whom an event was sent, and what they answered; asked for once somebody wants to see it. */
export function useDeliveries(merchantId: string, eventId: string, isWanted: boolean) {
  const path = merchantApi(merchantId, `/v1/webhooks/deliveries?eventId=${eventId}`)
  return useQuery({
    queryKey: ['deliveries', merchantId, eventId],
    queryFn: () => getData<readonly DeliveryJson[]>(path),
    enabled: isWanted,
  })
}
