import { expect, test } from 'bun:test'
import { openShop } from '../../../examples/shop/shop.ts'
import { PATIENCE_MS } from '../../support/web/browser.ts'
import { shownHeadings } from '../../support/web/headings.ts'
import {
  choose,
  ledgerOf,
  newSession,
  pageOf,
  reads,
  withPage,
  withVisitor,
} from '../../support/web/payment/stage.ts'
import { bringWallet, payByTransfer } from '../../support/web/payment/testWallet.ts'
import { callsOf } from '../../support/web/wallet.ts'

/** A payer with a wallet, on the running stack: what the page shows, and what the ledger holds. */

test.concurrent(
  'a payer on the wrong network chooses, switches, pays and sees it through, without a reload',
  () =>
    withPage(async (page, stage) => {
      const session = await newSession()
      await bringWallet(page, stage)
      await page.goto(await pageOf(session))
      await choose(page)
      await page.getByRole('heading', { name: 'USDC on Base Sepolia' }).waitFor()
      await payByTransfer(page)
      await reads(page, 'Payment complete')
      const calls = (await callsOf(page)).map(({ method }) => method)
      expect(calls).toContain('wallet_switchEthereumChain')
      expect(await shownHeadings(page)).toEqual([
        'Choose how to pay',
        'Waiting for your payment',
        'Payment detected',
        'Payment confirmed',
        'Payment complete',
      ])
      await page.getByRole('heading', { name: 'Receipt' }).waitFor()
      expect(await ledgerOf(session)).toMatchObject({
        status: 'completed',
        receivedAmount: '25',
        overpaidAmount: '0',
        platformFee: '0.125',
        amountRemitted: '24.875',
      })
    }),
  PATIENCE_MS,
)

test.concurrent(
  'who has sent too little pays the rest from the same page',
  () =>
    withPage(async (page, stage) => {
      const session = await newSession()
      await bringWallet(page, stage)
      await page.goto(await pageOf(session))
      await stage.payer.send(await choose(page), '20')
      await reads(page, '5.00 USDC still due')
      await page.getByText('20.00 USDC of 25.00 USDC received.').waitFor()
      await payByTransfer(page)
      await reads(page, 'Payment complete')
      const invoice = await ledgerOf(session)
      expect(invoice).toMatchObject({ status: 'completed', receivedAmount: '25' })
      expect(invoice.transactions.map(({ amount }) => amount).sort()).toEqual(['20', '5'])
    }),
  PATIENCE_MS,
)

test.concurrent(
  'a payer at a shop on another origin pays inside its page, and the shop learns of it',
  () =>
    withVisitor(async (context, stage) => {
      const shop = await openShop({ ...stage.stack.description, port: 0 })
      const page = await context.newPage()
      await bringWallet(page, stage)
      await page.goto(shop.origin)
      await page.getByRole('button', { name: 'Buy' }).click()
      const frame = await (
        await page.locator('remit-checkout iframe').elementHandle()
      )?.contentFrame()
      if (!frame) throw new Error('the widget has no frame')
      await frame
        .getByRole('radio', { name: /^Base Sepolia/ })
        .first()
        .check()
      await frame.getByRole('button', { name: 'Continue' }).click()
      await payByTransfer(frame)
      await page.getByText('Your payment was detected.').waitFor()
      await page.getByText('Paid. The tea is on its way.').waitFor()
      const [, session = ''] = new URL(frame.url()).pathname.split('/checkout/')
      await frame.getByRole('heading', { name: 'Payment complete' }).waitFor()
      expect(await ledgerOf(session)).toMatchObject({ status: 'completed', receivedAmount: '12.5' })
      await shop.stop()
    }),
  PATIENCE_MS,
)
