import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactEvmScheme as ExactEvmServer } from '@x402/evm/exact/server'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { UptoEvmScheme as UptoEvmServer } from '@x402/evm/upto/server'
import { declareEip2612GasSponsoringExtension } from '@x402/extensions'
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { paymentMiddleware, setSettlementOverrides } from '@x402/hono'
import { Hono } from 'hono'
import { createWalletClient, erc20Abi, http, maxUint256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Address } from '../../../core/chain/evm.ts'
import { PERMIT2 } from '../../../core/x402/permitContracts.ts'
import type { HubChain } from '../servers/chain.ts'
import { fund } from './chain.ts'
import type { SettledJson } from './stockClients.ts'

/** Stock servers and clients that pay by Permit2, as their manuals show them. */

export const MAXIMUM = 20_000n

export interface PermitShop {
  /** `?use=1858` settles 1,858 base units, if the scheme is upto. */
  readonly url: string
  close(): void
}

export interface PermitShopTerms {
  readonly asset: string
  readonly payTo: string
  readonly network: `${string}:${string}`
  /** The merchant's secret key, with which less than the maximum is settled. */
  readonly key: string
}

/** A server on @x402/hono that asks for at most MAXIMUM by a scheme, and charges for GET /report. */
export function openPermitShop(
  facilitator: `http://${string}`,
  scheme: 'upto' | 'exact',
  { asset, payTo, network, key }: PermitShopTerms,
  isSponsored = false,
): PermitShop {
  // The domain of the token's EIP-2612, which Permit2 itself does not need.
  const extra = { assetTransferMethod: 'permit2', name: 'USDC', version: '2' }
  const price = { asset, amount: MAXIMUM.toString(), extra }
  const own = { 'X-Service-Key': key }
  const client = new HTTPFacilitatorClient({
    url: facilitator,
    createAuthHeaders: async () => ({ verify: own, settle: own, supported: own }),
  })
  const resources = new x402ResourceServer(client).register(
    network,
    scheme === 'upto' ? new UptoEvmServer() : new ExactEvmServer(),
  )
  const accepts = { scheme, network, payTo, price }
  const extensions = isSponsored ? { extensions: declareEip2612GasSponsoringExtension() } : {}
  const routes = { 'GET /report': { accepts, description: 'The report', ...extensions } }
  const app = new Hono().use(paymentMiddleware(routes, resources)).get('/report', (context) => {
    const amount = context.req.query('use')
    if (amount !== undefined) setSettlementOverrides(context, { amount })
    return context.json({ report: 'sunny' })
  })
  const server = Bun.serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', idleTimeout: 60 })
  return {
    url: `http://127.0.0.1:${server.port}/report`,
    close: () => void server.stop(true),
  }
}

/** Lets Permit2 take so much, all that the payer has by default, which costs the payer gas. */
export async function approvePermit2(
  { node, client, usdc }: HubChain,
  payer: PrivateKeyAccount,
  token: Address = usdc.address,
  amount: bigint = maxUint256,
): Promise<void> {
  await fund(node, payer.address as Address)
  const wallet = createWalletClient({ account: payer, transport: http(node.url) })
  const hash = await wallet.writeContract({
    ...{ address: token, abi: erc20Abi, functionName: 'approve', chain: null },
    args: [PERMIT2, amount],
  })
  await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
}

/** Fetches with @x402/fetch; the client asks the chain for allowances where it needs to. */
export async function payByPermit(
  url: string,
  payer: PrivateKeyAccount,
  rpcUrl: string,
): Promise<{
  status: number
  body: unknown
  settled: (SettledJson & { amount?: string; errorReason?: string }) | null
}> {
  const schemes = [
    { network: 'eip155:*' as const, client: new UptoEvmScheme(payer, { rpcUrl }) },
    { network: 'eip155:*' as const, client: new ExactEvmScheme(payer, { rpcUrl }) },
  ]
  const pay = wrapFetchWithPaymentFromConfig(fetch, { schemes })
  const response = await pay(url)
  const header = response.headers.get('payment-response')
  return {
    status: response.status,
    body: await response.json(),
    settled: header === null ? null : JSON.parse(Buffer.from(header, 'base64').toString()),
  }
}
