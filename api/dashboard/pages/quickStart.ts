import { ownExamples } from '../../../store/dashboard/quickStart.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { MERCHANT_ID } from '../../request/examples.ts'
import { one } from '../../request/responses.ts'
import { list, object, optionalText, text, uuid } from '../../request/schema.ts'

/** What the first calls of a merchant's servers need: where the API is, and ids of the merchant's own. */
export const quickStartRoute = route({
  operation: 'GET /v1/quick-start',
  access: 'merchant',
  summary: 'Get started with the API',
  description: 'Where the API is, its networks, and the newest ids of the merchant.',
  operationId: 'getQuickStart',
  successes: {
    200: one(
      'What to begin with.',
      object('What there is.', {
        apiUrl: text('Where the API is.', 'https://pay.example'),
        merchantId: uuid('The merchant.', MERCHANT_ID),
        networks: list('The networks that invoices can be paid on.', text('One.', 'base-sepolia')),
        invoiceId: optionalText('The newest invoice.', null),
        webhookEndpointId: optionalText('The newest active webhook endpoint.', null),
        x402EndpointId: optionalText('The newest active x402 endpoint.', null),
      }),
    ),
  },
  handle: async (deps, { exchange, caller: { merchantId } }) => {
    const { publicUrl, chains } = deps.config
    const own = await guardDatabase(deps, (sql) => ownExamples(sql, merchantId))
    const networks = chains.map(({ networkId }) => networkId)
    return sendObject(exchange, 200, { apiUrl: publicUrl, merchantId, networks, ...own })
  },
})
