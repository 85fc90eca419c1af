/**
 * The reference facilitator, put together as its own server example does it: a viem wallet behind
 * `x402Facilitator`, POST /verify and POST /settle. With NONCE_MANAGER=1 the account has viem's nonce
 * manager.
 */
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/facilitator'
import { registerExactEvmScheme } from '@x402/evm/exact/facilitator'
import { UptoEvmScheme } from '@x402/evm/upto/facilitator'
import { Hono } from 'hono'
import { createWalletClient, http, publicActions } from 'viem'
import { nonceManager, privateKeyToAccount } from 'viem/accounts'
import { verifyTypedData } from 'viem/actions'
import { baseSepolia } from 'viem/chains'
import { asHex } from '../../dev/servers/rpc.ts'

const { PORT, RPC_URL = '', RELAYER_KEY, NONCE_MANAGER } = process.env
const account = privateKeyToAccount(
  asHex(RELAYER_KEY),
  NONCE_MANAGER === '1' ? { nonceManager } : {},
)
const client = createWalletClient({
  account,
  chain: baseSepolia,
  transport: http(RPC_URL),
}).extend(publicActions)

const signer = toFacilitatorEvmSigner({
  ...client,
  address: account.address,
  // The client's own is the same, but its type is narrower than the signer's.
  verifyTypedData: (args) => verifyTypedData(client, { ...args, blockTag: 'latest' }),
})
const network = `eip155:${baseSepolia.id}` as const
const facilitator = new x402Facilitator()
registerExactEvmScheme(facilitator, { signer, networks: network })
facilitator.register(network, new UptoEvmScheme(signer))
facilitator.register(network, new BatchSettlementEvmScheme(signer))

interface Body {
  paymentPayload: PaymentPayload
  paymentRequirements: PaymentRequirements
}

const app = new Hono()
  .post('/verify', async (c) => {
    const { paymentPayload, paymentRequirements } = await c.req.json<Body>()
    return c.json(await facilitator.verify(paymentPayload, paymentRequirements))
  })
  .post('/settle', async (c) => {
    const { paymentPayload, paymentRequirements } = await c.req.json<Body>()
    return c.json(await facilitator.settle(paymentPayload, paymentRequirements))
  })
  .onError((error, c) => c.json({ error: error.message }, 500))

Bun.serve({ hostname: '127.0.0.1', port: Number(PORT), idleTimeout: 255, fetch: app.fetch })
