import { AppError } from '../../../core/base/errors.ts'
import type { ViewOwner } from '../../../store/dashboard/views.ts'
import type { Exchange } from '../../http/exchange.ts'

/** The owner of views and schedules: the caller, at this merchant. */
export function ownerOf({ actor, merchantId }: Exchange): ViewOwner {
  if (actor?.type !== 'person' || merchantId === null) throw new AppError('unauthorized')
  return { merchantId, personId: actor.id }
}
