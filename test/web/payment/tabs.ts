import { expect, test } from 'bun:test'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { callApi } from '../../support/servers/devStack.ts'
import { PATIENCE_MS } from '../../support/web/browser.ts'
import {
  choose,
  ledgerOf,
  newSession,
  pageOf,
  reads,
  shownAddress,
  withVisitor,
} from '../../support/web/payment/stage.ts'

/** A payer who has the same page open twice. */

test.concurrent(
  'what is chosen in one tab shows in the other, never an address that is over, and both see the end',
  () =>
    withVisitor(async (context, stage) => {
      const session = await newSession({ tokens: ['USDC', 'USDT'], chains: ['base-sepolia'] })
      const [one, other] = [await context.newPage(), await context.newPage()]
      for (const tab of [one, other]) await tab.goto(await pageOf(session))
      const first = await choose(one)
      await other.getByRole('heading', { name: 'USDC on Base Sepolia' }).waitFor()
      expect(await shownAddress(other)).toBe(first)
      const { reference } = await ledgerOf(session)

      await other.getByRole('link', { name: 'Change token or network' }).click()
      await other.locator('input[value="USDT base-sepolia"]').check()
      await other.getByRole('button', { name: 'Continue' }).click()
      for (const tab of [one, other]) {
        await tab.getByRole('heading', { name: 'USDT on Base Sepolia' }).waitFor()
      }
      const second = await shownAddress(one)
      expect(second).not.toBe(first)
      expect(await shownAddress(other)).toBe(second)

      await stage.payer.send(second, '25', 'USDT')
      for (const tab of [one, other]) await reads(tab, 'Payment complete')
      expect(await ledgerOf(session)).toMatchObject({
        status: 'completed',
        tokenSymbol: 'USDT',
        receivedAmount: '25',
      })
      const ended = await callApi<InvoiceJson[]>(stage.stack, `/v1/invoices?reference=${reference}`)
      expect(ended).toMatchObject([{ status: 'pending', expired: true, receivedAmount: '0' }])
    }),
  PATIENCE_MS,
)
