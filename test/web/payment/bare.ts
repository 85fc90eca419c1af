import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { PATIENCE_MS } from '../../support/web/browser.ts'
import {
  ledgerOf,
  newSession,
  pageOf,
  paste,
  shownAddress,
  withVisitor,
} from '../../support/web/payment/stage.ts'

/** A payer whose browser runs no JavaScript: every step by forms and links. */

test.concurrent(
  'without JavaScript a payer chooses, pays, pastes the hash and refreshes until it is complete',
  () =>
    withVisitor(
      async (context, stage) => {
        const page = await context.newPage()
        const session = await newSession()
        await page.goto(await pageOf(session))
        await page
          .getByRole('radio', { name: /^Base Sepolia/ })
          .first()
          .check()
        await page.getByRole('button', { name: 'Continue' }).click()
        expect(await state(page)).toBe('Waiting for your payment')
        expect(new URL(page.url()).searchParams.get('network')).toBe('base-sepolia')
        expect(await page.locator('.copy-row dd').first().textContent()).toBe('25.00 USDC')
        const qr = await page.getByRole('img', { name: 'QR code of the address' }).boundingBox()
        expect(qr?.width).toBeGreaterThanOrEqual(200)

        const hash = await stage.payer.send(await shownAddress(page), '25')
        await stage.payer.mined(hash)
        await paste(page, hash)
        // Nobody is told of a hash once the payment counts.
        const found = await page.getByText('Payment found on Base Sepolia.').isVisible()
        const counts = ['Payment confirmed', 'Payment complete'].includes(await state(page))
        expect(found || counts).toBe(true)
        while ((await state(page)) !== 'Payment complete') {
          await page.getByRole('link', { name: 'Refresh page' }).click()
          await page.waitForTimeout(500)
        }
        await page.getByRole('heading', { name: 'Receipt' }).waitFor()
        expect(new URL(page.url()).searchParams.get('network')).toBe('base-sepolia')
        expect(await ledgerOf(session)).toMatchObject({
          status: 'completed',
          receivedAmount: '25',
          transactions: [{ txHash: hash }],
        })
      },
      { javaScriptEnabled: false },
    ),
  PATIENCE_MS,
)

async function state(page: Page): Promise<string> {
  return (await page.getByRole('heading', { level: 2 }).textContent()) ?? ''
}
