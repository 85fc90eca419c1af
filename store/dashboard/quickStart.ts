import type { EndpointId, InvoiceId, MerchantId, WebhookEndpointId } from '../../core/base/ids.ts'
import type { Queryable } from '../database/database.ts'

/** What a merchant has of its own to put into the first calls of the API. */
export interface OwnExamples {
  readonly invoiceId: InvoiceId | null
  readonly webhookEndpointId: WebhookEndpointId | null
  readonly x402EndpointId: EndpointId | null
}

/** The newest of each; null where there is none yet. */
export async function ownExamples(sql: Queryable, merchantId: MerchantId): Promise<OwnExamples> {
  const [row] = await sql<OwnExamples[]>`
    select
      (select id from invoice where merchant_id = ${merchantId}
        order by created_at desc, id desc limit 1) as invoice_id,
      (select id from webhook_endpoint where merchant_id = ${merchantId} and active
        order by created_at desc, id desc limit 1) as webhook_endpoint_id,
      (select id from x402_endpoint where merchant_id = ${merchantId} and active
        order by created_at desc, id desc limit 1) as x402_endpoint_id`
  return row ?? { invoiceId: null, webhookEndpointId: null, x402EndpointId: null }
}
