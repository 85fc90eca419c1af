import { existsSync } from 'node:fs'
import pixelmatch from 'pixelmatch'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { encodePalettePng } from './palettePng.ts'

/** Pictures of pages, compared with those that are committed. */

/** Of all pixels, how many may differ: text is drawn a little differently now and then. */
const MOST_DIFFERING = 0.002

/** For its own pictures of whole pages the browser stops being a phone. */
export async function wholePage(page: Page): Promise<Buffer> {
  const size = page.viewportSize() ?? { width: 0, height: 0 }
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ ...size, height })
  const shot = await page.screenshot({ animations: 'disabled' })
  await page.setViewportSize(size)
  return shot
}

/** Whether a page looks as in the committed picture; takes the picture when it is to be taken anew. */
export async function matchesPicture(file: string, shot: Buffer): Promise<boolean> {
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
