import { expect, test } from 'bun:test'
import { Remit } from '@remit/sdk'
import { honoPaywall } from '@remit/sdk/x402'
import { Hono } from 'hono'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startShop } from '../../../dev/demo/shop.ts'
import { PATIENCE_MS } from '../../support/web/browser.ts'
import { type Stage, withVisitor } from '../../support/web/payment/stage.ts'
import { installSigningWallet } from '../../support/web/signingWallet.ts'
import { expectSound, hearComplaints } from '../../support/web/sound.ts'

/** The page of a paywall on the running stack: the payment is made on the chain, and the resource opens. */

const PRICE = 10_000n

for (const kind of ['the SDK', 'the stock middleware']) {
  test.concurrent(
    `who pays on the page of ${kind} sees what it cost, and has paid once`,
    () =>
      withVisitor(async (context, stage) => {
        const shop = await openServer(kind, stage)
        const page = await context.newPage()
        const complaints = hearComplaints(page)
        const account = privateKeyToAccount(generatePrivateKey())
        await stage.payer.mined(await stage.payer.send(account.address, '0.01'))
        const { rpc } = stage.payer
        const wallet = { account, chainId: 11_155_111, knows: [11_155_111, 84_532], rpc }
        await installSigningWallet(page, wallet)
        await page.goto(shop.url)
        await page.getByRole('heading', { level: 1, name: '0.01 USDC' }).waitFor()
        // The 402 itself is told in the console as a failed resource.
        complaints.take()
        await expectSound(page, complaints)
        await page.getByRole('button', { name: 'Pay with Test Wallet' }).click()
        await page.getByText('sunny').waitFor()
        expect(await stage.payer.balance(account.address)).toBe(0n)
        await page.reload()
        await page.getByRole('heading', { level: 1, name: '0.01 USDC' }).waitFor()
        await page.getByRole('button', { name: 'Pay with Test Wallet' }).click()
        await page
          .getByText('Insufficient balance: 0.00 USDC on Base Sepolia. You need 0.01')
          .waitFor()
        await shop.stop()
      }),
    PATIENCE_MS,
  )
}

interface Server {
  readonly url: string
  stop(): Promise<void>
}

async function openServer(kind: string, { stack }: Stage): Promise<Server> {
  if (kind === 'the stock middleware') {
    const publicUrl = 'https://stock.example'
    const shop = await startShop({ example: 'hono', publicUrl, home: stack.home })
    return { url: `${shop.url}/report`, stop: () => shop.stop() }
  }
  const { apiUrl, secretKey } = stack.description
  const remit = new Remit({ apiUrl, key: secretKey })
  const url = 'https://shop.example/paid'
  const price = { asset: 'USDC', network: 'eip155:84532', amountUsd: `${Number(PRICE) / 1e6}` }
  await remit.x402.endpoints.create({ endpointUrl: url, ...price })
  const app = new Hono().get('/paid', honoPaywall({ remit, url }), (context) =>
    context.html('<!doctype html><title>Report</title><h1>sunny</h1>'),
  )
  const server = Bun.serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  return { url: `http://127.0.0.1:${server.port}/paid`, stop: () => server.stop(true) }
}
