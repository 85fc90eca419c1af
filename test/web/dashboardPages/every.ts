import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from '../browser.ts'
import { hearFaults, inspect } from '../dashboardPage.ts'
import { type DashboardSite, openDashboardSite } from '../dashboardSite.ts'
import { matchesPicture, wholePage } from '../pictures.ts'
import { answerWith } from './answers.ts'
import { CASES, type ShownPage } from './pages.ts'

/**
 * A part of `bun run check:web`: every page of the dashboard with data and without, in both languages, at every
 * width, and the pictures of docs/pages. With UPDATE_PAGES=1 it takes them anew.
 */

const FOLDER = join(import.meta.dirname, '../../../docs/pages/dashboard')
const WIDTHS = [320, 390, 768, 1_280, 2_560]
const SCREENS: Readonly<Record<string, BrowserContextOptions>> = {
  phone: { viewport: { width: 390, height: 760 } },
  desktop: { viewport: { width: 1_280, height: 800 } },
}

let site: DashboardSite
let browser: Browser
beforeAll(async () => {
  site = await openDashboardSite()
  browser = await openBrowser()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

async function open(page: Page, shown: ShownPage, hasData: boolean): Promise<void> {
  await answerWith(page, { ...shown, hasData })
  await page.goto(`${site.url}${shown.path}`)
  await page.locator('main h1').waitFor()
  await page.waitForFunction(() => document.querySelector('.skeleton') === null)
  if (hasData && shown.path.endsWith('/overview')) {
    await page.locator('.chart canvas').first().waitFor()
  }
  if (shown.path.endsWith('/settings')) {
    await page.frameLocator('.preview iframe').locator('.choose').waitFor()
  }
  await page.evaluate(() => document.fonts.ready)
}

describe.each(['en-GB', 'de-DE'])('in %s', (locale) => {
  test.each(CASES)(
    'the page $name, data: $hasData, is sound at every width',
    async ({ page: shown, hasData }) => {
      const context = await browser.newContext({ locale, timezoneId: 'UTC' })
      const page = await context.newPage()
      const faults = hearFaults(page)
      await open(page, shown, hasData)
      await inspect(page, WIDTHS)
      await context.close()
      expect(faults).toEqual([])
    },
    60_000,
  )
})

describe.each(Object.keys(SCREENS))('on a %s', (screen) => {
  test.each(['light', 'dark'] as const)(
    'every page looks as it did in the %s',
    async (colorScheme) => {
      const options = { ...SCREENS[screen], colorScheme, locale: 'en-GB', timezoneId: 'UTC' }
      const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
      const changed: string[] = []
      for (const { name, page: shown, hasData } of CASES) {
        const page = await context.newPage()
        await open(page, shown, hasData)
        const file = `${name}${hasData ? '' : '-empty'}-${screen}-${colorScheme}.png`
        const shot = await wholePage(page)
        if (!(await matchesPicture(join(FOLDER, file), shot))) changed.push(file)
        await page.close()
      }
      await context.close()
      expect(changed).toEqual([])
    },
    300_000,
  )
})
