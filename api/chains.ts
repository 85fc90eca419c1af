import { checksumAddress } from '../core/chain/evm.ts'
import { isTokenSymbol, TOKEN_NAMES, type TokenSymbol, tokenOn } from '../core/chain/registry.ts'
import type { ActiveChain } from '../core/config/processes.ts'
import { presentChain } from '../core/invoice/present.ts'
import { USDC } from './http/examples.ts'
import { type ApiDependencies, type Exchange, sendJson } from './http/exchange.ts'
import type { Limits } from './http/rateLimit.ts'
import {
  address,
  type Documented,
  flag,
  integer,
  list,
  object,
  responses,
  text,
} from './http/schema.ts'

/** The public lists of chains and tokens: specification section 4.3. Bare arrays, no envelope. */

const chainSchema = object('A chain on which invoices can be paid.', {
  id: text('The networkId.', 'base-sepolia'),
  name: text('The readable name.', 'Base Sepolia'),
  chainId: integer('The EVM chain id.', 84_532),
  isTestnet: flag('True on test networks.', true),
})

const tokenSchema = object('A token in which invoices can be paid.', {
  symbol: text('The ticker.', 'USDC'),
  name: text('The readable name.', 'USD Coin'),
  decimals: integer('How many decimals an amount may have.', 6),
  chains: list(
    'Where the token is.',
    object('The token on one chain.', {
      networkId: text('The chain.', 'base-sepolia'),
      address: address("The token's contract.", USDC),
    }),
  ),
})

export const listChainsDetail: Documented = {
  tags: ['Utilities'],
  summary: 'List the chains',
  description: 'The chains that this deployment serves. No key is needed.',
  operationId: 'listChains',
  security: [],
  responses: responses(
    { 200: { description: 'The chains.', schema: list('The chains.', chainSchema) } },
    [],
  ),
}

export const listTokensDetail: Documented = {
  tags: ['Utilities'],
  summary: 'List the tokens',
  description: 'The tokens that this deployment takes, and where they are. No key is needed.',
  operationId: 'listTokens',
  security: [],
  responses: responses(
    { 200: { description: 'The tokens.', schema: list('The tokens.', tokenSchema) } },
    [],
  ),
}

export function listChainsRoute(deps: ApiDependencies, limits: Limits) {
  const json = JSON.stringify(deps.config.chains.map(presentChain))
  return async (exchange: Exchange): Promise<string> => {
    await limits.utility(exchange)
    return sendJson(exchange, 200, json)
  }
}

export function listTokensRoute(deps: ApiDependencies, limits: Limits) {
  const symbols = Object.keys(TOKEN_NAMES).filter(isTokenSymbol)
  const tokens = symbols.flatMap((symbol) => presentToken(symbol, deps.config.chains))
  const json = JSON.stringify(tokens)
  return async (exchange: Exchange): Promise<string> => {
    await limits.utility(exchange)
    return sendJson(exchange, 200, json)
  }
}

/** The token, or nothing when no chain of this deployment has it. */
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
  return [{ symbol, name: TOKEN_NAMES[symbol], decimals: first.token.decimals, chains }]
}
