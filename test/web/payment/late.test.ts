import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { erc20Abi, getAddress, parseEventLogs } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { callApi, createInvoice, eventually, getInvoice } from '../../support/servers/devStack.ts'
import { hex } from '../../support/x402/payer.ts'
import { shownHeadings } from '../headings.ts'
import {
  OPENS_WITHIN_MS,
  openStage,
  paste,
  reads,
  type Stage,
  shownAddress,
  withPage,
} from './stage.ts'

/** Who pays a moment too late: what the page says before, then, and once the merchant has decided. */

/** Long enough to open the page before the end. */
const EXPIRES_AFTER_MS = 5_000

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, OPENS_WITHIN_MS)

test.concurrent(
  'a late payment is told by its hash, held, and completes the payment once the merchant takes it',
  () =>
    withPage(async (page) => {
      const { invoice } = await payLate(page)
      const [late] = (await getInvoice(stage.stack, invoice.id)).transactions
      await callApi(stage.stack, `/v1/invoices/${invoice.id}/transactions/${late?.id}/accept`, {})
      await reads(page, 'Payment complete')
      expect(await page.getByText('A payment arrived late').count()).toBe(0)
      const states = await shownHeadings(page)
      expect(states.slice(0, 2)).toEqual(['Waiting for your payment', 'The time to pay has ended'])
      expect(states.slice(2)).toEqual(['Paid', 'Payment complete'])
      expect(await getInvoice(stage.stack, invoice.id)).toMatchObject({
        status: 'completed',
        receivedAmount: '9',
        lateAmount: '0',
        amountRemitted: '8.955',
      })
    }),
  120_000,
)

test.concurrent(
  'a late payment that the merchant gives back is said to be on its way, and then returned',
  () =>
    withPage(async (page) => {
      const { invoice, deposit } = await payLate(page)
      const [late] = (await getInvoice(stage.stack, invoice.id)).transactions
      const { address: sender } = privateKeyToAccount(stage.stack.description.faucetPrivateKey)
      await callApi(stage.stack, `/v1/invoices/${invoice.id}/refunds`, {
        amount: '9',
        address: sender,
        transactionId: late?.id,
        idempotencyKey: 'late',
      })
      await page.getByText('9.00 USDC is on its way back.').waitFor()
      await page.getByText('9.00 USDC was returned.').waitFor()
      expect(await page.getByText('can accept it or return it').isVisible()).toBe(false)
      await reads(page, 'The time to pay has ended')
      const ledger = await getInvoice(stage.stack, invoice.id)
      expect(ledger).toMatchObject({
        status: 'pending',
        receivedAmount: '0',
        lateAmount: '9',
        refundedAmount: '9',
        refunds: [{ status: 'confirmed', amount: '9' }],
      })
      const { logs } = await stage.payer.mined(hex(ledger.refunds[0]?.txHash ?? ''))
      const sent = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
      expect(sent.map(({ args }) => args)).toContainEqual({
        from: getAddress(deposit),
        to: sender,
        value: 9_000_000n,
      })
    }),
  120_000,
)

/** Opens the page of an invoice that ends soon, waits for its end, pays 9 USDC then and pastes the hash. */
async function payLate(page: Page): Promise<{ invoice: InvoiceJson; deposit: string }> {
  const invoice = await createInvoice(stage.stack, {
    tokenSymbol: 'USDC',
    amountExpected: 9,
    chains: ['base-sepolia'],
    expiresAt: new Date(Date.now() + EXPIRES_AFTER_MS).toISOString(),
  })
  const { checkoutUrl } = { checkoutUrl: '', ...invoice }
  await page.goto(checkoutUrl)
  await reads(page, 'Waiting for your payment')
  const deposit = await shownAddress(page)
  // What a payer can read beforehand.
  await page.getByText('What if it is late, or too little?').click()
  await page.getByText('A payment that arrives after the time to pay is not lost.').waitFor()
  await reads(page, 'The time to pay has ended')
  await page.getByText('Please don’t send anything to this address any more.').waitFor()
  expect(await page.locator('.pay').count()).toBe(0)

  const hash = await stage.payer.send(deposit, '9')
  await stage.payer.mined(hash)
  await paste(page, hash)
  await page.getByRole('heading', { name: 'A payment arrived late' }).waitFor()
  await page.getByText('9.00 USDC arrived after the time to pay.').waitFor()
  await page.getByText('Found on Base Sepolia, after the time to pay.').waitFor()
  expect(await page.getByText('It pays this').count()).toBe(0)
  const held = await eventually(
    () => getInvoice(stage.stack, invoice.id),
    ({ transactions }) => transactions[0]?.status === 'confirmed',
  )
  expect(held).toMatchObject({
    status: 'pending',
    expired: true,
    receivedAmount: '0',
    lateAmount: '9',
    transactions: [{ txHash: hash, type: 'late_payment', amount: '9' }],
  })
  return { invoice, deposit }
}
