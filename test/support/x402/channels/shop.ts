import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { toClientEvmSigner } from '@x402/evm'
import { BatchSettlementEvmScheme as PayerScheme } from '@x402/evm/batch-settlement/client'
import {
  type BatchSettlementChannelManager,
  BatchSettlementEvmScheme,
  type ChannelStorage,
} from '@x402/evm/batch-settlement/server'
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { paymentMiddleware } from '@x402/hono'
import { Hono } from 'hono'
import type { PublicClient } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { HubChain } from '../../servers/chain.ts'

/** Stock servers and clients of the scheme "batch-settlement", as their manuals show them. */

export const NETWORK = 'eip155:84532'

export interface ChannelShop {
  readonly url: string
  readonly authorizer: PrivateKeyAccount
  readonly scheme: BatchSettlementEvmScheme
  /** What claims and pays out, as the stock package does. */
  readonly manager: BatchSettlementChannelManager
  close(): void
}

export interface ShopOptions {
  readonly facilitator: string
  readonly payTo: string
  /** In base units. */
  readonly price: bigint
  readonly chain: Pick<HubChain, 'usdc'>
  /** What deposits are to be at least, in base units; ten requests unless told. */
  readonly minDeposit?: bigint
  readonly storage?: ChannelStorage
  readonly authorizer?: PrivateKeyAccount
  /** How long a payment may take, in s; also how long a request that was not answered keeps its channel. */
  readonly maxTimeoutSeconds?: number
  /** Any free one unless told. */
  readonly port?: number
}

export function openChannelShop(options: ShopOptions): ChannelShop {
  const { facilitator, payTo, price, chain, minDeposit: least } = options
  const authorizer = options.authorizer ?? privateKeyToAccount(generatePrivateKey())
  const token = chain.usdc
  if (token.eip712 === undefined) throw new Error('the chain has no USDC')
  const scheme = new BatchSettlementEvmScheme(hex(payTo), {
    receiverAuthorizerSigner: authorizer,
    ...(options.storage && { storage: options.storage }),
  })
  const client = new HTTPFacilitatorClient({ url: facilitator })
  const resources = new x402ResourceServer(client).register(NETWORK, scheme)
  const accepts = {
    scheme: 'batch-settlement',
    network: NETWORK,
    payTo,
    ...(options.maxTimeoutSeconds && { maxTimeoutSeconds: options.maxTimeoutSeconds }),
    price: {
      amount: price.toString(),
      asset: token.address,
      extra: { ...token.eip712, ...(least && { minDeposit: least.toString() }) },
    },
  } as const
  const app = new Hono()
    .use(paymentMiddleware({ 'GET /report': { accepts, description: 'The report' } }, resources))
    .get('/report', (context) => context.json({ report: 'sunny' }))
  const server = Bun.serve({
    fetch: app.fetch,
    port: options.port ?? 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
  })
  return {
    url: `http://127.0.0.1:${server.port}/report`,
    authorizer,
    scheme,
    manager: scheme.createChannelManager(client, NETWORK, token.address),
    close: () => void server.stop(true),
  }
}

/** A stock client that pays out of channels; it deposits what the server asks for. */
export function channelPayer(account: PrivateKeyAccount, client: PublicClient) {
  const scheme = new PayerScheme(toClientEvmSigner(account, client))
  const pay = wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [{ network: 'eip155:*', client: scheme }],
  })
  return { scheme, pay }
}

function hex(address: string): `0x${string}` {
  return `0x${address.slice(2)}`
}
