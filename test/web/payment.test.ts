import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { decodeFunctionData, erc20Abi, formatUnits } from 'viem'
import type { CheckoutView } from '../../core/checkout/view.ts'
import type { InvoiceJson } from '../../core/invoice/present.ts'
import { callApi, createHome, type DevStack, startDevStack } from '../support/servers/devStack.ts'
import { openPayer, type Payer } from '../support/x402/payer.ts'
import { openBrowser } from './browser.ts'
import { rememberHeadings, shownHeadings } from './headings.ts'
import { callsOf, installWallet, type SendFromWallet } from './wallet.ts'

/** A payer in a browser, on the running stack: what the page shows, and what the ledger holds. */

const { home, remove } = createHome()
let stack: DevStack
let payer: Payer
let browser: Browser

beforeAll(async () => {
  stack = await startDevStack(home)
  payer = await openPayer(stack.description, 'base-sepolia')
  browser = await openBrowser()
}, 180_000)

afterAll(async () => {
  await browser.close()
  await stack.stop()
  remove()
}, 120_000)

test('a payer on the wrong network chooses, switches, pays and sees it through, without a reload', async () => {
  await onPage(async (page, session) => {
    await page
      .getByRole('radio', { name: /^Base Sepolia/ })
      .first()
      .check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'USDC on Base Sepolia' }).waitFor()
    await page.getByRole('button', { name: 'Pay with Test Wallet' }).click()
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor()
    const calls = (await callsOf(page)).map(({ method }) => method)
    expect(calls).toContain('wallet_switchEthereumChain')
    expect(await shownHeadings(page)).toEqual([
      'Choose how to pay',
      'Waiting for your payment',
      'Payment seen',
      'Paid',
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
  })
}, 120_000)

test('who has sent too little pays the rest from the same page', async () => {
  await onPage(async (page, session) => {
    await page
      .getByRole('radio', { name: /^Base Sepolia/ })
      .first()
      .check()
    await page.getByRole('button', { name: 'Continue' }).click()
    const address = await page.locator('.grouped').first().textContent()
    await payer.send(address ?? '', '20')
    await page.getByRole('heading', { name: '5.00 USDC still due' }).waitFor()
    await page.getByText('20.00 USDC of 25.00 USDC has arrived.').waitFor()
    await page.getByRole('button', { name: 'Pay with Test Wallet' }).click()
    await page.getByRole('heading', { name: 'Payment complete' }).waitFor()
    const invoice = await ledgerOf(session)
    expect(invoice).toMatchObject({ status: 'completed', receivedAmount: '25' })
    expect(invoice?.transactions.map(({ amount }) => amount).sort()).toEqual(['20', '5'])
  })
}, 120_000)

test('a pasted hash of another payment is looked up, and said to be none of this', async () => {
  await onPage(async (page) => {
    await page
      .getByRole('radio', { name: /^Base Sepolia/ })
      .first()
      .check()
    await page.getByRole('button', { name: 'Continue' }).click()
    const hash = await payer.send(`0x${'42'.repeat(20)}`, '25')
    await payer.mined(hash)
    await page.getByText('Already sent?').click()
    await page.getByLabel('Transaction hash').fill(hash)
    await page.getByRole('button', { name: 'Look it up' }).click()
    await page.getByText('but it sent nothing to the address shown here').waitFor()
  })
}, 120_000)

/** Opens the page of a new session of 25 USDC, in a browser whose wallet is on another network. */
async function onPage(work: (page: Page, session: string) => Promise<void>): Promise<void> {
  const price = await callApi<{ id: string }>(stack, '/v1/prices', {
    amount: '25',
    tokens: ['USDC'],
  })
  const { id } = await callApi<{ id: string }>(stack, '/v1/checkout/sessions', { price: price.id })
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  try {
    await installWallet(page, { chainId: 11_155_111, knows: [11_155_111, 84_532] }, sendFromWallet)
    await rememberHeadings(page)
    await page.goto(`${stack.description.apiUrl}/checkout/${id}`)
    await work(page, id)
  } finally {
    await context.close()
  }
}

const sendFromWallet: SendFromWallet = async (chainId, { to, data }) => {
  const chain = stack.description.chains.find((one) => one.chainId === chainId)
  const token = chain?.tokens.USDC
  if (chainId !== 84_532 || to.toLowerCase() !== token?.address.toLowerCase()) {
    throw new Error(`the wallet was to call ${to} on ${chainId}`)
  }
  const call = decodeFunctionData({ abi: erc20Abi, data: `0x${data.slice(2)}` })
  if (call.functionName !== 'transfer') throw new Error(`the wallet was to ${call.functionName}`)
  const [receiver, amount] = call.args
  return payer.send(receiver, formatUnits(amount, token.decimals))
}

/** The invoice behind a session, as its merchant sees it. */
async function ledgerOf(session: string): Promise<InvoiceJson | undefined> {
  const view = await callApi<CheckoutView>(stack, `/v1/checkout/sessions/${session}`)
  const reference = view.payment?.reference ?? ''
  const [invoice] = await callApi<InvoiceJson[]>(stack, `/v1/invoices?reference=${reference}`)
  return invoice
}
