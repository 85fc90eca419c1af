import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { isLocale, LOCALES } from '../../web/language/locale.ts'
import { openBrowser } from './browser.ts'
import { STATE_NAMES, STATES } from './fixtures.ts'
import { encodePalettePng } from './palettePng.ts'
import { openSite, type Site } from './site.ts'
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
/** Of all pixels, how many may differ: text is drawn a little differently now and then. */
const MOST_DIFFERING = 0.002

/** Every state, and the page of a session that isn't there. */
const PAGE_NAMES = [...STATE_NAMES, 'lost'] as const

let site: Site
let browser: Browser

beforeAll(async () => {
  site = await openSite()
  browser = await openBrowser()
}, 60_000)

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
      const page = await context.newPage()
      const complaints = hearComplaints(page)
      for (const name of PAGE_NAMES) {
        await page.goto(`${addressOf(name)}?lang=${locale}`)
        await untilAlive(page)
        // Chromium complains of the status of a page that isn't there.
        if (name === 'lost') complaints.take()
        // Colours are the same in every language.
        const schemes = locale === 'en' ? (['light', 'dark'] as const) : (['light'] as const)
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme })
          await expectSound(page, complaints)
        }
      }
      await context.close()
    },
    600_000,
  )
})

describe.each(Object.keys(SCREENS))('on a %s', (screen) => {
  describe.each(['light', 'dark'] as const)('in the %s', (colorScheme) => {
    test.each(['en', 'ar'])(
      'every state looks as it did: %s',
      async (locale) => {
        const options = { ...SCREENS[screen], colorScheme, timezoneId: 'UTC' }
        const context = await browser.newContext(options)
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
          if (!(await matches(file, shot))) changed.push(file)
        }
        await context.close()
        expect(changed).toEqual([])
      },
      120_000,
    )
  })
})

function addressOf(name: (typeof PAGE_NAMES)[number]): string {
  return name === 'lost' ? `${site.url}/checkout/cs_lost` : site.show(STATES[name])
}

/** For its own pictures of whole pages the browser stops being a phone. */
async function wholePage(page: Page): Promise<Buffer> {
  const size = page.viewportSize() ?? { width: 0, height: 0 }
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ ...size, height })
  const shot = await page.screenshot({ animations: 'disabled' })
  await page.setViewportSize(size)
  return shot
}

/** Whether a page looks as in the committed picture; takes the picture when it is to be taken anew. */
async function matches(file: string, shot: Buffer): Promise<boolean> {
  const taken = encodePalettePng(PNG.sync.read(shot))
  if (process.env.UPDATE_PAGES === '1') {
    await Bun.write(file, taken)
    return true
  }
  if (!existsSync(file)) return false
  const [now, before] = [taken, await Bun.file(file).bytes()].map((png) =>
    PNG.sync.read(Buffer.from(png)),
  )
  if (!now || !before || now.width !== before.width || now.height !== before.height) return false
  const { width, height } = now
  return (
    pixelmatch(now.data, before.data, undefined, width, height) <= width * height * MOST_DIFFERING
  )
}
