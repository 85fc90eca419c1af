import type { Page } from 'playwright-core'

/** Keeps every state that a page shows from now on. */
export async function rememberHeadings(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shown: string[] = []
    Object.assign(window, { shownHeadings: shown })
    const look = () => {
      const heading = document.querySelector('h2')?.textContent
      if (heading && shown.at(-1) !== heading) shown.push(heading)
    }
    const changes = { subtree: true, childList: true, characterData: true }
    new MutationObserver(look).observe(document, changes)
  })
}

/** The states that a page has shown, in order. */
export function shownHeadings(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => Reflect.get(window, 'shownHeadings'))
}
