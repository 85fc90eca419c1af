import { graphqlRoute } from './analytics/graphql.ts'
import { balancesRoute } from './balances.ts'
import { listChainsRoute, listTokensRoute } from './chains.ts'
import { CHECKOUT_ROUTES, PRICE_ROUTES } from './checkout/routes.ts'
import { healthRoute, readyRoute } from './health.ts'
import type { Route } from './http/route.ts'
import { INVOICE_ROUTES } from './invoices/routes.ts'
import { RECIPIENT_ROUTES } from './merchant/recipient.ts'
import { listRecoveriesRoute } from './recoveries.ts'
import { reportDaysRoute, reportTransactionsRoute } from './reports.ts'
import { faucetRoute } from './sandbox/faucet.ts'
import { playScenarioRoute } from './sandbox/scenarios.ts'
import { searchRoute } from './search.ts'
import { WEBHOOK_ROUTES } from './webhooks/routes.ts'
import type { X402Dependencies } from './x402/facilitator/facilitator.ts'
import { X402_ROUTES } from './x402/routes.ts'

/** What all the routes together work with. */
export type AppDependencies = X402Dependencies

/** A section of the API; the OpenAPI document has it as a tag. */
export interface Section {
  readonly name: string
  readonly description: string
  readonly routes: readonly Route<AppDependencies>[]
  /** In live these paths are not found. */
  readonly isSandboxOnly?: boolean
}

/** Every endpoint of the API. */
export const SECTIONS: readonly Section[] = [
  {
    name: 'Invoices',
    description: 'Create, read and end invoices.',
    routes: [...INVOICE_ROUTES, listRecoveriesRoute, searchRoute, balancesRoute],
  },
  {
    name: 'Prices',
    description: 'What payers may be asked for.',
    routes: PRICE_ROUTES,
  },
  {
    name: 'Checkout',
    description: 'Pages on which payers pay, and what they show.',
    routes: CHECKOUT_ROUTES,
  },
  {
    name: 'x402',
    description: 'Pay per request: register prices, verify and settle payments.',
    routes: X402_ROUTES,
  },
  {
    name: 'Webhooks',
    description: 'Hear of events, see what was delivered, or read them yourself.',
    routes: WEBHOOK_ROUTES,
  },
  {
    name: 'Recipient',
    description: 'Where settled money goes.',
    routes: RECIPIENT_ROUTES,
  },
  {
    name: 'Reports',
    description: 'For bookkeeping, and figures.',
    routes: [reportTransactionsRoute, reportDaysRoute, graphqlRoute],
  },
  {
    name: 'Sandbox',
    description: 'Play with development chains.',
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
    description: 'For whoever runs this deployment.',
    routes: [healthRoute, readyRoute],
  },
]
