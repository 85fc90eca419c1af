import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { encodePalettePng } from '../palettePng.ts'

/** Pictures of the dashboard for docs/pages. They show times and hashes, so they are looked at, not compared. */

const FOLDER = join(import.meta.dirname, '../../../docs/pages')
const SCREENS = {
  phone: { width: 390, height: 760 },
  desktop: { width: 1280, height: 800 },
} as const

/** With UPDATE_PAGES=1, takes the page as it stands, on a phone and a desk, in light and dark. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.UPDATE_PAGES !== '1') return
  const usual = page.viewportSize()
  for (const [screen, size] of Object.entries(SCREENS)) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const shot = PNG.sync.read(await page.screenshot())
      const file = join(FOLDER, `dashboard-${name}-${screen}-${colorScheme}-en.png`)
      await Bun.write(file, encodePalettePng(shot))
    }
  }
  if (usual) await page.setViewportSize(usual)
}
