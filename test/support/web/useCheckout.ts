import { afterAll, beforeAll } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { eventually } from '../servers/devStack.ts'
import { openBrowser } from './browser.ts'
import { openSite, type Site } from './site.ts'

/** A server of checkout pages and a browser for a file of tests. */
export function useCheckout() {
  let site: Site
  let browser: Browser

  beforeAll(async () => {
    site = await openSite()
    browser = await openBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await site?.stop()
  })

  return {
    get site() {
      return site
    },
    get browser() {
      return browser
    },
    /** A page on a phone, which may read and write its clipboard. */
    async withPage(work: (page: Page) => Promise<void>): Promise<void> {
      const context = await browser.newContext({
        viewport: { width: 390, height: 800 },
        locale: 'en-GB',
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      try {
        await work(await context.newPage())
      } finally {
        await context.close()
      }
    },
    /** Waits until the newest request is this one: the page continues while it is sent. */
    async lastPosted(isIt: (body: string) => boolean): Promise<void> {
      await eventually(async () => site.posted.at(-1)?.body ?? '', isIt, 10_000)
    },
  }
}
