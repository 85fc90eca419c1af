import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { isLocale, LOCALES } from '../../../web/messages/locale.ts'
import { openBrowser, PATIENCE_MS, STEP_MS } from '../../support/web/browser.ts'
import { STATE_NAMES, STATES, type StateName } from '../../support/web/checkoutStates.ts'
import { goldenFile, matchesGolden, SIZES, THEMES, wholePage } from '../../support/web/pictures.ts'
import { openSite, REFUSALS, type Site } from '../../support/web/site.ts'
import { expectSame, expectSound, hearComplaints, untilAlive } from '../../support/web/sound.ts'

/**
 * `bun run check:web`: every state in every language, and its golden pictures. It takes some minutes and is no
 * part of the check; fonts and the browser's version are in the pictures, so they are compared on Debian 12.
 */

/** Every state, and the pages in place of a session's. */
const PAGE_NAMES = [...STATE_NAMES, ...REFUSALS] as const

let site: Site
let browser: Browser

beforeAll(async () => {
  site = await openSite()
  browser = await openBrowser()
}, PATIENCE_MS)

afterAll(async () => {
  await browser.close()
  await site.stop()
})

describe('every state', () => {
  test.each(Object.keys(LOCALES).filter(isLocale))(
    'is sound in %s',
    async (locale) => {
      const context = await browser.newContext({
        viewport: { width: 320, height: 640 },
        timezoneId: 'UTC',
      })
      context.setDefaultTimeout(STEP_MS)
      const page = await context.newPage()
      const complaints = hearComplaints(page)
      for (const name of PAGE_NAMES) {
        await page.goto(`${addressOf(name)}?lang=${locale}`)
        await untilAlive(page)
        // Chromium complains of the status of such a page.
        if (!isState(name)) complaints.take()
        // Colours are the same in every language.
        const schemes = locale === 'en' ? (['light', 'dark'] as const) : (['light'] as const)
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme })
          await expectSound(page, complaints)
        }
      }
      await context.close()
    },
    PATIENCE_MS,
  )
})

test('every state is in the browser what the server has written', async () => {
  const page = await browser.newPage()
  const bare = await browser.newContext({ javaScriptEnabled: false })
  const written = await bare.newPage()
  for (const name of STATE_NAMES) {
    const url = `${site.show(STATES[name])}?lang=en`
    await page.goto(url)
    await untilAlive(page)
    await written.goto(url)
    await expectSame(page, written)
  }
  await page.close()
  await bare.close()
}, 120_000)

test.each(THEMES)(
  'every state looks as it did: $theme',
  async ({ theme, screen, colorScheme, locale }) => {
    const isPhone = screen === 'phone'
    const context = await browser.newContext({
      ...{ viewport: SIZES[screen], hasTouch: isPhone, isMobile: isPhone },
      ...{ colorScheme, timezoneId: 'UTC' },
    })
    context.setDefaultTimeout(STEP_MS)
    const page = await context.newPage()
    // Time stands still.
    await page.addInitScript(() => Object.assign(window, { setInterval: () => 0 }))
    const changed: string[] = []
    for (const name of PAGE_NAMES) {
      await page.goto(`${addressOf(name)}?lang=${locale}`)
      await untilAlive(page)
      await page.evaluate(() => document.fonts.ready)
      const file = goldenFile('checkout', `${name}-${theme}`)
      if (!(await matchesGolden(file, await wholePage(page)))) changed.push(file)
    }
    await context.close()
    expect(changed).toEqual([])
  },
  PATIENCE_MS,
)

function addressOf(name: (typeof PAGE_NAMES)[number]): string {
  return isState(name) ? site.show(STATES[name]) : `${site.url}/checkout/cs_${name}`
}

function isState(name: (typeof PAGE_NAMES)[number]): name is StateName {
  return name in STATES
}
