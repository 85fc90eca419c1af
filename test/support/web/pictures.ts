import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { encodePalettePng } from './palettePng.ts'

/** Golden pictures of pages: what they look like is compared with what is committed. */

export const GOLDENS = join(import.meta.dirname, '../../web/goldens')
/** What documents show is compared there. */
export const SHOWN = join(import.meta.dirname, '../../../docs/pictures')

/** How pages are pictured. The dashboard has no language that is written from right to left. */
export const THEMES = [
  { theme: 'desktop-light', screen: 'desktop', colorScheme: 'light', locale: 'en' },
  { theme: 'phone-light', screen: 'phone', colorScheme: 'light', locale: 'en' },
  { theme: 'phone-dark', screen: 'phone', colorScheme: 'dark', locale: 'en' },
  { theme: 'phone-ar', screen: 'phone', colorScheme: 'light', locale: 'ar' },
] as const

export const SIZES = {
  phone: { width: 390, height: 760 },
  desktop: { width: 1_280, height: 800 },
} as const

/** Of all pixels, how many may differ: text is drawn a little differently now and then. */
const MOST_DIFFERING = 0.002

const SETTLING_MS = 250

/** For its own pictures of whole pages the browser stops being a phone. */
export async function wholePage(page: Page): Promise<Buffer> {
  const size = page.viewportSize() ?? { width: 0, height: 0 }
  const height = await settledHeight(page)
  await page.setViewportSize({ ...size, height })
  const shot = await page.screenshot({ animations: 'disabled' })
  await page.setViewportSize(size)
  return shot
}

/** The height of a page once nothing shows that it is still loading, and two readings agree. */
async function settledHeight(page: Page): Promise<number> {
  for (let before = -1; ; ) {
    await page.waitForFunction(() => document.querySelector('.skeleton') === null)
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    if (height === before) return height
    before = height
    await Bun.sleep(SETTLING_MS)
  }
}

/** Where the picture of this name is. */
export function goldenFile(kind: 'checkout' | 'dashboard', name: string): string {
  const shown = join(SHOWN, `${name}.png`)
  return existsSync(shown) ? shown : join(GOLDENS, kind, `${name}.png`)
}

/** Whether a page looks as in the committed picture; with UPDATE_GOLDENS=1 one that does not is replaced. */
export async function matchesGolden(file: string, shot: Buffer): Promise<boolean> {
  const taken = encodePalettePng(PNG.sync.read(shot))
  if (await isAlike(taken, file)) return true
  if (process.env.UPDATE_GOLDENS !== '1') return false
  await Bun.write(file, taken)
  return true
}

async function isAlike(taken: Uint8Array, file: string): Promise<boolean> {
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
