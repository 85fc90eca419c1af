import { join } from 'node:path'
import { Remit } from '@remit/sdk'
import { remitChannelStorage } from '@remit/sdk/x402'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { freePort } from '../../../../dev/servers/ports.ts'
import type { X402Stack } from '../stack.ts'
import type { serveStack } from './served.ts'
import { type ChannelShop, channelPayer, NETWORK, openChannelShop } from './shop.ts'

/** A merchant's stock server that keeps its channels with Remit, and can be killed at any moment. */

export interface MortalShop {
  readonly url: string
  readonly authorizer: PrivateKeyAccount
  /** Starts it; resolves when it listens. */
  start(maxTimeoutSeconds: number): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
  /** Another process of the same merchant, here: what it claims and pays out is what was stored. */
  successor(): ChannelShop
}

export async function openMortalShop(
  { chain, merchant }: X402Stack,
  { api, url: facilitator }: ReturnType<typeof serveStack>,
  { price, minDeposit }: { readonly price: bigint; readonly minDeposit: bigint },
): Promise<MortalShop> {
  const authorizerKey = generatePrivateKey()
  const authorizer = privateKeyToAccount(authorizerKey)
  const { forwarder: payTo, secretKey } = merchant
  const port = await freePort()
  let child: Bun.Subprocess<'pipe', 'pipe', 'inherit'> | null = null
  const kill = async () => {
    child?.kill('SIGKILL')
    await child?.exited
    child = null
  }
  return {
    url: `http://127.0.0.1:${port}/report`,
    authorizer,
    async start(maxTimeoutSeconds) {
      const settings = {
        ...{ api, secretKey, payTo, authorizerKey, port, maxTimeoutSeconds, usdc: chain.usdc },
        price: price.toString(),
        minDeposit: minDeposit.toString(),
      }
      child = Bun.spawn([process.execPath, join(import.meta.dirname, 'shopProcess.ts')], {
        env: { ...process.env, SHOP: JSON.stringify(settings) },
        stdin: 'pipe',
        stdout: 'pipe',
        stderr: 'inherit',
      })
      const reader = child.stdout.getReader()
      await reader.read()
      reader.releaseLock()
    },
    kill,
    successor() {
      const remit = new Remit({ apiUrl: api, key: secretKey })
      const storage = remitChannelStorage({ remit, network: NETWORK, payTo, signer: authorizer })
      return openChannelShop({ facilitator, payTo, price, chain, storage, authorizer })
    },
  }
}

/** A stock client that asks until it was served so many times, regardless of what happens to the server. */
export async function buyAll(
  stack: X402Stack,
  shop: MortalShop,
  account: PrivateKeyAccount,
  count: number,
  onServed: () => void,
): Promise<void> {
  const { pay } = channelPayer(account, stack.chain.client)
  for (let served = 0; served < count; ) {
    const status = await pay(shop.url).then(
      (response) => response.status,
      () => null,
    )
    if (status === 200) {
      served += 1
      onServed()
    } else await Bun.sleep(200)
  }
}
