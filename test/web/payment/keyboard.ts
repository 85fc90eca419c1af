import { expect, test } from 'bun:test'
import { PATIENCE_MS } from '../../support/web/browser.ts'
import { reach } from '../../support/web/keyboard.ts'
import { ledgerOf, newSession, pageOf, reads, withPage } from '../../support/web/payment/stage.ts'
import { bringWallet, payByTransfer } from '../../support/web/payment/testWallet.ts'
import { callsOf } from '../../support/web/wallet.ts'

/** A payer without a mouse. */

test.concurrent(
  'the keyboard alone chooses, presses the button of the wallet, and pays',
  () =>
    withPage(async (page, stage) => {
      const session = await newSession({ chains: ['base-sepolia'] })
      await bringWallet(page, stage)
      await page.goto(await pageOf(session))
      const { keyboard } = page
      await reads(page, 'Choose how to pay')
      await reach(page, /Continue with USDC on Base Sepolia$/)
      await keyboard.press('Enter')
      await page.getByRole('heading', { name: 'USDC on Base Sepolia' }).waitFor()
      // The focus went on to the new state.
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('state')
      await reach(page, /^Pay with Test Wallet$/)
      // The focus stays on the button while the wallet asks.
      await payByTransfer(page, () => keyboard.press('Enter'))
      await reads(page, 'Payment complete')
      await reach(page, /^Print receipt$/)
      const sent = (await callsOf(page)).filter(({ method }) => method === 'eth_sendTransaction')
      expect(sent).toHaveLength(1)
      expect(await ledgerOf(session)).toMatchObject({
        status: 'completed',
        receivedAmount: '25',
        overpaidAmount: '0',
        amountRemitted: '24.875',
      })
    }),
  PATIENCE_MS,
)
