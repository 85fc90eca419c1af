import { describe, expect, test } from 'bun:test'
import { stockPaywall } from '@remit/sdk/x402'
import type { BrowserContextOptions } from 'playwright-core'
import { expectSound, hearComplaints } from '../../support/web/sound.ts'
import { payButton, price, reads, SHOP_URL, usePaywall } from '../../support/web/usePaywall.ts'

/** What a browser shows where the paywall asks for money, and what programs get. */

const paywall = usePaywall()
const { api, visit } = paywall

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
    await visit({ wallet: null }, (page) => reads(page, 'No wallet was found in this browser.'))
    await visit({ wallet: null, browser: { javaScriptEnabled: false } }, async (page) => {
      await page.getByRole('heading', { level: 1, name: '0.01 USDC' }).waitFor()
      await reads(page, 'Enable JavaScript')
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
    const page = await fetch(paywall.shop, { headers: { accept: 'text/html,*/*' } })
    const json = await fetch(paywall.shop, { headers: { accept: '*/*' } })
    const sent = await fetch(paywall.shop, { method: 'POST', headers: { accept: 'text/html' } })
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
    const none = "wallets can't pay this price"
    expect(html({})).not.toContain(none)
    expect(html({ scheme: 'upto' })).toContain(none)
    expect(html({ network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' })).toContain(none)
    expect(
      html({ extra: { name: 'USDC', version: '2', assetTransferMethod: 'permit2' } }),
    ).toContain(none)
  })
})
