import type { Authenticate, Doors } from './http/auth.ts'
import type { ApiDependencies, Exchange } from './http/exchange.ts'
import type { PathId, PathIds } from './http/id.ts'
import type { Documented } from './http/schema.ts'
import {
  acceptPartialDetail,
  acceptPartialRoute,
  acceptPaymentDetail,
  acceptPaymentRoute,
} from './invoices/accept.ts'
import { handInDetail, handInRoute } from './invoices/handIn.ts'
import {
  createRefundDetail,
  createRefundRoute,
  listRefundsDetail,
  listRefundsRoute,
} from './invoices/refunds.ts'
import { INVOICE_ID_PARAMETER, TRANSACTION_ID_PARAMETER } from './invoices/schema.ts'
import { listRecoveriesDetail, listRecoveriesRoute } from './recoveries.ts'
import {
  dailyReportDetail,
  dailyReportRoute,
  transactionsReportDetail,
  transactionsReportRoute,
} from './reports.ts'
import { faucetDetail, faucetRoute } from './sandbox/faucet.ts'
import { scenariosDetail, scenariosRoute } from './sandbox/scenarios.ts'

/** What merchants do about money that is not where or what it should be. */

export interface MoneyRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly answer: (exchange: Exchange, ids: PathIds) => Promise<string | Response>
  readonly detail: Documented
  /** Describes the identifiers in the path. */
  readonly ids: Readonly<Record<string, PathId>>
}

export function moneyRoutes(deps: ApiDependencies, { authenticate }: Doors): readonly MoneyRoute[] {
  const ofInvoice = { id: INVOICE_ID_PARAMETER }
  const sandbox = deps.config.environment === 'sandbox' ? sandboxRoutes(deps, authenticate) : []
  return [
    ...sandbox,
    {
      method: 'POST',
      path: '/v1/invoices/:id/transactions',
      answer: handInRoute(deps, authenticate),
      detail: handInDetail,
      ids: ofInvoice,
    },
    {
      method: 'POST',
      path: '/v1/invoices/:id/transactions/:transactionId/accept',
      answer: acceptPaymentRoute(deps, authenticate),
      detail: acceptPaymentDetail,
      ids: { ...ofInvoice, transactionId: TRANSACTION_ID_PARAMETER },
    },
    {
      method: 'POST',
      path: '/v1/invoices/:id/accept-partial',
      answer: acceptPartialRoute(deps, authenticate),
      detail: acceptPartialDetail,
      ids: ofInvoice,
    },
    {
      method: 'POST',
      path: '/v1/invoices/:id/refunds',
      answer: createRefundRoute(deps, authenticate),
      detail: createRefundDetail,
      ids: ofInvoice,
    },
    {
      method: 'GET',
      path: '/v1/invoices/:id/refunds',
      answer: listRefundsRoute(deps, authenticate),
      detail: listRefundsDetail,
      ids: ofInvoice,
    },
    {
      method: 'GET',
      path: '/v1/recoveries',
      answer: listRecoveriesRoute(deps, authenticate),
      detail: listRecoveriesDetail,
      ids: {},
    },
    {
      method: 'GET',
      path: '/v1/reports/transactions.csv',
      answer: transactionsReportRoute(deps, authenticate),
      detail: transactionsReportDetail,
      ids: {},
    },
    {
      method: 'GET',
      path: '/v1/reports/daily',
      answer: dailyReportRoute(deps, authenticate),
      detail: dailyReportDetail,
      ids: {},
    },
  ]
}

/** In live these paths are unknown. */
function sandboxRoutes(deps: ApiDependencies, authenticate: Authenticate): readonly MoneyRoute[] {
  return [
    {
      method: 'POST',
      path: '/v1/sandbox/faucet',
      answer: faucetRoute(deps, authenticate),
      detail: faucetDetail,
      ids: {},
    },
    {
      method: 'POST',
      path: '/v1/sandbox/scenarios',
      answer: scenariosRoute(deps, authenticate),
      detail: scenariosDetail,
      ids: {},
    },
  ]
}
