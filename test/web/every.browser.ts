import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { isLocale, LOCALES } from '../../web/language/locale.ts'
import { openBrowser, PATIENCE_MS, STEP_MS } from './browser.ts'
import { STATE_NAMES, STATES, type StateName } from './fixtures.ts'
import { matchesPicture, wholePage } from './pictures.ts'
import { openSite, REFUSALS, type Site } from './site.ts'
import { expectSound, hearComplaints, untilAlive } from './sound.ts'

/**
 * `bun run check:web`: every state in every language, and every picture of docs/pages. With
 * UPDATE_PAGES=1 it takes the pictures anew. It takes some minutes and is no part of the check; fonts and
 * the browser's version are in the pictures, so they are compared on Debian 12.
 */

const FOLDER = join(import.meta.dirname, '../../docs/pages')
const SCREENS: Readonly<Record<string, BrowserContextOptions>> = {
  phone: { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 } },
}

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

describe.each(Object.keys(SCREENS))('on a %s', (screen) => {
  describe.each(['light', 'dark'] as const)('in the %s', (colorScheme) => {
    test.each(['en', 'ar'])(
      'every state looks as it did: %s',
      async (locale) => {
        const options = { ...SCREENS[screen], colorScheme, timezoneId: 'UTC' }
        const context = await browser.newContext(options)
        context.setDefaultTimeout(STEP_MS)
        const page = await context.newPage()
        // Time stands still.
        await page.addInitScript(() => Object.assign(window, { setInterval: () => 0 }))
        const changed: string[] = []
        for (const name of PAGE_NAMES) {
          await page.goto(`${addressOf(name)}?lang=${locale}`)
          await untilAlive(page)
          await page.evaluate(() => document.fonts.ready)
          const shot = await wholePage(page)
          const file = join(FOLDER, `${name}-${screen}-${colorScheme}-${locale}.png`)
          if (!(await matchesPicture(file, shot))) changed.push(file)
        }
        await context.close()
        expect(changed).toEqual([])
      },
      PATIENCE_MS,
    )
  })
})

function addressOf(name: (typeof PAGE_NAMES)[number]): string {
  return isState(name) ? site.show(STATES[name]) : `${site.url}/checkout/cs_${name}`
}

function isState(name: (typeof PAGE_NAMES)[number]): name is StateName {
  return name in STATES
}
