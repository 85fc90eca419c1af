/** The first calls of a merchant's server, with the merchant's values filled in. They run as they are. */

export interface Own {
  readonly apiUrl: string
  readonly merchantId: string
  readonly networks: readonly string[]
  readonly invoiceId: string | null
  readonly webhookEndpointId: string | null
  readonly x402EndpointId: string | null
}

/** Where a server's program finds its variables; a page has none. */
const VARIABLES = ['process', 'env'].join('.')
const KEY_HEADER = '-H "X-Service-Key: $REMIT_SECRET_KEY"'
const JSON_HEADER = "-H 'Content-Type: application/json'"

export const keyVariable = 'export REMIT_SECRET_KEY=sk_…'

export function createInvoice({ apiUrl, networks }: Own): string {
  const body = { tokenSymbol: 'USDC', amountExpected: '10', chains: networks.slice(0, 1) }
  return `curl -fsS -X POST '${apiUrl}/v1/invoices' \\
  ${KEY_HEADER} ${JSON_HEADER} \\
  -d '${JSON.stringify(body)}'`
}

export function readInvoice({ apiUrl, invoiceId }: Own): string {
  const path = invoiceId === null ? '/v1/invoices?limit=1' : `/v1/invoices/${invoiceId}`
  return `curl -fsS '${apiUrl}${path}' ${KEY_HEADER}`
}

export function playScenario({ apiUrl, invoiceId }: Own): string {
  const body = { invoiceId: invoiceId ?? '…', scenario: 'exact' }
  return `curl -fsS -X POST '${apiUrl}/v1/sandbox/scenarios' \\
  ${KEY_HEADER} ${JSON_HEADER} \\
  -d '${JSON.stringify(body)}'`
}

export function testWebhook({ apiUrl, webhookEndpointId }: Own): string {
  return `curl -fsS -X POST '${apiUrl}/v1/webhooks/endpoints/${webhookEndpointId ?? '…'}/test' ${KEY_HEADER}`
}

export function readEvents({ apiUrl }: Own): string {
  return `curl -fsS '${apiUrl}/v1/events?first=newest&limit=5' ${KEY_HEADER}`
}

export function requirements({ apiUrl, x402EndpointId }: Own): string {
  const path = `/v1/x402/endpoints/${x402EndpointId ?? '…'}/requirements`
  return `curl -fsS '${apiUrl}${path}' ${KEY_HEADER}`
}

export function useSdk({ apiUrl }: Own): string {
  return `import { Remit } from '@remit/sdk'

const remit = new Remit({ apiUrl: '${apiUrl}', key: ${VARIABLES}.REMIT_SECRET_KEY ?? '' })
const invoice = await remit.invoices.create({ tokenSymbol: 'USDC', amountExpected: '10' })
console.log(invoice.reference, invoice.addresses[0]?.address)`
}
