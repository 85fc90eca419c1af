import { formatAmount } from '../../../core/base/money.ts'
import { COIN_DECIMALS, TOKENS } from '../../../core/chain/tokens.ts'
import { sendObject } from '../../http/exchange.ts'
import { route } from '../../http/route.ts'
import { one } from '../../request/responses.ts'
import { list, object, text } from '../../request/schema.ts'

/** The configured limits of this deployment. */
export const limitsRoute = route({
  operation: 'GET /limits',
  access: 'operator',
  summary: 'Read the rate limits',
  description: 'Requests per minute and maximum transaction costs, as configured.',
  operationId: 'getLimits',
  successes: {
    200: one(
      'The limits.',
      object('The limits.', {
        requests: object('Requests per minute, by caller.', {
          authenticated: text('A merchant.', '120'),
        }),
        chains: list(
          'The limits by chain.',
          object('A chain.', { networkId: text('The chain.', 'base') }),
        ),
      }),
    ),
  },
  handle: async ({ config }, { exchange }) => {
    const { limits, dashboard, environment, lowBalanceWei, chains } = config
    const { gaslessPerMerchant, ...requests } = limits
    return sendObject(exchange, 200, {
      environment,
      requests: { ...requests, ...dashboard?.limits },
      gaslessPerMerchant: formatAmount(gaslessPerMerchant, TOKENS.USDC.decimals),
      lowBalance: formatAmount(lowBalanceWei, COIN_DECIMALS),
      chains: chains.map(({ networkId, name, symbol, confirmations, txFeeMax, rpcUrls }) => ({
        ...{ networkId, name, symbol, confirmations },
        txFeeMax: formatAmount(txFeeMax, COIN_DECIMALS),
        nodes: rpcUrls.length,
      })),
    })
  },
})
