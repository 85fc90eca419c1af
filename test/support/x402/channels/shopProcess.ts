import { Remit } from '@remit/sdk'
import { remitChannelStorage } from '@remit/sdk/x402'
import { privateKeyToAccount } from 'viem/accounts'
import { NETWORK, openChannelShop } from './shop.ts'

/** A merchant's stock server in a process of its own, which keeps its channels with Remit: SHOP says how. */

const settings = JSON.parse(process.env.SHOP ?? '{}')
const authorizer = privateKeyToAccount(settings.authorizerKey)
const remit = new Remit({ apiUrl: settings.api, key: settings.secretKey })
const storage = remitChannelStorage({
  remit,
  network: NETWORK,
  payTo: settings.payTo,
  signer: authorizer,
})
const shop = openChannelShop({
  facilitator: `${settings.api}/v1/x402`,
  payTo: settings.payTo,
  price: BigInt(settings.price),
  minDeposit: BigInt(settings.minDeposit),
  chain: { usdc: settings.usdc },
  port: settings.port,
  maxTimeoutSeconds: settings.maxTimeoutSeconds,
  storage,
  authorizer,
})
// It ends with the test that started it, however that ends.
process.stdin.on('end', () => process.exit(0)).resume()
process.stdout.write(`${shop.url}\n`)
