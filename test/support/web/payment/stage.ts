import { expect } from 'bun:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { CheckoutView } from '../../../../core/checkout/view.ts'
import type { InvoiceJson } from '../../../../core/invoice/present.ts'
import { callApi, createHome, type DevStack, startDevStack } from '../../servers/devStack.ts'
import { keep } from '../../servers/run.ts'
import { openPayer, type Payer } from '../../x402/payer.ts'
import { openBrowser, STEP_MS } from '../browser.ts'
import { rememberHeadings } from '../headings.ts'
import { hearViolations } from '../sound.ts'

/**
 * Where payers are watched: the running stack, a browser, and a payer with money on each of the two local
 * chains. All files of this folder share it, and it ends with the run.
 */
export interface Stage {
  readonly stack: DevStack
  readonly browser: Browser
  /** On Base Sepolia, which most tests pay on. */
  readonly payer: Payer
  /** On Sepolia. */
  readonly elsewhere: Payer
}

let stage: Promise<Stage> | undefined

export const OPENS_WITHIN_MS = 180_000

export function openStage(): Promise<Stage> {
  stage ??= build()
  return stage
}

async function build(): Promise<Stage> {
  const { home, remove } = createHome()
  keep(async () => remove())
  const stack = await startDevStack(home)
  keep(() => stack.stop())
  const browser = await openBrowser()
  keep(() => browser.close())
  const [payer, elsewhere] = await Promise.all([
    openPayer(stack.description, 'base-sepolia'),
    openPayer(stack.description, 'sepolia'),
  ])
  return { stack, browser, payer, elsewhere }
}

/** A browser of a payer's own. Whatever happens in it, no page's policy may be violated. */
export async function withVisitor(
  work: (context: BrowserContext, stage: Stage) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const opened = await openStage()
  const context = await opened.browser.newContext({ locale: 'en-GB', ...options })
  context.setDefaultTimeout(STEP_MS)
  const violations = hearViolations(context)
  try {
    await work(context, opened)
    expect(violations).toEqual([])
  } finally {
    await context.close()
  }
}

/** One page of such a browser, which keeps every state that it shows and is never loaded again. */
export async function withPage(work: (page: Page, stage: Stage) => Promise<void>): Promise<void> {
  await withVisitor(async (context, opened) => {
    const page = await context.newPage()
    let loads = 0
    page.on('load', () => (loads += 1))
    await rememberHeadings(page)
    await work(page, opened)
    expect(loads).toBe(1)
  })
}

/** Makes a session of a price of its own: 25 USDC, on every chain unless `price` says otherwise. */
export async function newSession(price: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { stack } = await openStage()
  const body = { amount: '25', tokens: ['USDC'], ...price }
  const { id } = await callApi<{ id: string }>(stack, '/v1/prices', body)
  const made = await callApi<{ id: string }>(stack, '/v1/checkout/sessions', { price: id })
  return made.id
}

/** The address of a session's page. */
export async function pageOf(session: string): Promise<string> {
  const { stack } = await openStage()
  return `${stack.description.apiUrl}/checkout/${session}`
}

/** Chooses the network, and waits until the page says where to send. Resolves to the address. */
export async function choose(page: Page, network = /^Base Sepolia/): Promise<string> {
  await page.getByRole('radio', { name: network }).first().check()
  await page.getByRole('button', { name: 'Continue' }).click()
  return shownAddress(page)
}

/** The address to which the page says to send. */
export async function shownAddress(page: Page): Promise<string> {
  return (await page.locator('.pay .grouped').first().textContent()) ?? ''
}

/** Pastes a hash as somebody does who has sent already. */
export async function paste(page: Page, hash: string): Promise<void> {
  const field = page.getByLabel('Transaction hash')
  if (!(await field.isVisible())) await page.getByText('Paid but not showing?').click()
  await field.fill(hash)
  await page.getByRole('button', { name: 'Find payment' }).click()
}

/** Waits for a state by its heading. */
export function reads(page: Page, heading: string): Promise<void> {
  return page.getByRole('heading', { level: 2, name: heading, exact: true }).waitFor()
}

/** The invoice behind a session, as its merchant sees it; the newest when the payer chose again. */
export async function ledgerOf(session: string): Promise<InvoiceJson> {
  const { stack } = await openStage()
  const view = await callApi<CheckoutView>(stack, `/v1/checkout/sessions/${session}`)
  const reference = view.payment?.reference ?? ''
  const [invoice] = await callApi<InvoiceJson[]>(stack, `/v1/invoices?reference=${reference}`)
  if (invoice === undefined) throw new Error(`${session} has no invoice`)
  return callApi<InvoiceJson>(stack, `/v1/invoices/${invoice.id}`)
}
