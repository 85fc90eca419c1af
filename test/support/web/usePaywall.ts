import { afterAll, beforeAll, expect } from 'bun:test'
import { type PaymentRequirements, Remit } from '@remit/sdk'
import { expressPaywall } from '@remit/sdk/x402'
import express from 'express'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openBrowser } from './browser.ts'
import { installSigningWallet, type SigningWallet } from './signingWallet.ts'

export const SHOP_URL = 'https://shop.example/report'
/** As a cookie's path it would say for which other hosts the payment is. */
export const HOSTILE_PATH = '/reports/today;Domain=shop.example'
export const ASSET = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
export const account = privateKeyToAccount(generatePrivateKey())

export function price(
  chainId: number,
  amount = '10000',
  description = 'The report',
): PaymentRequirements {
  const extra = { name: 'USDC', version: '2', merchantId: 'm', endpointId: `${chainId}` }
  const terms = { scheme: 'exact', network: `eip155:${chainId}`, amount, asset: ASSET } as const
  const payTo = '0x000000000000000000000000000000000000dEaD'
  return { ...terms, payTo, maxTimeoutSeconds: 300, extra, description }
}

export const SETTLED = {
  success: true,
  transaction: '0x7f',
  network: 'eip155:84532',
  settledAt: null,
}

/** What a node says: six decimals, and this balance. */
export function chainWith(balance: bigint, decimals = 6n): SigningWallet['rpc'] {
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

export const payButton = (page: Page) => page.getByRole('button', { name: 'Pay with Test Wallet' })
export const reads = (page: Page, text: string | RegExp) => page.getByText(text).waitFor()

/** A server that asks payers for money, beside an API that answers what a test wants, and a browser. */
export function usePaywall() {
  /** What the API says of prices and settling, as the next test wants it. */
  const api: {
    prices: PaymentRequirements[]
    settled: object
    isAway: boolean
    payments: string[]
  } = {
    prices: [],
    settled: {},
    isAway: false,
    payments: [],
  }
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
      // The page makes requests to its own server only.
      page.on('request', (request) => expect(request.url().startsWith(address)).toBe(true))
      await page.goto(address)
      await look(page, asked)
    } finally {
      await context.close()
    }
  }

  return {
    api,
    visit,
    /** The address of the page. */
    get shop() {
      return shop
    },
  }
}
