import { mintTokens } from '../../chain/rpc/localNode.ts'
import { AppError } from '../../core/base/errors.ts'
import { formatAmount, parseAmount } from '../../core/base/money.ts'
import { checksumAddress, parseAddress } from '../../core/chain/evm.ts'
import { findNetwork, tokenOn } from '../../core/chain/registry.ts'
import { withNode } from '../http/backends.ts'
import { sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { bodyOf, invalidBody } from '../request/body.ts'
import { PAYER } from '../request/examples.ts'
import { one } from '../request/responses.ts'
import {
  amountField,
  object,
  pastedField,
  text,
  transactionHash,
  wordField,
} from '../request/schema.ts'
import { findNodes } from './sandboxNodes.ts'

const AMOUNT = "The amount in the token's major unit."
const fields = {
  address: pastedField('The address that receives the tokens.', PAYER),
  networkId: wordField('A development chain, by networkId or CAIP-2 identifier.', 'base-sepolia'),
  tokenSymbol: wordField('The ticker of the token.', 'USDC'),
  amount: amountField(AMOUNT, '100'),
}

export const faucetRoute = route({
  operation: 'POST /v1/sandbox/faucet',
  access: 'merchant',
  body: bodyOf('The tokens to mint.', fields),
  summary: 'Get test tokens',
  description: 'Mints tokens on a development chain. Not available in live.',
  operationId: 'sandboxFaucet',
  successes: {
    201: one(
      'The tokens were minted.',
      object('The transaction.', {
        ...fields,
        amount: text(AMOUNT, '100'),
        txHash: transactionHash('The transaction.'),
      }),
    ),
  },
  errors: ['unknown_chain', 'no_supported_chains', 'invalid_recipient', 'chain_not_local'],
  handle: async ({ chainClients, config: { chains } }, { exchange, body }) => {
    const chain = findNetwork(chains, body.networkId)
    if (!chain) {
      throw new AppError('unknown_chain', [{ path: 'networkId', message: 'is unknown' }])
    }
    const token = tokenOn(chain, body.tokenSymbol)
    if (!token) {
      const message = `${chain.networkId} has no such token`
      throw new AppError('no_supported_chains', [{ path: 'tokenSymbol', message }])
    }
    const address = parseAddress(body.address)
    if (address === null) {
      const detail = { path: 'address', message: 'must be an address' }
      throw new AppError('invalid_recipient', [detail])
    }
    const parsed = parseAmount(body.amount, token.decimals)
    if (!parsed.ok) throw invalidBody([{ path: 'amount', message: parsed.message }])
    const local = (await findNodes(chainClients)).find((entry) => entry.chain === chain)
    if (!local) {
      const message = 'must be a development chain with a reachable node'
      throw new AppError('chain_not_local', [{ path: 'networkId', message }])
    }
    const { amount } = parsed
    const txHash = await withNode(() => mintTokens(local.node, token.address, address, amount))
    return sendObject(exchange, 201, {
      address: checksumAddress(address),
      networkId: chain.networkId,
      tokenSymbol: token.symbol,
      amount: formatAmount(amount, token.decimals),
      txHash,
    })
  },
})
