import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { createInvoice, type DevStack, eventually, getInvoice } from '../servers/devStack.ts'
import { openBrowser } from '../web/browser.ts'
import { rememberHeadings, shownHeadings } from '../web/headings.ts'
import { installSigningWallet, type SigningWallet } from '../web/signingWallet.ts'
import { expectSound, hearComplaints, hearViolations } from '../web/sound.ts'
import { openPayer, type Payer } from '../x402/payer.ts'
import { running } from './stack.ts'

/** Payers with USDC and without the chain's coin, who pay on the page by one signature. */

const UNITS = 2_500_000n
const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }
const LATE_MS = 299_000

let stack: DevStack
let faucet: Payer
let browser: Browser

export function invoicesBySignature(): void {
  describe.concurrent('an invoice on its page', () => {
    beforeAll(async () => {
      stack = running()
      faucet = await openPayer(stack.description, 'base-sepolia')
      browser = await openBrowser()
    }, 60_000)
    afterAll(() => browser.close())

    test(
      'is paid by one signature of an account without the coin, and followed in two tabs',
      () =>
        paying({}, async ({ page, context, invoice, payer, asked }) => {
          await rememberHeadings(page)
          await page.goto(invoice.checkoutUrl)
          const second = await context.newPage()
          await second.goto(invoice.checkoutUrl)
          await page.getByText('No ETH needed for gas.').waitFor()
          await payButton(page).click()
          await heading(second, 'Payment (signed|sent|detected|confirmed|complete)')
          expect(await payButton(second).count()).toBe(0)
          for (const tab of [page, second]) await heading(tab, 'Payment complete')
          const shown = await shownHeadings(page)
          expect(shown[0]).toBe('Waiting for your payment')
          expect(shown.slice(-2)).toEqual(['Payment confirmed', 'Payment complete'])
          expect(shown.some((title) => /^Payment (signed|sent)$/.test(title))).toBe(true)
          expect(asked.filter((method) => method.startsWith('eth_sign'))).toHaveLength(1)
          await isPaidOnce(invoice, payer)
        }),
      120_000,
    )

    test('waits where the payer declines, or signs too late, and is paid on a phone at last', () => {
      const refuses: Record<string, number> = { eth_signTypedData_v4: 4001 }
      let waits = 0
      const signs = (account: PrivateKeyAccount): PrivateKeyAccount => ({
        ...account,
        async signTypedData(data) {
          await Bun.sleep(waits)
          return account.signTypedData(data)
        },
      })
      return paying(
        { refuses, by: 'EIP-1193' },
        async ({ page, invoice, payer }) => {
          const complaints = hearComplaints(page)
          await page.goto(invoice.checkoutUrl)
          await payButton(page).click()
          await page.getByText('You declined the payment in your wallet.').first().waitFor()
          await expectSound(page, complaints)

          delete refuses.eth_signTypedData_v4
          // As if the wallet was asked almost five minutes ago.
          await page.evaluate((late) => {
            const real = performance.now.bind(performance)
            performance.now = () => real() - late
          }, LATE_MS)
          waits = 2_500
          await payButton(page).click()
          await page.getByText('The signature expired before it could be used.').first().waitFor()
          expect(await faucet.balance(payer.address)).toBe(2n * UNITS)

          waits = 0
          await page.reload()
          await payButton(page).click()
          // A reload in the middle shows what was signed.
          await page.locator('h2', { hasText: /^Payment/ }).waitFor()
          await page.reload()
          await heading(page, 'Payment complete')
          await expectSound(page, complaints)
          await isPaidOnce(invoice, payer)
        },
        signs,
      )
    }, 120_000)

    test('is paid once where a payer signs in two tabs', () => {
      const waiting: (() => void)[] = []
      const signs = (account: PrivateKeyAccount): PrivateKeyAccount => ({
        ...account,
        async signTypedData(data) {
          await new Promise<void>((resolve) => waiting.push(resolve))
          return account.signTypedData(data)
        },
      })
      return paying(
        {},
        async ({ page, context, invoice, payer }) => {
          const second = await context.newPage()
          await installSigningWallet(second, walletOf(signs(payer)))
          for (const tab of [page, second]) {
            await tab.goto(invoice.checkoutUrl)
            await payButton(tab).click()
          }
          await eventually(
            async () => waiting.length,
            (open) => open === 2,
          )
          for (const sign of waiting) sign()
          for (const tab of [page, second]) await heading(tab, 'Payment complete')
          await isPaidOnce(invoice, payer)
        },
        signs,
      )
    }, 120_000)
  })
}

interface Paying {
  readonly page: Page
  readonly context: BrowserContext
  readonly invoice: InvoiceJson & { readonly checkoutUrl: string }
  readonly payer: PrivateKeyAccount
  /** What the wallet of the page was asked. */
  readonly asked: readonly string[]
}

/** A payer with twice what is due, at a phone. No page's policy may be violated. */
async function paying(
  plan: Partial<SigningWallet>,
  work: (paying: Paying) => Promise<void>,
  signs = (account: PrivateKeyAccount) => account,
): Promise<void> {
  const payer = privateKeyToAccount(generatePrivateKey())
  await faucet.mined(await faucet.send(payer.address, '5'))
  const body = { tokenSymbol: 'USDC', amountExpected: '2.5', chains: ['base-sepolia'] }
  const invoice = { checkoutUrl: '', ...(await createInvoice(stack, body)) }
  const context = await browser.newContext({ locale: 'en-GB', ...PHONE })
  const violations = hearViolations(context)
  const page = await context.newPage()
  const asked = await installSigningWallet(page, { ...walletOf(signs(payer)), ...plan })
  try {
    await work({ page, context, invoice, payer, asked })
    expect(violations).toEqual([])
  } finally {
    await context.close()
  }
}

function walletOf(account: PrivateKeyAccount): SigningWallet {
  return { account, chainId: 84_532, knows: [84_532], rpc: faucet.rpc }
}

const payButton = (page: Page) => page.getByRole('button', { name: /^Pay with/ })

const heading = (page: Page, title: string) =>
  page
    .getByRole('heading', { level: 2, name: new RegExp(`^${title}$`) })
    .waitFor({ timeout: 60_000 })

/** It was sent to the deposit once, and the payer had nothing to pay gas with. */
async function isPaidOnce({ id }: InvoiceJson, payer: PrivateKeyAccount): Promise<void> {
  const { transactions, ...paid } = await getInvoice(stack, id)
  expect(paid).toMatchObject({ status: 'completed', receivedAmount: '2.5', overpaidAmount: '0' })
  expect(transactions).toMatchObject([{ method: 'signature', from: payer.address }])
  expect(await faucet.balance(payer.address)).toBe(UNITS)
  expect(await faucet.client.getBalance({ address: payer.address })).toBe(0n)
}
