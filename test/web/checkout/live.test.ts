import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { addressOn, HASHES, lookup, STATES } from '../../support/web/checkoutStates.ts'
import { rememberHeadings, shownHeadings } from '../../support/web/headings.ts'
import { reach } from '../../support/web/keyboard.ts'
import { useCheckout } from '../../support/web/useCheckout.ts'

/** What a payer does on the page, and how it changes meanwhile. */

const checkout = useCheckout()
const { lastPosted, withPage } = checkout

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
      await page.goto(checkout.site.show({ ...STATES.waiting, version: 5 }))
      await heading(page, 'Waiting for your payment').waitFor()
      checkout.site.show({ ...STATES.seen, version: 7 })
      await heading(page, 'Payment detected').waitFor()
      await said(page, 'Payment detected')
      checkout.site.show({ ...STATES.waiting, version: 6 })
      checkout.site.show({ ...STATES.completed, version: 8 })
      await heading(page, 'Payment complete').waitFor()
      await said(page, 'Payment complete')
      const titles = ['Waiting for your payment', 'Payment detected', 'Payment complete']
      expect(await shownHeadings(page)).toEqual(titles)
      expect(loads).toBe(1)
    })
  }, 120_000)

  test('asks instead while the stream is broken, and says when nothing answers', async () => {
    await withPage(async (page) => {
      await page.goto(checkout.site.show({ ...STATES.waiting, version: 1 }))
      checkout.site.stream(false)
      checkout.site.show({ ...STATES.partial, version: 2 })
      await heading(page, '19.90 USDC still due').waitFor()
      await page.context().setOffline(true)
      await page.getByText('Connection lost.').waitFor()
      await page.context().setOffline(false)
      checkout.site.stream(true)
      await page.getByText('Connection lost.').waitFor({ state: 'detached' })
      checkout.site.show({ ...STATES.paid, version: 3 })
      await heading(page, 'Payment confirmed').waitFor()
    })
  }, 120_000)

  test('is done with the keyboard alone', async () => {
    await withPage(async (page) => {
      const { keyboard } = page
      await page.goto(checkout.site.show(STATES.choosingNetwork))
      await page.waitForFunction(() => document.activeElement === document.body)
      await keyboard.press('Tab')
      await keyboard.press('Space')
      await keyboard.press('ArrowDown')
      await reach(page, /Continue with USDC on Polygon$/)
      await keyboard.press('Enter')
      await page.getByRole('heading', { name: 'USDC on Polygon' }).waitFor()
      expect(new URL(page.url()).searchParams.get('network')).toBe('polygon')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('state')

      await reach(page, /^Copy exact amount$/)
      await keyboard.press('Enter')
      await said(page, 'Amount copied.')
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('49.9')
      await reach(page, /^Copy address$/)
      await keyboard.press('Enter')
      await said(page, 'Address copied.')
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        addressOn('polygon').address,
      )

      await reach(page, /^Paid but not/)
      await keyboard.press('Enter')
      await keyboard.press('Tab')
      await keyboard.type('no hash')
      await keyboard.press('Enter')
      await page.getByText('Enter a transaction hash').first().waitFor()
      await keyboard.press('ControlOrMeta+A')
      await keyboard.type(`https://polygonscan.com/tx/${HASHES[0]}`)
      await keyboard.press('Enter')
      checkout.site.show({ ...STATES.choosingNetwork, version: 2, lookups: [lookup('not_mined')] })
      await page.getByText('not in a block yet').waitFor()
      await lastPosted((body) => body === JSON.stringify({ hash: HASHES[0] }))
    })
  }, 120_000)

  test('keeps what is being typed, and takes the focus along when it is taken away', async () => {
    await withPage(async (page) => {
      await page.goto(checkout.site.show({ ...STATES.partial, version: 1 }))
      await page.getByText('Paid but not showing?').click()
      const field = page.getByLabel('Transaction hash')
      await field.fill('0x12')
      checkout.site.show({ ...STATES.partial, version: 2, lookups: [lookup('unknown')] })
      await page.getByText('couldn’t find this transaction').waitFor()
      expect(await field.inputValue()).toBe('0x12')
      expect(await field.evaluate((one) => one === document.activeElement)).toBe(true)
      checkout.site.show({ ...STATES.paid, version: 3 })
      await heading(page, 'Payment confirmed').waitFor()
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
      await page.goto(checkout.site.show({ ...STATES.partial, version: 1 }))
      await page.getByText('Paid but not showing?').click()
      const field = page.getByLabel('Transaction hash')
      await field.fill(first)
      await page.getByRole('button', { name: 'Find payment' }).click()
      checkout.site.show({ ...STATES.partial, version: 2, lookups: [lookup('elsewhere')] })
      await page.getByText('it didn’t pay this address').waitFor()
      await field.fill(second)
      goOn()
      await page.getByRole('button', { name: 'Find payment' }).click()
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('[name=hash]')?.value === '',
      )
      const hashes = checkout.site.posted.slice(-2).map(({ body }) => JSON.parse(body).hash)
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
      await page.goto(checkout.site.show({ ...STATES.waiting, version: 1 }), {
        waitUntil: 'commit',
      })
      await page.getByText('Paid but not showing?').click()
      const field = page.getByLabel('Transaction hash')
      await field.fill('0x12')
      goOn()
      await page.waitForFunction(
        () => document.querySelector('.segments')?.checkVisibility() === true,
      )
      const isKept = async () => [await field.isVisible(), await field.inputValue()]
      expect(await isKept()).toEqual([true, '0x12'])
      checkout.site.show({ ...STATES.partial, version: 2 })
      await heading(page, '19.90 USDC still due').waitFor()
      expect(await isKept()).toEqual([true, '0x12'])
      checkout.site.show({ ...STATES.paid, version: 3 })
      await heading(page, 'Payment confirmed').waitFor()
      checkout.site.show({ ...STATES.partial, version: 4 })
      await heading(page, '19.90 USDC still due').waitFor()
      expect(await field.isVisible()).toBe(true)
    })
  }, 120_000)

  test('counts down in the last quarter of an hour only', async () => {
    await withPage(async (page) => {
      await page.goto(checkout.site.show(STATES.waiting))
      expect(await page.getByRole('timer').count()).toBe(0)
      await page.goto(checkout.site.show(STATES.lastQuarter))
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
      const url = checkout.site.show({ ...STATES.waiting, version: 1 })
      await page.goto(`${checkout.site.shop}/shop`)
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
      checkout.site.show({ ...STATES.paid, version: 2 })
      await frame.getByRole('button', { name: 'Close' }).click()
      await page.waitForFunction(() => Reflect.get(window, 'heard').length >= 3)
      const reference = 'INV-7K2M9Q'
      expect(await page.evaluate(() => Reflect.get(window, 'heard'))).toEqual([
        [checkout.site.url, { remit: 1, type: 'alive', reference: undefined }],
        [checkout.site.url, { remit: 1, type: 'paid', reference }],
        [checkout.site.url, { remit: 1, type: 'closed', reference }],
      ])
      await page.goto(`${checkout.site.shop.replace('shop', 'other')}/shop`)
      await page.setContent(`<iframe src="${url}?parent=${checkout.site.shop}"></iframe>`)
      // What the browser shows in place of a page that may not be in this frame.
      await page.frames()[1]?.waitForURL(/^chrome-error:/)
    })
  }, 120_000)
})
