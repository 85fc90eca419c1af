import { deliveryDays } from '../../../store/webhook/tallies.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { one } from '../../request/responses.ts'
import { integer, list, object, text } from '../../request/schema.ts'
import { readWebhookEndpoint } from '../../webhook/endpoints.ts'
import { WEBHOOK_ENDPOINT_ID_PARAMETER } from '../../webhook/schema.ts'

/** GET /v1/webhooks/endpoints/:id/days: how many deliveries to an endpoint failed, by day. */

const DAY_MS = 86_400_000
const DAYS = 30

export const webhookDaysRoute = route({
  operation: 'GET /v1/webhooks/endpoints/:id/days',
  access: 'merchant',
  ids: { id: WEBHOOK_ENDPOINT_ID_PARAMETER },
  summary: 'Count webhook deliveries by day',
  description: `Events of the last ${DAYS} days (UTC) that were to be delivered to the endpoint.`,
  operationId: 'getWebhookDays',
  successes: {
    200: one(
      'The days.',
      list(
        'The days with deliveries, the oldest first.',
        object('A day.', {
          day: text('The day.', '2026-08-01'),
          deliveries: integer('All deliveries.', 120),
          failed: integer('Failed deliveries.', 3),
        }),
      ),
    ),
  },
  errors: ['endpoint_not_found'],
  handle: async (deps, { exchange, caller: { merchantId }, ids }) => {
    const { id } = await readWebhookEndpoint(deps, merchantId, ids.id)
    const since = new Date(deps.now().getTime() - (DAYS - 1) * DAY_MS)
    const days = await guardDatabase(deps, (sql) => deliveryDays(sql, id, since))
    return sendObject(exchange, 200, days)
  },
})
