import { type Static, Type } from '@sinclair/typebox'
import { mintTokens } from '../../chain/localNode.ts'
import { checksumAddress, parseAddress } from '../../core/chain/evm.ts'
import { findNetwork, tokenOn } from '../../core/chain/registry.ts'
import { AppError } from '../../core/errors.ts'
import { formatAmount, parseAmount } from '../../core/money.ts'
import type { Authenticate } from '../http/auth.ts'
import { invalidBody, readJsonBody } from '../http/body.ts'
import { HASH, PAYER } from '../http/examples.ts'
import { type ApiDependencies, type Exchange, sendObject } from '../http/exchange.ts'
import { formParser } from '../http/form.ts'
import {
  type Documented,
  type DocumentedSchema,
  envelope,
  jsonBody,
  object,
  responses,
  text,
} from '../http/schema.ts'
import { findNodes, played } from './nodes.ts'

/** POST /v1/sandbox/faucet. */

const REQUEST = Type.Object(
  {
    address: Type.String(),
    networkId: Type.String(),
    tokenSymbol: Type.String(),
    amount: Type.Union([Type.Number(), Type.String()]),
  },
  { additionalProperties: false },
)

const parseRequest = formParser(REQUEST, {
  '': 'must be a JSON object',
  address: 'must be a string',
  networkId: 'must be a string, e.g. "base-sepolia"',
  tokenSymbol: 'must be a string, e.g. "USDC"',
  amount: 'must be a number or a decimal string, e.g. "100"',
})

const fields = {
  address: text('Who gets the tokens.', PAYER),
  networkId: text('A development chain, by networkId or CAIP-2 identifier.', 'base-sepolia'),
  tokenSymbol: text('The ticker of the token.', 'USDC'),
  amount: text("How much, in the token's major unit.", '100'),
} satisfies Record<keyof Static<typeof REQUEST>, DocumentedSchema>

export const faucetDetail: Documented = {
  tags: ['Sandbox'],
  summary: 'Get test tokens',
  description: 'Makes tokens of a development chain. In live there is no such route.',
  operationId: 'sandboxFaucet',
  security: [{ secretKey: [] }],
  requestBody: jsonBody(object('What to make.', fields)),
  responses: responses(
    {
      201: {
        description: 'The tokens are there.',
        schema: envelope(
          object('What was made.', { ...fields, txHash: text('The transaction.', HASH) }),
        ),
      },
    },
    [
      'invalid_request_body',
      'unknown_chain',
      'no_supported_chains',
      'invalid_recipient',
      'unauthorized',
      'chain_not_local',
      'body_too_large',
      'service_unavailable',
    ],
  ),
}

export function faucetRoute(deps: ApiDependencies, authenticate: Authenticate) {
  const { chains } = deps.config
  const nodes = findNodes(chains)

  return async (exchange: Exchange): Promise<string> => {
    await authenticate(exchange)
    const request = parseRequest(await readJsonBody(exchange.request))
    const chain = findNetwork(chains, request.networkId)
    if (!chain) throw new AppError('unknown_chain', [{ path: 'networkId', message: 'is unknown' }])
    const token = tokenOn(chain, request.tokenSymbol)
    if (!token) {
      const message = `${chain.networkId} has no such token`
      throw new AppError('no_supported_chains', [{ path: 'tokenSymbol', message }])
    }
    const address = parseAddress(request.address)
    if (address === null) {
      throw new AppError('invalid_recipient', [{ path: 'address', message: 'must be an address' }])
    }
    const parsed = parseAmount(request.amount, token.decimals)
    if (!parsed.ok) throw invalidBody([{ path: 'amount', message: parsed.message }])
    const local = (await nodes()).find((entry) => entry.chain === chain)
    if (!local) throw new AppError('chain_not_local')
    const txHash = await played(() => mintTokens(local.node, token.address, address, parsed.amount))
    const data = {
      address: checksumAddress(address),
      networkId: chain.networkId,
      tokenSymbol: token.symbol,
      amount: formatAmount(parsed.amount, token.decimals),
      txHash,
    }
    return sendObject(exchange, 201, JSON.stringify(data))
  }
}
