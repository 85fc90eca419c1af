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
  tokenAddress: text('All zeros for native coin.', USDC),
  held: optionalText('Confirmed, and not part of any settlement or refund.', '12.5'),
  inFlight: optionalText('The sum of incoming, settling and refunding.', '30'),
  incoming: optionalText('Payments that are detected but not confirmed.', '10'),
  settling: optionalText('Unconfirmed settlements, fees included.', '20'),
  refunding: optionalText('Unconfirmed refunds.', '0'),
  settled: optionalText('Paid to recipients by confirmed settlements.', '995'),
  fees: optionalText('Platform fees of confirmed settlements.', '5'),
  refunded: optionalText('Confirmed refunds.', '0'),
  externallyRefunded: optionalText('Confirmed refunds that you sent from your treasury.', '0'),
} satisfies Record<keyof BalanceJson, DocumentedSchema>

export const balancesRoute = route({
  operation: 'GET /v1/balances',
  access: 'merchant',
  summary: 'Read balances',
  description: 'Balances of all invoices, by chain and token. Amounts of unknown tokens are null.',
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
