import { balancesRoute } from './books/balances.ts'
import { graphqlRoute } from './books/graphql.ts'
import { reportDaysRoute, reportTransactionsRoute } from './books/reports.ts'
import { CHECKOUT_ROUTES, PRICE_ROUTES } from './checkout/routes.ts'
import { searchRoute } from './dashboard/pages/search.ts'
import { X402_ROUTES } from './facilitator/routes.ts'
import type { Route } from './http/route.ts'
import { INVOICE_ROUTES } from './invoice/routes.ts'
import { RECIPIENT_ROUTES } from './merchant/recipient.ts'
import { faucetRoute } from './operate/faucet.ts'
import { healthRoute, readyRoute } from './operate/health.ts'
import { playScenarioRoute } from './operate/scenarios.ts'
import { listRecoveriesRoute } from './refund/recoveries.ts'
import { listChainsRoute, listTokensRoute } from './tokens/chains.ts'
import { WEBHOOK_ROUTES } from './webhook/routes.ts'
import type { X402Dependencies } from './x402/facilitator.ts'

/** The dependencies of all routes. */
export type AppDependencies = X402Dependencies

/** A section of the API: a tag in the OpenAPI document. */
export interface Section {
  readonly name: string
  readonly description: string
  readonly routes: readonly Route<AppDependencies>[]
  /** In live these paths return 404. */
  readonly isSandboxOnly?: boolean
}

/** Every endpoint of the API. */
export const SECTIONS: readonly Section[] = [
  {
    name: 'Invoices',
    description: 'Create, read and expire invoices.',
    routes: [...INVOICE_ROUTES, listRecoveriesRoute, searchRoute, balancesRoute],
  },
  {
    name: 'Prices',
    description: 'Prices, payment links and sessions.',
    routes: PRICE_ROUTES,
  },
  {
    name: 'Checkout',
    description: 'Checkout pages and their settings.',
    routes: CHECKOUT_ROUTES,
  },
  {
    name: 'x402',
    description: 'Pay per request: register prices, verify and settle payments.',
    routes: X402_ROUTES,
  },
  {
    name: 'Webhooks',
    description: 'Receive events, read their deliveries, or poll them.',
    routes: WEBHOOK_ROUTES,
  },
  {
    name: 'Recipient',
    description: 'The recipient of settled money.',
    routes: RECIPIENT_ROUTES,
  },
  {
    name: 'Reports',
    description: 'Reports for bookkeeping and analytics.',
    routes: [reportTransactionsRoute, reportDaysRoute, graphqlRoute],
  },
  {
    name: 'Sandbox',
    description: 'Scenarios and tokens on development chains.',
    routes: [faucetRoute, playScenarioRoute],
    isSandboxOnly: true,
  },
  {
    name: 'Utilities',
    description: 'Chains and tokens; no key is needed.',
    routes: [listChainsRoute, listTokensRoute],
  },
  {
    name: 'Operations',
    description: 'For the operator of this deployment.',
    routes: [healthRoute, readyRoute],
  },
]
