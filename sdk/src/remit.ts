import type { Client } from 'openapi-fetch'
import { checkoutOf, paymentLinksOf, pricesOf } from './resources/checkout.ts'
import { invoicesOf, recoveriesOf, refundsOf } from './resources/invoices.ts'
import { balancesOf, reportsOf, searchOf } from './resources/overview.ts'
import { recipientOf } from './resources/settings.ts'
import { eventsOf, webhooksOf } from './resources/webhooks.ts'
import { x402Of } from './resources/x402.ts'
import type { paths } from './schema.ts'
import { openTransport, type RemitOptions } from './transport.ts'

/**
 * A client of a Remit deployment. Its methods return the data of the API's envelope and throw RemitError if the API
 * returns an error. Errors of `fetch`, such as a failed connection, pass through.
 */
export class Remit {
  readonly invoices: ReturnType<typeof invoicesOf>
  readonly refunds: ReturnType<typeof refundsOf>
  readonly prices: ReturnType<typeof pricesOf>
  readonly paymentLinks: ReturnType<typeof paymentLinksOf>
  readonly checkout: ReturnType<typeof checkoutOf>
  readonly recoveries: ReturnType<typeof recoveriesOf>
  readonly search: ReturnType<typeof searchOf>
  readonly balances: ReturnType<typeof balancesOf>
  readonly reports: ReturnType<typeof reportsOf>
  readonly recipient: ReturnType<typeof recipientOf>
  readonly webhooks: ReturnType<typeof webhooksOf>
  readonly events: ReturnType<typeof eventsOf>
  readonly x402: ReturnType<typeof x402Of>
  /** Every operation of the API by its path, for operations without a method here. Returns the envelope. */
  readonly api: Client<paths>

  constructor(options: RemitOptions) {
    const transport = openTransport(options)
    this.invoices = invoicesOf(transport)
    this.refunds = refundsOf(transport)
    this.prices = pricesOf(transport)
    this.paymentLinks = paymentLinksOf(transport)
    this.checkout = checkoutOf(transport)
    this.recoveries = recoveriesOf(transport)
    this.search = searchOf(transport)
    this.balances = balancesOf(transport)
    this.reports = reportsOf(transport)
    this.recipient = recipientOf(transport)
    this.webhooks = webhooksOf(transport)
    this.events = eventsOf(transport)
    this.x402 = x402Of(transport)
    this.api = transport.api
  }
}
