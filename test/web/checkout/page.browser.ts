import { beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { lookup, STATES, session } from '../../support/web/checkoutStates.ts'
import {
  type Complaints,
  expectSame,
  expectSound,
  hearComplaints,
  untilAlive,
} from '../../support/web/sound.ts'
import { useCheckout } from '../../support/web/useCheckout.ts'

/** What a payer sees: in every state, in every language, on small screens and without JavaScript. */

const PHONE = { width: 320, height: 640 }

const checkout = useCheckout()
let context: BrowserContext
let page: Page
let complaints: Complaints

beforeAll(async () => {
  context = await checkout.browser.newContext({ viewport: PHONE, timezoneId: 'UTC' })
  page = await context.newPage()
  complaints = hearComplaints(page)
}, 60_000)

describe('the checkout page', () => {
  // One of each direction; states.browser.ts has every state in every language, in the dark and without JavaScript.
  test.each(['de', 'ar'] as const)(
    'is accessible, fits and says nothing wrong in %s',
    async (locale) => {
      await visit(STATES.partial, `?lang=${locale}`)
      expect(await page.getAttribute('html', 'lang')).toBe(locale)
      await expectSound(page, complaints)
    },
  )

  test('is so in the dark', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await visit(STATES.waiting)
    await expectSound(page, complaints)
    await page.emulateMedia({ colorScheme: 'light' })
  }, 120_000)

  test('is in the browser what the server has written', async () => {
    const bare = await checkout.browser.newContext({ javaScriptEnabled: false, viewport: PHONE })
    const written = await bare.newPage()
    for (const name of ['choosing', 'waiting', 'completed'] as const) {
      await visit(STATES[name])
      await written.goto(page.url())
      await expectSame(page, written)
    }
    await bare.close()
  }, 120_000)

  test('moves nothing that has to be painted anew, and nothing at all for who wants that', async () => {
    const moving = () =>
      page.evaluate(() =>
        document.getAnimations().flatMap(({ effect }) => {
          const steps = effect instanceof KeyframeEffect ? effect.getKeyframes() : []
          const terms = ['offset', 'computedOffset', 'easing', 'composite']
          return steps.flatMap((step) => Object.keys(step).filter((key) => !terms.includes(key)))
        }),
      )
    await visit(STATES.waiting)
    expect(new Set(await moving())).toEqual(new Set(['opacity']))
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await moving()).toEqual([])
    await page.emulateMedia({ reducedMotion: 'no-preference' })
  })

  test('draws no code again that came with the page, and the one with the amount when it is wanted', async () => {
    const mark = 'M1 2h3v1h-3z'
    const other = await checkout.browser.newPage()
    // Nothing but what came with the page has the mark.
    await other.route('**/checkout/cs_*', async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/"dark":"[^"]+"/, `"dark":"${mark}"`)
      await route.fulfill({ response, body })
    })
    await other.goto(`${checkout.site.show(STATES.waiting)}?lang=en`)
    await untilAlive(other)
    await other.getByText('With amount').click()
    await other.getByRole('img', { name: 'QR code of the address, the token' }).waitFor()
    // What draws it is loaded when it is wanted.
    const isDrawn = () =>
      [...document.querySelectorAll('.qr path')].some(
        (path) => (path.getAttribute('d') ?? '').length > 1_000,
      )
    await other.waitForFunction(isDrawn)
    await other.getByText('Address only').click()
    await other.locator(`.qr path[d="${mark}"]`).waitFor()
    await other.close()
  })

  test('shows an unknown session as such, without a word of the API', async () => {
    const response = await page.goto(`${checkout.site.url}/checkout/cs_unknown?lang=en`)
    expect(response?.status()).toBe(404)
    expect(await page.textContent('h1')).toBe('This page doesn’t exist')
    complaints.take()
  })

  test('writes a currency without decimals without any, before and after the choice', async () => {
    const { fiat } = STATES.yen
    await visit(session({ fiat }))
    expect(await page.textContent('h1 bdi')).toBe('7,480 JPY')
    await visit(STATES.yen)
    expect(await page.textContent('h1 bdi')).toBe('49.90 USDC')
    expect(await page.textContent('.fiat')).toBe('7,480\u00a0JPY')
  })

  test('takes no name, text or address for a part of the page', async () => {
    const hostile = '</script><script>document.title="broken"</script><img src=x onerror=alert(1)>'
    await visit(
      session(
        {
          state: 'waiting',
          merchant: { ...STATES.waiting.merchant, name: hostile, accent: '#fff}</style>' },
          description: hostile,
          lookups: [lookup('unknown')],
        },
        { reference: hostile },
      ),
    )
    expect(await page.textContent('.merchant bdi')).toBe(hostile)
    expect(await page.locator('img, style').count()).toBe(0)
    expect(await page.title()).not.toBe('broken')
    expect(complaints.take()).toEqual([])
  })

  test('is shown in frames only to the origin that the merchant listed and the address names', async () => {
    const url = checkout.site.show(STATES.waiting)
    const policyFor = async (parent: string) => {
      const { headers } = await fetch(`${url}?parent=${encodeURIComponent(parent)}`)
      expect(headers.get('set-cookie')).toBeNull()
      return [headers.get('content-security-policy'), headers.get('x-frame-options')]
    }
    const [listed, none] = await policyFor('https://shop.example')
    expect(listed).toContain('frame-ancestors https://shop.example')
    expect(none).toBeNull()
    for (const parent of ['https://shop.example.evil.example', 'https://shop.example/', '*']) {
      const [policy, frames] = await policyFor(parent)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(frames).toBe('DENY')
    }
  })
})

describe('without JavaScript', () => {
  test('a payer reads, chooses, sends a hash, changes the language and refreshes', async () => {
    const bare = await checkout.browser.newContext({ javaScriptEnabled: false, viewport: PHONE })
    const plain = await bare.newPage()
    await plain.goto(`${checkout.site.show(STATES.choosing)}?lang=en`)
    await plain
      .getByRole('radio', { name: /Polygon/ })
      .first()
      .check()
    await plain.getByRole('button', { name: 'Continue' }).click()
    expect(checkout.site.posted.at(-1)).toMatchObject({ body: 'choice=USDC+polygon' })

    await plain.goto(`${checkout.site.show(STATES.waiting)}?lang=en`)
    expect(await plain.locator('.grouped').first().textContent()).toBe(
      STATES.waiting.payment?.addresses[0]?.address ?? '',
    )
    expect(await plain.locator('.qr').isVisible()).toBe(true)
    expect(await plain.getByRole('button', { name: 'Copy' }).count()).toBe(0)
    expect(await plain.getByText('With amount').isVisible()).toBe(false)
    expect(await plain.getByRole('link', { name: 'Refresh page' }).isVisible()).toBe(true)
    await plain.getByText('Paid but not showing?').click()
    await plain.getByLabel('Transaction hash').fill('0xabc')
    await plain.getByRole('button', { name: 'Find payment' }).click()
    expect(checkout.site.posted.at(-1)).toMatchObject({ body: 'hash=0xabc' })

    await plain.goto(`${checkout.site.show(STATES.waiting)}?problem=hash`)
    expect(await plain.getByText('Enter a transaction hash').isVisible()).toBe(true)
    expect(await plain.getByText('That didn’t work').count()).toBe(0)
    await plain.getByLabel('Language').selectOption('nl')
    await plain.getByRole('button', { name: 'Apply' }).click()
    expect(await plain.getAttribute('html', 'lang')).toBe('nl')
    await bare.close()
  }, 120_000)
})

async function visit(
  view: (typeof STATES)[keyof typeof STATES] | ReturnType<typeof session>,
  query = '?lang=en',
) {
  await page.goto(`${checkout.site.show(view)}${query}`)
  await untilAlive(page)
}
