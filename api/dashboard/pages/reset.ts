import type { MerchantId } from '../../../core/base/ids.ts'
import { payableInvoices, withdrawOffers } from '../../../store/dashboard/reset.ts'
import { closeInvoice } from '../../../store/invoice/invoices.ts'
import { deleteWebhookEndpoint, listWebhookEndpoints } from '../../../store/webhook/endpoints.ts'
import { guardDatabase } from '../../http/backends.ts'
import { type ApiDependencies, sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { NO_FIELDS } from '../../request/body.ts'
import { one } from '../../request/responses.ts'
import { flag, integer, object } from '../../request/schema.ts'

/** Invoices that one call voids; with more, call it again. */
const MOST_INVOICES = 200

export const resetRoute = route({
  operation: 'POST /v1/sandbox/reset',
  access: 'merchant',
  body: NO_FIELDS,
  summary: 'Reset the sandbox',
  description:
    'Voids open invoices, deactivates prices, payment links and x402 endpoints, deletes ' +
    'webhook endpoints with their deliveries, and deletes the request log. Payments are kept.',
  operationId: 'resetSandbox',
  successes: {
    200: one(
      'The sandbox was reset.',
      object('The result of the reset.', {
        invoices: integer('The number of voided invoices.', 3),
        hasMore: flag('True when there are more invoices: call again.', false),
        prices: integer('The number of deleted prices.', 1),
        paymentLinks: integer('The number of deactivated payment links.', 1),
        x402Endpoints: integer('The number of deactivated x402 endpoints.', 1),
        webhookEndpoints: integer('The number of deleted webhook endpoints.', 1),
        requests: integer('The number of deleted requests.', 40),
      }),
    ),
  },
  handle: async (deps, { exchange, caller: { merchantId } }) => {
    const offers = await guardDatabase(deps, (sql) => withdrawOffers(sql, merchantId, deps.now()))
    const webhookEndpoints = await deleteEndpoints(deps, merchantId)
    const invoices = await endInvoices(deps, merchantId)
    return sendObject(exchange, 200, {
      invoices,
      hasMore: invoices === MOST_INVOICES,
      ...offers,
      webhookEndpoints,
    })
  },
})

async function deleteEndpoints(deps: ApiDependencies, merchantId: MerchantId): Promise<number> {
  const endpoints = await guardDatabase(deps, (sql) => listWebhookEndpoints(sql, merchantId))
  for (const { id } of endpoints) {
    await guardDatabase(deps, (sql) => deleteWebhookEndpoint(sql, merchantId, id))
  }
  return endpoints.length
}

async function endInvoices(deps: ApiDependencies, merchantId: MerchantId): Promise<number> {
  const found = await guardDatabase(deps, (sql) => payableInvoices(sql, merchantId, MOST_INVOICES))
  for (const { id, chains } of found) {
    await guardDatabase(deps, (sql) => closeInvoice(sql, merchantId, id, deps.now()))
    deps.wake(chains, { type: 'advance_invoice', invoiceId: id })
  }
  return found.length
}
