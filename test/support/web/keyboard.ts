import type { Page } from 'playwright-core'

/** Presses Tab until the focus is on something with this name or text, as a payer without a mouse does. */
export async function reach(page: Page, name: RegExp): Promise<void> {
  for (let tabs = 0; tabs < 40; tabs += 1) {
    const shown = await page.evaluate(
      () => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? '',
    )
    if (name.test(shown)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no way to ${name} by the keyboard`)
}
