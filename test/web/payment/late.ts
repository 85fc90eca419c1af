import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { erc20Abi, getAddress, parseEventLogs } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { callApi, createInvoice, eventually, getInvoice } from '../../support/servers/devStack.ts'
import { PATIENCE_MS } from '../../support/web/browser.ts'
import { rememberHeadings, shownHeadings } from '../../support/web/headings.ts'
import { paste, reads, type Stage, withVisitor } from '../../support/web/payment/stage.ts'
import { hex } from '../../support/x402/payer.ts'

/** Who pays too late: what the page says before, then, and once the merchant has decided. */

test.concurrent(
  'a payment after the expiry is told by its hash, held, and counts once the merchant accepts it',
  () =>
    withVisitor(async (context, stage) => {
      const page = await context.newPage()
      const invoice = await openBeforeItExpires(page, stage)
      const late = await payLate(page, stage, invoice)
      await callApi(stage.stack, `/v1/invoices/${invoice.id}/transactions/${late}/accept`, {})
      await reads(page, 'Payment complete')
      expect(await page.getByText('Late payment received').count()).toBe(0)
      // The page is the one that was opened before the end.
      expect((await shownHeadings(page)).slice(0, 2)).toEqual([
        'Waiting for your payment',
        'This payment has expired',
      ])
      expect(await getInvoice(stage.stack, invoice.id)).toMatchObject({
        status: 'completed',
        receivedAmount: '9',
        lateAmount: '0',
        amountRemitted: '8.955',
      })
    }),
  PATIENCE_MS,
)

test.concurrent(
  'a payment after the merchant has ended it is said to be on its way back, and then returned',
  () =>
    withVisitor(async (context, stage) => {
      const page = await context.newPage()
      const invoice = await openInvoice(page, stage, 600)
      await reads(page, 'Waiting for your payment')
      await callApi(stage.stack, `/v1/invoices/${invoice.id}/expire`, {})
      const late = await payLate(page, stage, invoice)
      const { address: sender } = privateKeyToAccount(stage.stack.description.faucetPrivateKey)
      await callApi(stage.stack, `/v1/invoices/${invoice.id}/refunds`, {
        amount: '9',
        address: sender,
        transactionId: late,
        idempotencyKey: 'late',
      })
      await page.getByText('Refund of 9.00 USDC in progress.').waitFor()
      await page.getByText('9.00 USDC refunded.').waitFor()
      expect(await page.getByText('can accept or refund it').count()).toBe(0)
      await reads(page, 'This payment has expired')
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
        from: getAddress(depositOf(invoice)),
        to: sender,
        value: 9_000_000n,
      })
    }),
  PATIENCE_MS,
)

/** The page of an invoice as it is before the end, with what a payer can read beforehand. */
async function openBeforeItExpires(page: Page, stage: Stage): Promise<InvoiceJson> {
  await rememberHeadings(page)
  // A busy machine may need longer to show the page than the invoice can be paid.
  for (let seconds = 10; ; seconds *= 2) {
    const invoice = await openInvoice(page, stage, seconds)
    const text = await page.locator('main').textContent()
    if (text?.includes('This payment has expired')) continue
    expect(text).toContain('Waiting for your payment')
    expect(text).toContain('A late payment isn’t lost.')
    return invoice
  }
}

/** Opens the page of a new invoice of 9 USDC. */
async function openInvoice(page: Page, stage: Stage, seconds: number): Promise<InvoiceJson> {
  const invoice = await createInvoice(stage.stack, {
    tokenSymbol: 'USDC',
    amountExpected: 9,
    chains: ['base-sepolia'],
    expiresAt: new Date(Date.now() + seconds * 1_000).toISOString(),
  })
  const { checkoutUrl } = { checkoutUrl: '', ...invoice }
  await page.goto(checkoutUrl)
  return invoice
}

/** Waits for the end on the page, pays then, and pastes the hash. Resolves to the payment's id. */
async function payLate(page: Page, stage: Stage, invoice: InvoiceJson): Promise<string> {
  await reads(page, 'This payment has expired')
  await page.getByText('Don’t send funds to this address.').waitFor()
  expect(await page.locator('.pay').count()).toBe(0)
  const hash = await stage.payer.send(depositOf(invoice), '9')
  await stage.payer.mined(hash)
  await paste(page, hash)
  await page.getByRole('heading', { name: 'Late payment received' }).waitFor()
  await page.getByText('9.00 USDC arrived after the payment expired.').waitFor()
  await page
    .getByText('Payment found on Base Sepolia, but it arrived after the payment expired.')
    .waitFor()
  expect(await page.getByText('It counts once').count()).toBe(0)
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
  return held.transactions[0]?.id ?? ''
}

function depositOf(invoice: InvoiceJson): string {
  return invoice.addresses[0]?.address ?? ''
}
