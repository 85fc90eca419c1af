import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type PaymentRequirements, Remit } from '@remit/sdk'
import { expressPaywall, stockPaywall } from '@remit/sdk/x402'
import express from 'express'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { recoverTypedDataAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openBrowser } from '../../support/web/browser.ts'
import { installSigningWallet, type SigningWallet } from '../../support/web/signingWallet.ts'
import { expectSound, hearComplaints } from '../../support/web/sound.ts'
import { TRANSFER_WITH_AUTHORIZATION } from '../../support/x402/authorizations.ts'
import { hex } from '../../support/x402/payer.ts'

/** What a browser shows where the paywall asks for money. The payment itself, on a chain: payment/paywall.ts. */

const SHOP_URL = 'https://shop.example/report'
/** As a cookie's path it would say for which other hosts the payment is. */
const HOSTILE_PATH = '/reports/today;Domain=shop.example'
const ASSET = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const account = privateKeyToAccount(generatePrivateKey())

function price(chainId: number, amount = '10000', description = 'The report'): PaymentRequirements {
  const extra = { name: 'USDC', version: '2', merchantId: 'm', endpointId: `${chainId}` }
  const terms = { scheme: 'exact', network: `eip155:${chainId}`, amount, asset: ASSET } as const
  const payTo = '0x000000000000000000000000000000000000dEaD'
  return { ...terms, payTo, maxTimeoutSeconds: 300, extra, description }
}

/** What the API says of prices and settling, as the next test wants it. */
const api: { prices: PaymentRequirements[]; settled: object; isAway: boolean; payments: string[] } =
  {
    prices: [],
    settled: {},
    isAway: false,
    payments: [],
  }
const SETTLED = { success: true, transaction: '0x7f', network: 'eip155:84532', settledAt: null }

let browser: Browser
let shop: string
let stop: () => void

beforeAll(async () => {
  const remit = new Remit({
    apiUrl: 'http://api.invalid',
    key: 'sk_test_x',
    retries: 0,
    fetch: async (request: Request) => {
      if (api.isAway) return new Response(null, { status: 503 })
      if (request.method === 'GET') {
        const data = { x402Version: 2, requirements: api.prices[0], accepts: api.prices }
        return Response.json({ success: true, data })
      }
      api.payments.push(JSON.parse(await request.text()).paymentPayload)
      return Response.json(api.settled)
    },
  })
  const app = express().use(expressPaywall({ remit, url: SHOP_URL }))
  for (const path of ['/report', HOSTILE_PATH]) {
    app.get(path, (_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>Report</title><h1>Sunny</h1>')
    })
  }
  const port = await new Promise<number>((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve(Object(server.address()).port))
    stop = () => {
      server.close()
      server.closeAllConnections()
    }
  })
  shop = `http://127.0.0.1:${port}/report`
  browser = await openBrowser()
}, 60_000)

afterAll(async () => {
  await browser.close()
  stop()
})

/** What a node says: six decimals, and this balance. */
function chainWith(balance: bigint, decimals = 6n): SigningWallet['rpc'] {
  return async (_method, params) => {
    const value = String(Object(params?.[0]).data).startsWith('0x313ce567') ? decimals : balance
    return `0x${value.toString(16).padStart(64, '0')}`
  }
}

const WALLET: SigningWallet = {
  account,
  chainId: 84_532,
  knows: [84_532],
  rpc: chainWith(10_000n),
}

interface Visit {
  readonly prices?: PaymentRequirements[]
  readonly settled?: object
  readonly wallet?: Partial<SigningWallet> | null
  readonly browser?: BrowserContextOptions
  /** Where the payer goes; the page at SHOP_URL unless told. */
  readonly path?: string
}

async function visit(
  { prices = [price(84_532)], settled = SETTLED, wallet = {}, ...rest }: Visit,
  look: (page: Page, asked: readonly string[]) => Promise<void>,
): Promise<void> {
  const { browser: options = {}, path = '/report' } = rest
  const address = new URL(path, shop).href
  Object.assign(api, { prices, settled, isAway: false, payments: [] })
  const context = await browser.newContext(options)
  context.setDefaultTimeout(30_000)
  try {
    const page = await context.newPage()
    const given = { ...WALLET, ...wallet }
    const asked = wallet === null ? [] : await installSigningWallet(page, given)
    // Whatever it shows, it asks nobody but its own server.
    page.on('request', (request) => expect(request.url().startsWith(address)).toBe(true))
    await page.goto(address)
    await look(page, asked)
  } finally {
    await context.close()
  }
}

const payButton = (page: Page) => page.getByRole('button', { name: 'Pay with Test Wallet' })
const reads = (page: Page, text: string | RegExp) => page.getByText(text).waitFor()

describe('a payer with a wallet', () => {
  test('signs exactly what was shown, and the resource opens as any page does', async () => {
    await visit({}, async (page) => {
      await page.getByRole('heading', { level: 1, name: '0.01 USDC' }).waitFor()
      await payButton(page).click()
      await page.getByRole('heading', { name: 'Sunny' }).waitFor()
      const [header = ''] = api.payments
      const { accepted, payload, resource } = JSON.parse(Buffer.from(header, 'base64').toString())
      expect(accepted).toEqual(api.prices[0])
      expect(resource).toEqual({ url: SHOP_URL })
      const { authorization, signature } = payload
      expect(authorization).toMatchObject({ from: account.address, value: '10000' })
      const left = Number(authorization.validBefore) - Date.now() / 1000
      expect(left).toBeWithin(200, 301)
      const signer = await recoverTypedDataAddress({
        domain: { name: 'USDC', version: '2', chainId: 84_532, verifyingContract: ASSET },
        types: TRANSFER_WITH_AUTHORIZATION,
        primaryType: 'TransferWithAuthorization',
        message: {
          from: hex(authorization.from),
          to: hex(authorization.to),
          value: BigInt(authorization.value),
          validAfter: 0n,
          validBefore: BigInt(authorization.validBefore),
          nonce: hex(authorization.nonce),
        },
        signature,
      })
      expect(signer).toBe(account.address)
      expect(api.payments).toHaveLength(1)
    })
  })

  test('pays where the path has semicolons, by a cookie that says nothing of hosts', async () => {
    const pending = { ...SETTLED, success: false, error: 'settlement_pending' }
    await visit({ path: HOSTILE_PATH, settled: pending }, async (page) => {
      await payButton(page).click()
      await reads(page, 'still on its way')
      const cookies = await page.context().cookies()
      expect(cookies.map(({ domain, path }) => `${domain}${path}`)).toEqual(['127.0.0.1/reports/'])
      api.settled = SETTLED
      await page.getByRole('link', { name: 'Load this page again' }).click()
      await page.getByRole('heading', { name: 'Sunny' }).waitFor()
    })
  })

  test('on another network switches first, and one that only injects itself is found, too', async () => {
    await visit({ wallet: { chainId: 1, by: 'EIP-1193' } }, async (page, asked) => {
      await page.getByRole('button', { name: 'Pay with this browser’s wallet' }).click()
      await page.getByRole('heading', { name: 'Sunny' }).waitFor()
      expect(asked).toContain('wallet_switchEthereumChain')
    })
  })

  test('chooses between networks', async () => {
    const wallet = { chainId: 1, knows: [1, 84_532] }
    await visit({ prices: [price(1, '50000'), price(84_532)], wallet }, async (page) => {
      await page.getByRole('heading', { level: 1, name: '0.05 USDC' }).waitFor()
      await page.getByRole('radio', { name: 'Base Sepolia 0.01 USDC' }).check()
      await page.getByRole('heading', { level: 1, name: '0.01 USDC' }).waitFor()
      await payButton(page).click()
      await page.getByRole('heading', { name: 'Sunny' }).waitFor()
      const payment = JSON.parse(Buffer.from(api.payments[0] ?? '', 'base64').toString())
      expect(payment.accepted.network).toBe('eip155:84532')
    })
  })

  const problems: [string, Partial<SigningWallet>, RegExp][] = [
    [
      'declines',
      { refuses: { eth_signTypedData_v4: 4001 } },
      /You declined in Test Wallet\. Nothing/,
    ],
    [
      'is on a network that it can’t leave',
      { chainId: 1, knows: [1] },
      /doesn’t know Base Sepolia/,
    ],
    [
      'has too little',
      { rpc: chainWith(9_999n) },
      /has 0\.009999 USDC on Base Sepolia\. You need 0\.01/,
    ],
    ['would sign another amount', { rpc: chainWith(10n ** 30n, 18n) }, /Nothing was signed/],
  ]
  test.each(problems)('that %s reads so, and nothing is sent', async (_, wallet, sentence) => {
    await visit({ wallet }, async (page) => {
      const complaints = hearComplaints(page)
      await payButton(page).click()
      await reads(page, sentence)
      expect(await payButton(page).isEnabled()).toBe(true)
      await expectSound(page, complaints)
      expect(api.payments).toEqual([])
    })
  })

  test('whose payment is refused reads why, in words, and may pay again', async () => {
    const errorMessage = 'The payer has <b>too little</b>.'
    const settled = { ...SETTLED, success: false, error: 'insufficient_funds', errorMessage }
    await visit({ settled }, async (page) => {
      await payButton(page).click()
      await reads(page, `Your last payment opened nothing. ${errorMessage}`)
      api.settled = SETTLED
      await payButton(page).click()
      await page.getByRole('heading', { name: 'Sunny' }).waitFor()
      expect(api.payments).toHaveLength(2)
    })
  })

  test('whose payment takes long, or meets a server that is busy, shows the same one again', async () => {
    const pending = { ...SETTLED, success: false, error: 'settlement_pending' }
    await visit({ settled: pending }, async (page) => {
      await payButton(page).click()
      await reads(page, 'still on its way')
      expect(await payButton(page).count()).toBe(0)
      api.isAway = true
      await page.getByRole('link', { name: 'Load this page again' }).click()
      await page.getByRole('heading', { name: 'Payments are not available' }).waitFor()
      Object.assign(api, { isAway: false, settled: SETTLED })
      await page.getByRole('link', { name: 'Load this page again' }).click()
      await page.getByRole('heading', { name: 'Sunny' }).waitFor()
      expect(new Set(api.payments).size).toBe(1)
    })
  })

  test('whose contract signs at length pays by more than one cookie', async () => {
    const long = { ...account, signTypedData: async () => `0x${'ab'.repeat(3_000)}` as const }
    await visit({ wallet: { account: long } }, async (page) => {
      await payButton(page).click()
      await page.getByRole('heading', { name: 'Sunny' }).waitFor()
      const payment = JSON.parse(Buffer.from(api.payments[0] ?? '', 'base64').toString())
      expect(payment.payload.signature).toHaveLength(6_002)
    })
  })
})

describe('the page', () => {
  const looks: [string, BrowserContextOptions][] = [320, 390, 1280].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme): [string, BrowserContextOptions] => [
      `${width} ${colorScheme}`,
      { viewport: { width, height: 800 }, colorScheme },
    ]),
  )
  test.each(looks)('is sound at %s', async (name, options) => {
    const prices = [price(84_532, '123456789012345678', 'Long '.repeat(60)), price(8_453)]
    await visit({ prices, browser: options }, async (page) => {
      const complaints = hearComplaints(page)
      await payButton(page).waitFor()
      const { PICTURES } = process.env
      if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true })
      await expectSound(page, complaints)
    })
  })

  test('says what to do without a wallet, and without JavaScript', async () => {
    await visit({ wallet: null }, (page) => reads(page, 'There is no wallet in this browser.'))
    await visit({ wallet: null, browser: { javaScriptEnabled: false } }, async (page) => {
      await page.getByRole('heading', { level: 1, name: '0.01 USDC' }).waitFor()
      await reads(page, 'Switch JavaScript on')
      await page.getByText('Pay with a program', { exact: true }).click()
      await reads(page, 'PAYMENT-REQUIRED')
    })
  })

  test('shows what a server or a wallet wrote as text', async () => {
    const evil = `"></script></dl><script>top.ran=1</script><img src=x onerror=top.ran=1><!--<script>`
    const prices = [{ ...price(84_532, '10000', evil), payTo: evil }]
    Object.assign(prices[0]?.extra ?? {}, { name: evil, version: evil })
    await visit({ prices, wallet: { name: evil } }, async (page) => {
      await page.getByRole('button', { name: 'Pay with ' }).waitFor()
      expect(await page.getByText('top.ran=1').count()).toBeGreaterThan(3)
      expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined()
      expect(await page.locator('main img[src=x]').count()).toBe(0)
    })
  })

  test('is for browsers that go there; programs get what they always did', async () => {
    Object.assign(api, { prices: [price(84_532)], isAway: false })
    const page = await fetch(shop, { headers: { accept: 'text/html,*/*' } })
    const json = await fetch(shop, { headers: { accept: '*/*' } })
    const sent = await fetch(shop, { method: 'POST', headers: { accept: 'text/html' } })
    expect([page, json, sent].map(({ status }) => status)).toEqual([402, 402, 402])
    const types = [page, json, sent].map(({ headers }) => headers.get('content-type'))
    const isJson = 'application/json; charset=utf-8'
    expect(types).toEqual(['text/html; charset=utf-8', isJson, isJson])
    expect(page.headers.get('PAYMENT-REQUIRED')).toBe(json.headers.get('PAYMENT-REQUIRED'))
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/,
    )
    expect(policy).not.toContain('unsafe')
  })

  test('offers what a wallet can sign, and says so where that is nothing', () => {
    const html = (change: object) => {
      const accepts = [{ ...price(84_532), ...change }]
      return stockPaywall.generateHtml({ accepts, resource: { url: SHOP_URL } })
    }
    const none = 'No wallet in a browser can pay this'
    expect(html({})).not.toContain(none)
    expect(html({ scheme: 'upto' })).toContain(none)
    expect(html({ network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' })).toContain(none)
    expect(
      html({ extra: { name: 'USDC', version: '2', assetTransferMethod: 'permit2' } }),
    ).toContain(none)
  })
})
