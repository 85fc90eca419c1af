import { type BalanceJson, presentBalance } from '../../core/invoice/balance.ts'
import { readBalances } from '../../store/invoice/balances.ts'
import { guardDatabase } from '../http/backends.ts'
import { sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { USDC } from '../request/examples.ts'
import { one } from '../request/responses.ts'
import { type DocumentedSchema, list, named, optionalText, text } from '../request/schema.ts'

/** GET /v1/balances. */

const fields = {
  chain: text('The chain.', 'base-sepolia'),
  asset: optionalText('The symbol; null if unknown.', 'USDC'),
  tokenAddress: text('The contract of the token; all zeros for native coin.', USDC),
  held: optionalText('Confirmed, and promised to no settlement or refund.', '12.5'),
  inFlight: optionalText('The sum of incoming, settling and refunding.', '30'),
  incoming: optionalText('Payments that are seen and not confirmed.', '10'),
  settling: optionalText('Settlements that are not confirmed, with their fees.', '20'),
  refunding: optionalText('Refunds that are not confirmed.', '0'),
  settled: optionalText('What confirmed settlements brought to recipients.', '995'),
  fees: optionalText('What they brought the service.', '5'),
  refunded: optionalText('The amount of confirmed refunds.', '0'),
  externallyRefunded: optionalText('The amount of refunds that you sent from settled money.', '0'),
} satisfies Record<keyof BalanceJson, DocumentedSchema>

export const balancesRoute = route({
  operation: 'GET /v1/balances',
  access: 'merchant',
  summary: 'Read balances',
  description:
    'All that ever came to invoices, by chain and token. Amounts of unknown tokens are null.',
  operationId: 'listBalances',
  successes: {
    200: one('The balances.', list('By chain.', named('Balance', 'One chain and token.', fields))),
  },
  handle: async (deps, { exchange, caller: { merchantId } }) => {
    const balances = await guardDatabase(deps, (sql) => readBalances(sql, merchantId))
    const data = balances.map((balance) => presentBalance(balance, deps.config.registry))
    return sendObject(exchange, 200, data)
  },
})
