import { type Address, checksumAddress } from '../../../core/chain/evm.ts'
import { chainNamed, chainsOf } from '../../../core/chain/registry.ts'
import type { Environment } from '../../../core/chain/table.ts'
import { formatPrice, payableTokenAt } from '../../../core/x402/presentPayment.ts'
import { readRefusals } from '../../../store/access/requests.ts'
import { readFigures } from '../../../store/x402/figures.ts'
import { sendObject } from '../../http/exchange.ts'
import { readLong } from '../../http/longRead.ts'
import { route } from '../../http/route.ts'
import { PAYER } from '../../request/examples.ts'
import { integerParameter } from '../../request/parameter.ts'
import { queryOf } from '../../request/query.ts'
import { one } from '../../request/responses.ts'
import {
  address,
  amount,
  flag,
  integer,
  list,
  object,
  optionalText,
  text,
} from '../../request/schema.ts'

/** x402 revenue by endpoint, with the reasons of failures and refusals. */

const USUAL_DAYS = 30
const MOST_DAYS = 90
const AN_ENDPOINT = '0198c2a1-3b7c-7000-8000-1f2e3d4c5b6a'
const DAY_MS = 86_400_000

const inToken = {
  networkId: text('The chain.', 'base-sepolia'),
  tokenSymbol: text('The token.', 'USDC'),
}
const reasonSchema = object('A reason.', {
  reason: text('The reason, as defined by x402.', 'insufficient_funds'),
  count: integer('The number of occurrences.', 3),
})

export const x402OverviewRoute = route({
  operation: 'GET /v1/x402/overview',
  access: 'merchant',
  query: queryOf({
    days: integerParameter('The number of days.', USUAL_DAYS, {
      minimum: 1,
      maximum: MOST_DAYS,
      default: USUAL_DAYS,
    }),
  }),
  summary: 'Read x402 revenue',
  description:
    'Payments of the last days by endpoint, reasons of failed payments and refused requests, and the top ' +
    'payers.',
  operationId: 'getX402Overview',
  successes: {
    200: one(
      'The figures.',
      object('The figures.', {
        days: integer('The number of days.', USUAL_DAYS),
        isCut: flag('True when only the newest payments of these days are counted.', false),
        endpoints: list(
          'By endpoint, the highest revenue first.',
          object('One endpoint and token.', {
            endpointId: optionalText('The endpoint.', AN_ENDPOINT),
            ...inToken,
            settled: integer('Settled payments.', 120),
            revenue: amount('Their sum.', '1.2'),
            pending: integer('Pending payments.', 1),
            failed: integer('Failed payments.', 3),
            failures: list('The reasons, the most frequent first.', reasonSchema),
          }),
        ),
        refusals: list('Refused verify and settle requests of the last seven days.', reasonSchema),
        payers: list(
          'The top payers.',
          object('A payer.', {
            payer: address('Who.', PAYER),
            ...inToken,
            settled: integer('Settled payments.', 80),
            paid: amount('Their sum.', '0.8'),
          }),
        ),
      }),
    ),
  },
  errors: ['report_in_progress'],
  handle: async (deps, { exchange, caller: { merchantId }, query }) => {
    const { days = USUAL_DAYS } = query
    const since = new Date(deps.now().getTime() - days * DAY_MS)
    const { figures, refusals } = await readLong(deps, exchange, merchantId, async (sql) => ({
      figures: await readFigures(sql, merchantId, since),
      refusals: await readRefusals(sql, merchantId),
    }))
    const named = tokensIn(deps.config.environment)
    return sendObject(exchange, 200, {
      days,
      isCut: figures.isCut,
      endpoints: figures.endpoints.map(({ networkId, asset, revenue, ...endpoint }) => {
        const { symbol, decimals } = named(networkId, asset)
        const failures = figures.failures
          .filter(({ endpointId }) => endpointId === endpoint.endpointId)
          .map(({ reason, count }) => ({ reason, count }))
        const shown = { tokenSymbol: symbol, revenue: formatPrice(revenue, decimals), failures }
        return { networkId, ...endpoint, ...shown }
      }),
      refusals,
      payers: figures.payers.map(({ payer, networkId, asset, settled, paid }) => {
        const { symbol, decimals } = named(networkId, asset)
        const shown = { tokenSymbol: symbol, settled, paid: formatPrice(paid, decimals) }
        return { payer: checksumAddress(payer), networkId, ...shown }
      }),
    })
  },
})

/** Looks up the token of a payment. */
function tokensIn(environment: Environment) {
  const chains = chainsOf(environment)
  return (networkId: string, asset: Address) => payableTokenAt(chainNamed(networkId, chains), asset)
}
