import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { eventually } from '../../support/servers/devStack.ts'
import { openBrowser } from '../../support/web/browser.ts'
import {
  addressOn,
  HASHES,
  lookup,
  STATES,
  session,
  transfer,
} from '../../support/web/checkoutStates.ts'
import { rememberHeadings, shownHeadings } from '../../support/web/headings.ts'
import { reach } from '../../support/web/keyboard.ts'
import { openSite, type Site } from '../../support/web/site.ts'
import { callsOf, installWallet, type WalletPlan } from '../../support/web/wallet.ts'

/** What a payer does on the page, and how it changes meanwhile. */

let site: Site
let browser: Browser

beforeAll(async () => {
  site = await openSite()
  browser = await openBrowser()
}, 60_000)

afterAll(async () => {
  await browser?.close()
  await site?.stop()
})

async function withPage(work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 800 },
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  try {
    await work(await context.newPage())
  } finally {
    await context.close()
  }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name })

/** Waits until a screen reader was told. */
const said = (page: Page, sentence: string) =>
  page.getByRole('status').filter({ hasText: sentence }).waitFor({ state: 'attached' })

describe('a page that is open', () => {
  test('follows the payment without a reload, says each state, and shows no older one', async () => {
    await withPage(async (page) => {
      let loads = 0
      page.on('load', () => (loads += 1))
      await rememberHeadings(page)
      await page.goto(site.show({ ...STATES.waiting, version: 5 }))
      await heading(page, 'Waiting for your payment').waitFor()
      site.show({ ...STATES.seen, version: 7 })
      await heading(page, 'Payment seen').waitFor()
      await said(page, 'Payment seen')
      site.show({ ...STATES.waiting, version: 6 })
      site.show({ ...STATES.completed, version: 8 })
      await heading(page, 'Payment complete').waitFor()
      await said(page, 'Payment complete')
      const titles = ['Waiting for your payment', 'Payment seen', 'Payment complete']
      expect(await shownHeadings(page)).toEqual(titles)
      expect(loads).toBe(1)
    })
  }, 120_000)

  test('asks instead while the stream is broken, and says when nothing answers', async () => {
    await withPage(async (page) => {
      await page.goto(site.show({ ...STATES.waiting, version: 1 }))
      site.stream(false)
      site.show({ ...STATES.partial, version: 2 })
      await heading(page, '19.90 USDC still due').waitFor()
      await page.context().setOffline(true)
      await page.getByText('The connection is lost.').waitFor()
      await page.context().setOffline(false)
      site.stream(true)
      await page.getByText('The connection is lost.').waitFor({ state: 'detached' })
      site.show({ ...STATES.paid, version: 3 })
      await heading(page, 'Paid').waitFor()
    })
  }, 120_000)

  test('is done with the keyboard alone', async () => {
    await withPage(async (page) => {
      const { keyboard } = page
      await page.goto(site.show(STATES.choosingNetwork))
      await page.waitForFunction(() => document.activeElement === document.body)
      await keyboard.press('Tab')
      await keyboard.press('Space')
      await keyboard.press('ArrowDown')
      await reach(page, /^Continue$/)
      await keyboard.press('Enter')
      await page.getByRole('heading', { name: 'USDC on Polygon' }).waitFor()
      expect(new URL(page.url()).searchParams.get('network')).toBe('polygon')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('state')

      await reach(page, /^Copy the exact amount$/)
      await keyboard.press('Enter')
      await said(page, 'The amount is copied.')
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('49.9')
      await reach(page, /^Copy the address$/)
      await keyboard.press('Enter')
      await said(page, 'The address is copied.')
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        addressOn('polygon').address,
      )

      await reach(page, /^Already sent/)
      await keyboard.press('Enter')
      await keyboard.press('Tab')
      await keyboard.type('no hash')
      await keyboard.press('Enter')
      await page.getByText('That is no transaction hash yet').first().waitFor()
      await keyboard.press('ControlOrMeta+A')
      await keyboard.type(`https://polygonscan.com/tx/${HASHES[0]}`)
      await keyboard.press('Enter')
      site.show({ ...STATES.choosingNetwork, version: 2, lookups: [lookup('not_mined')] })
      await page.getByText('it is in no block yet').waitFor()
      await lastPosted((body) => body === JSON.stringify({ hash: HASHES[0] }))
    })
  }, 120_000)

  test('keeps what is being typed, and takes the focus along when it is taken away', async () => {
    await withPage(async (page) => {
      await page.goto(site.show({ ...STATES.partial, version: 1 }))
      await page.getByText('Already sent?').click()
      const field = page.getByLabel('Transaction hash')
      await field.fill('0x12')
      site.show({ ...STATES.partial, version: 2, lookups: [lookup('unknown')] })
      await page.getByText('No network that we watch knows it').waitFor()
      expect(await field.inputValue()).toBe('0x12')
      expect(await field.evaluate((one) => one === document.activeElement)).toBe(true)
      site.show({ ...STATES.paid, version: 3 })
      await heading(page, 'Paid').waitFor()
      await page.waitForFunction(() => document.activeElement?.id === 'state')
    })
  }, 120_000)

  test('keeps what is entered while the answer to the entry before is under way', async () => {
    await withPage(async (page) => {
      const [first = '', second = ''] = HASHES
      let goOn = () => {}
      const isAnswered = new Promise<void>((resolve) => {
        goOn = resolve
      })
      await page.route('**/transactions', async (route) => {
        await isAnswered
        await route.continue()
      })
      await page.goto(site.show({ ...STATES.partial, version: 1 }))
      await page.getByText('Already sent?').click()
      const field = page.getByLabel('Transaction hash')
      await field.fill(first)
      await page.getByRole('button', { name: 'Look it up' }).click()
      site.show({ ...STATES.partial, version: 2, lookups: [lookup('elsewhere')] })
      await page.getByText('found nothing for this payment').waitFor()
      await field.fill(second)
      goOn()
      await page.getByRole('button', { name: 'Look it up' }).click()
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('[name=hash]')?.value === '',
      )
      const hashes = site.posted.slice(-2).map(({ body }) => JSON.parse(body).hash)
      expect(hashes).toEqual([first, second])
    })
  }, 120_000)

  test('keeps open what a payer opened: before it was alive, while it is drawn anew, and when it comes back', async () => {
    await withPage(async (page) => {
      let goOn = () => {}
      const isHeld = new Promise<void>((resolve) => {
        goOn = resolve
      })
      await page.route(/\.js$/, async (route) => {
        await isHeld
        await route.continue()
      })
      await page.goto(site.show({ ...STATES.waiting, version: 1 }), { waitUntil: 'commit' })
      await page.getByText('Already sent?').click()
      const field = page.getByLabel('Transaction hash')
      await field.fill('0x12')
      goOn()
      await page.waitForFunction(
        () => document.querySelector('.scripted')?.checkVisibility() === true,
      )
      const isKept = async () => [await field.isVisible(), await field.inputValue()]
      expect(await isKept()).toEqual([true, '0x12'])
      site.show({ ...STATES.partial, version: 2 })
      await heading(page, '19.90 USDC still due').waitFor()
      expect(await isKept()).toEqual([true, '0x12'])
      site.show({ ...STATES.paid, version: 3 })
      await heading(page, 'Paid').waitFor()
      site.show({ ...STATES.partial, version: 4 })
      await heading(page, '19.90 USDC still due').waitFor()
      expect(await field.isVisible()).toBe(true)
    })
  }, 120_000)

  test('counts down in the last quarter only', async () => {
    await withPage(async (page) => {
      await page.goto(site.show(STATES.waiting))
      expect(await page.getByRole('timer').count()).toBe(0)
      await page.goto(site.show(STATES.lastQuarter))
      const left = await page.getByRole('timer').textContent()
      expect(left).toMatch(/^05:(50|[34]\d) left$/)
      await page.waitForFunction(
        (before) => document.querySelector('[role=timer]')?.textContent !== before,
        left,
      )
    })
  }, 120_000)

  test('tells the one page that shows it, and no other', async () => {
    await withPage(async (page) => {
      const url = site.show({ ...STATES.waiting, version: 1 })
      await page.goto(`${site.shop}/shop`)
      await page.evaluate((src) => {
        const heard: unknown[] = []
        addEventListener('message', ({ data, origin }) => heard.push([origin, data]))
        Object.assign(window, { heard })
        const frame = document.createElement('iframe')
        frame.src = `${src}?parent=${encodeURIComponent(location.origin)}`
        document.body.append(frame)
      }, url)
      const frame = page.frameLocator('iframe')
      await frame.getByRole('link', { name: 'Open in a new tab' }).waitFor()
      site.show({ ...STATES.paid, version: 2 })
      await frame.getByRole('button', { name: 'Close' }).click()
      await page.waitForFunction(() => Reflect.get(window, 'heard').length >= 3)
      const reference = 'INV-7K2M9Q'
      expect(await page.evaluate(() => Reflect.get(window, 'heard'))).toEqual([
        [site.url, { remit: 1, type: 'alive', reference: undefined }],
        [site.url, { remit: 1, type: 'paid', reference }],
        [site.url, { remit: 1, type: 'closed', reference }],
      ])
      await page.goto(`${site.shop.replace('shop', 'other')}/shop`)
      await page.setContent(`<iframe src="${url}?parent=${site.shop}"></iframe>`)
      // What the browser shows in place of a page that may not be in this frame.
      await page.frames()[1]?.waitForURL(/^chrome-error:/)
    })
  }, 120_000)
})

/** Waits until the newest request is this one: the page goes on while it is on its way. */
async function lastPosted(isIt: (body: string) => boolean): Promise<void> {
  await eventually(async () => site.posted.at(-1)?.body ?? '', isIt, 10_000)
}

describe('a wallet in the browser', () => {
  const pay = async (plan: WalletPlan, look: (page: Page) => Promise<void>) =>
    withPage(async (page) => {
      await installWallet(page, plan)
      await page.goto(site.show(STATES.partial))
      await page.getByRole('button', { name: 'Pay with Test Wallet' }).click()
      await look(page)
    })

  test('is told of the network, asked again, and sends exactly what is due', async () => {
    await pay({ chainId: 1, knows: [1] }, async (page) => {
      await page.getByText('Test Wallet has sent the payment.').first().waitFor()
      const calls = await callsOf(page)
      expect(calls.map(({ method }) => method)).toEqual([
        'eth_requestAccounts',
        'eth_chainId',
        'wallet_switchEthereumChain',
        'wallet_addEthereumChain',
        'eth_chainId',
        'eth_sendTransaction',
      ])
      expect(calls[3]?.params?.[0]).toMatchObject({ chainId: '0x2105', chainName: 'Base' })
      const { address, tokenAddress } = addressOn('base')
      const amount = (19_900_000).toString(16).padStart(64, '0')
      expect(calls[5]?.params?.[0]).toMatchObject({
        to: tokenAddress,
        data: `0xa9059cbb${address.slice(2).padStart(64, '0')}${amount}`,
        chainId: '0x2105',
      })
      await lastPosted((body) => body.includes('abab'))
      // What was sent isn't sent again while the network doesn't have it yet.
      expect(await page.getByRole('button', { name: 'Pay with' }).isEnabled()).toBe(false)
    })
  }, 120_000)

  test.each([
    [{ refuses: { eth_sendTransaction: 4001 } }, 'You declined in Test Wallet.'],
    [{ refuses: { eth_requestAccounts: -32002 } }, 'Test Wallet has a request open.'],
    [{ refuses: { eth_sendTransaction: -32000 } }, 'Test Wallet could not send it.'],
    [{ chainId: 1, isStubborn: true }, 'Test Wallet is still on another network.'],
  ])(
    'that does otherwise is explained: %p',
    async (plan, sentence) => {
      await pay({ chainId: 8453, knows: [1, 8453], ...plan }, async (page) => {
        await page.locator('.attempt', { hasText: sentence }).waitFor()
        expect(await page.getByRole('button', { name: 'Pay with' }).isEnabled()).toBe(true)
      })
    },
    120_000,
  )

  test('and a QR code say the same as the page', async () => {
    await withPage(async (page) => {
      const payment = { due: '19.9', transfers: [transfer({ amount: '30' })] }
      await page.goto(site.show(session({ state: 'partial' }, payment)))
      const link = await page.locator('a.touch').getAttribute('href')
      const { address, tokenAddress } = addressOn('base')
      expect(link).toBe(
        `ethereum:${tokenAddress}@8453/transfer?address=${address}&uint256=19900000`,
      )
      await page.getByRole('img', { name: 'QR code of the address', exact: true }).waitFor()
      await page.getByText('With amount').click()
      await page.getByRole('img', { name: /token and the amount/ }).waitFor()
    })
  }, 120_000)
})
