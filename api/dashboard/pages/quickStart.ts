import { ownExamples } from '../../../store/dashboard/quickStart.ts'
import { guardDatabase } from '../../http/backends.ts'
import { sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { MERCHANT_ID } from '../../request/examples.ts'
import { one } from '../../request/responses.ts'
import { list, object, optionalText, text, uuid } from '../../request/schema.ts'

/** The parameters of a merchant's first calls: the API's URL, and ids of the merchant's objects. */
export const quickStartRoute = route({
  operation: 'GET /v1/quick-start',
  access: 'merchant',
  summary: 'Get started with the API',
  description: "The API's URL, its networks, and the newest ids of the merchant.",
  operationId: 'getQuickStart',
  successes: {
    200: one(
      'The parameters.',
      object('The parameters.', {
        apiUrl: text('The URL of the API.', 'https://pay.example'),
        merchantId: uuid('The merchant.', MERCHANT_ID),
        networks: list(
          'The networks that invoices can be paid on.',
          text('A network.', 'base-sepolia'),
        ),
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
