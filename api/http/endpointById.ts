import { AppError, type ErrorCode } from '../../core/errors.ts'
import type { MerchantId } from '../../core/ids.ts'
import type { Database } from '../../store/database.ts'
import type { Authenticate } from './auth.ts'
import type { ApiDependencies, Exchange } from './exchange.ts'
import { parseId } from './id.ts'

/** What the routes to one endpoint share, whether it hears of events or is a price of a URL. */

/** What such a route answers when there is nothing wrong with the rest of the request. */
export const ENDPOINT_ERRORS: readonly ErrorCode[] = [
  'invalid_endpoint_id',
  'unauthorized',
  'endpoint_not_found',
  'service_unavailable',
]

/** Which endpoint is meant, and who asks. It may be another merchant's, or nobody's. */
export interface EndpointAsked<Id> {
  readonly merchantId: MerchantId
  readonly endpointId: Id
}

/** Makes a route, which looks at the id in its path only when it knows who asks. */
export function endpointRoute<Id>(
  brand: (text: string) => Id,
  authenticate: Authenticate,
  answer: (exchange: Exchange, asked: EndpointAsked<Id>) => Promise<string>,
) {
  return async (exchange: Exchange, id: unknown): Promise<string> => {
    const { merchantId } = await authenticate(exchange)
    const endpointId = parseId(brand, id, 'invalid_endpoint_id')
    return answer(exchange, { merchantId, endpointId })
  }
}

/** Makes a reader of the merchant's own endpoints, which throws `endpoint_not_found`. */
export function endpointReader<Id, Endpoint>(
  find: (sql: Database, merchantId: MerchantId, endpointId: Id) => Promise<Endpoint | null>,
) {
  return async (
    { availability, database }: ApiDependencies,
    { merchantId, endpointId }: EndpointAsked<Id>,
  ): Promise<Endpoint> => {
    const endpoint = await availability.guard(() => find(database, merchantId, endpointId))
    if (endpoint === null) throw new AppError('endpoint_not_found')
    return endpoint
  }
}
