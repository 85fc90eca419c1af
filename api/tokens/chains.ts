import { checksumAddress } from '../../core/chain/evm.ts'
import { tokenOn } from '../../core/chain/registry.ts'
import { TOKEN_SYMBOLS, TOKENS, type TokenSymbol } from '../../core/chain/tokens.ts'
import type { ActiveChain } from '../../core/config/chains.ts'
import { presentChain } from '../../core/invoice/present.ts'
import { sendJson } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { USDC } from '../request/examples.ts'
import { address, flag, integer, list, named, text } from '../request/schema.ts'

/** The public lists of chains and tokens. Clients expect bare arrays, without the envelope. */

const chainSchema = named('Chain', 'A supported chain.', {
  id: text('The networkId.', 'base-sepolia'),
  name: text('The readable name.', 'Base Sepolia'),
  chainId: integer('The EVM chain id.', 84_532),
  isTestnet: flag('True on test networks.', true),
})

const tokenSchema = named('Token', 'A supported token.', {
  symbol: text('The ticker.', 'USDC'),
  name: text('The readable name.', 'USD Coin'),
  decimals: integer('The number of decimals of an amount.', 6),
  chains: list(
    'The contracts of the token.',
    named('TokenOnChain', 'The token on one chain.', {
      networkId: text('The chain.', 'base-sepolia'),
      address: address("The token's contract.", USDC),
    }),
  ),
})

export const listChainsRoute = route({
  operation: 'GET /v1/utils/chains',
  access: 'utility',
  isCrossOrigin: true,
  summary: 'List the chains',
  description: 'The chains that this deployment serves.',
  operationId: 'listChains',
  successes: { 200: { description: 'The chains.', schema: list('The chains.', chainSchema) } },
  handle: async ({ config }, { exchange }) =>
    sendJson(exchange, 200, JSON.stringify(config.chains.map(presentChain))),
})

export const listTokensRoute = route({
  operation: 'GET /v1/utils/tokens',
  access: 'utility',
  isCrossOrigin: true,
  summary: 'List the tokens',
  description: 'The accepted tokens, and their contracts.',
  operationId: 'listTokens',
  successes: { 200: { description: 'The tokens.', schema: list('The tokens.', tokenSchema) } },
  handle: async ({ tokens }, { exchange }) => {
    const chains = tokens.chains()
    const offered = TOKEN_SYMBOLS.flatMap((symbol) => presentToken(symbol, chains))
    return sendJson(exchange, 200, JSON.stringify(offered))
  },
})

/** The token in a list, or an empty list if no chain of this deployment has it. */
function presentToken(symbol: TokenSymbol, all: readonly ActiveChain[]) {
  const found = all.flatMap((chain) => {
    const token = tokenOn(chain, symbol)
    return token ? [{ networkId: chain.networkId, token }] : []
  })
  const [first] = found
  if (!first) return []
  const chains = found.map(({ networkId, token }) => ({
    networkId,
    address: checksumAddress(token.address),
  }))
  return [{ symbol, name: TOKENS[symbol].name, decimals: first.token.decimals, chains }]
}
